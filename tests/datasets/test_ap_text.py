from frex.corpus import read_corpus
from frex.datasets import ap_text
from frex.text import VocabularyRule, proper_nouns


def test_stop_words_and_names_go(tmp_path, monkeypatch):
    story = "<DOC>\n<DOCNO> {} </DOCNO>\n<TEXT>\n {}\n</TEXT>\n</DOC>\n"
    texts = ["The senators met Merkel.", "Senators and the senator."]
    content = "".join(story.format(f"AP{n}", text) for n, text in enumerate(texts))
    (tmp_path / "ap.txt").write_text(content)
    monkeypatch.setattr(proper_nouns, "blank", lambda text: text.replace("Merkel", " "))
    everything = VocabularyRule(min_documents=1)
    ap_text.prepare([tmp_path / "ap.txt"], tmp_path / "corpus", vocabulary=everything, jobs=1)
    corpus = read_corpus(tmp_path / "corpus")
    assert list(corpus.words) == ["met", "senator", "senators"]
    assert list(corpus.ids) == ["AP0", "AP1"]
