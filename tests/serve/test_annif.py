"""Annif itself asks the server, as a project with its backend ``http``, and knows no difference."""

import os
import subprocess

import pytest

from frex.serve.model import Model

TEXT = "the golfer putts for the goal"


@pytest.fixture(scope="module")
def ask(annif, folder, server, model, tmp_path_factory):
    """Return a function that runs Annif where two projects lead to the server."""
    place = tmp_path_factory.mktemp("annif")
    (place / "topics.tsv").write_text(
        "".join(f"<{one.uri}>\t{one.label}\n" for one in model.subjects)
    )
    url = f"http://127.0.0.1:{server.port}/v1/projects"
    projects = {"good": f"{url}/small/suggest", "lost": f"{url}/nothing/suggest"}
    (place / "projects.cfg").write_text(
        "".join(
            f"[{name}]\nname={name}\nlanguage=en\nbackend=http\nvocab=topics\nendpoint={endpoint}\n"
            for name, endpoint in projects.items()
        )
    )

    def run(*arguments, text=""):
        done = subprocess.run(
            [annif / "bin" / "annif", *arguments],
            input=text, capture_output=True, text=True, check=False, timeout=300, cwd=place,
            env={"PATH": os.environ["PATH"], "NO_PROXY": "*"},
        )  # fmt: skip
        return done.stdout, done.stderr

    run("load-vocab", "--language", "en", "topics", "topics.tsv")
    return run


def test_suggestions_are_those_of_the_model(ask, model: Model):
    scored = model.score([TEXT])
    best = {model.subjects[k].uri: scored.scores[0, k] for k in range(4)}
    out, _ = ask("suggest", "--limit", "3", "good", text=TEXT)
    rows = [line.split("\t") for line in out.splitlines()]
    assert len(rows) == 3
    for uri, label, score in rows:
        assert label == uri.strip("<>")
        assert float(score) == pytest.approx(best[uri.strip("<>")], abs=1e-3)


def test_the_project_is_known_to_be_trained(ask):
    out, _ = ask("show-project", "good")
    assert "Trained:           True" in out
    assert "Modification time: 2" in out


def test_a_project_that_is_not_there_is_told(ask):
    out, err = ask("suggest", "lost", text=TEXT)
    assert out == ""
    assert "404" in err
