import io
import tarfile
import zipfile

import pytest

from frex.datasets import xml_documents as reader
from frex.datasets.xml_documents import parse, text_of, xml_documents
from frex.errors import InputError

BOMB = """<!DOCTYPE a [
<!ENTITY x "ha">
<!ENTITY y "&x;&x;&x;&x;&x;&x;&x;&x;&x;&x;">
]>
<a>&y;</a>"""


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def tarred(members):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            data = content.encode() if isinstance(content, str) else content
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "disc"
    (folder / "inner").mkdir(parents=True)
    (folder / "README.txt").write_text("<not xml")
    (folder / "a.xml").write_text("<n>one</n>")
    (folder / "inner" / "b.zip").write_bytes(
        zipped({"x/2.XML": "<n>two</n>", "x/._2.xml": "junk", "codes.txt": "A\tb"})
    )
    (folder / "inner" / "c.tgz").write_bytes(
        tarred({"3.xml": "<n>three</n>", "day.zip": zipped({"4.xml": "<n>four</n>"})})
    )
    return folder


def test_documents_are_found_in_folders_and_archives_within_archives(folder):
    found = {
        str(place.relative_to(folder)): text_of(root) for place, root in xml_documents([folder])
    }
    assert found == {
        "a.xml": "one",
        "inner/b.zip/x/2.XML": "two",
        "inner/c.tgz/3.xml": "three",
        "inner/c.tgz/day.zip/4.xml": "four",
    }
    named = [folder / "inner" / "c.tgz", folder / "README.txt"]
    assert [text_of(root) for _, root in xml_documents(named)] == ["three", "four"]


def test_nothing_to_read_is_an_error(folder):
    with pytest.raises(InputError, match=r"README\.txt: no \.xml file is here"):
        list(xml_documents([folder / "README.txt"]))
    with pytest.raises(InputError, match="no data files were named"):
        list(xml_documents([]))
    with pytest.raises(InputError, match=r"nowhere: cannot read it: No such file"):
        list(xml_documents([folder / "nowhere"]))


@pytest.mark.parametrize("name", ["b.zip", "c.tgz"])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_an_archive_cut_short_is_an_error(folder, name, share):
    path = folder / "inner" / name
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(InputError, match=rf"{name}: damaged or cut short"):
        list(xml_documents([path]))


def test_an_entity_is_not_expanded(tmp_path):
    with pytest.raises(InputError, match=r"bomb\.xml, line 2: it declares an entity, 'x'"):
        parse(BOMB.encode(), tmp_path / "bomb.xml")
    outside = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>'
    with pytest.raises(InputError, match="declares an entity"):
        parse(outside, tmp_path / "x.xml")


def test_a_dtd_is_not_fetched_and_characters_of_html_are_known(tmp_path):
    text = b'<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a>caf&eacute; &nowhere; &amp; tea</a>'
    assert text_of(parse(text, tmp_path / "a.xml")) == "café & tea"


@pytest.mark.parametrize(
    ("content", "line"), [("<a>\n<b></a>", 2), ("<a>\n&b;</a>", 2), ("", 1), ("<a/>\n<b/>", 2)]
)
def test_what_is_not_xml_is_an_error_with_its_line(tmp_path, content, line):
    with pytest.raises(InputError, match=rf"a\.xml, line {line}: not XML"):
        parse(content.encode(), tmp_path / "a.xml")


def test_encodings_are_those_declared(tmp_path):
    for encoding in ("iso-8859-1", "windows-1252", "utf-8", "utf-16"):
        text = f'<?xml version="1.0" encoding="{encoding}"?><a>Côte</a>'
        assert parse(text.encode(encoding), tmp_path / "a.xml").text == "Côte"
    with pytest.raises(InputError, match=r"not XML: .*encoding"):
        parse(b'<?xml version="1.0" encoding="klingon"?><a/>', tmp_path / "a.xml")


@pytest.mark.parametrize(
    ("limit", "largest", "place"),
    [("LARGEST", 11, r"c\.tgz/3\.xml"), ("LARGEST_ARCHIVE", 50, r"c\.tgz/day\.zip")],
)
def test_what_is_too_large_is_not_read(folder, monkeypatch, limit, largest, place):
    monkeypatch.setattr(reader, limit, largest)
    with pytest.raises(InputError, match=rf"{place}: larger than"):
        list(xml_documents([folder / "inner" / "c.tgz"]))
