"""Servers of frex in processes of their own, which can be killed and started again."""

import http.client
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, closing
from urllib.parse import urlencode, urlsplit


class Server:
    """A command that says at which address it serves.

    `before` is code that runs first; `log` is the file of what it says on standard error.
    """

    def __init__(self, *arguments, before="pass", log=None, env=None):
        self.arguments, self.port, self.process = arguments, 0, None
        self.before, self.log, self.env = before, log, env

    def start(self):
        command = f"import sys; {self.before}; from frex.cli import main; main(sys.argv[1:])"
        arguments = [*map(str, self.arguments), "--port", str(self.port)]
        with ExitStack() as stack:
            log = None if self.log is None else stack.enter_context(self.log.open("a"))
            self.process = subprocess.Popen(
                [sys.executable, "-c", command, *arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=self.env,
            )
        line = "start"
        while line and not line.startswith("http"):
            line = self.process.stdout.readline()
        self.address = line.split()[0].rstrip(":")
        self.port = urlsplit(self.address).port

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()

    def kill(self):
        self._end(signal.SIGKILL)

    def stop(self, sign=signal.SIGINT):
        """End it, as Ctrl-C does; return its exit code and its last lines."""
        return self._end(sign)

    def connect(self, start=b""):
        """Open a connection, and send what a request begins with."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        connection.sendall(start)
        return connection

    def get(self, path):
        """Return the status with which a request is answered."""
        return self.ask(path).status

    def ask(self, path, body=None, headers=(), method=None):
        """Return the answer to a request, its text read; a dictionary is posted as a form."""
        headers = dict(headers)
        if isinstance(body, dict):
            body = urlencode(body)
            headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        method = method or ("GET" if body is None else "POST")
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            response.text = response.read().decode()
            return response

    def _end(self, sign):
        self.process.send_signal(sign)
        said, _ = self.process.communicate(timeout=30)
        return self.process.returncode, said
