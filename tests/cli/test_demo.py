from frex.text.stopwords import smart


def test_demo_shows_topics_in_words_that_are_no_stop_words(frex):
    result = frex("demo")
    assert result.code == 0, result.err
    row = next(line for line in result.out.splitlines() if line.startswith("mail::filters"))
    words = row.split()[1:]
    best, frequent = words[:6], words[6:]
    assert "spam" in best
    assert not set(best) & smart()
    assert set(frequent) & smart()
