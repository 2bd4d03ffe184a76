import http.client
import socket

import pytest
from evaluators import serving

from frex.errors import InputError
from frex.study import serve


def test_ctrl_c_ends_it_cleanly(study):
    with serving(study) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", f"/e/{study.tokens[0]}")
        response = connection.getresponse()
        assert response.status == 200
        assert response.headers["server"] is None
        response.read()
        code, said = server.stop()  # while a connection is open
        connection.close()
    assert code == 0
    assert "Ended. 0 tasks are answered." in said
    assert not list(study.path.glob("*-wal"))  # the answers are one file again


def test_a_port_that_is_taken_is_told(study):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(InputError, match=f"cannot listen on 127.0.0.1, port {port}"):
            serve(study, port=port)
    with pytest.raises(InputError, match="cannot listen on no such host"):
        serve(study, host="no such host", port=0)
