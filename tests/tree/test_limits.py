import io

import pytest

from frex.errors import InputError
from frex.tree.limits import MOST_LEVELS, check_entities, check_levels, plain_loader

ALIASES = "a: &a [x, x]\n" + "".join(
    f"{later}: &{later} [{', '.join([f'*{name}'] * 9)}]\n"
    for name, later in zip("abcdefgh", "bcdefghi", strict=True)
)
ENTITIES = (
    '<?xml version="1.0"?>\n<!DOCTYPE r [\n<!ENTITY a "lol">\n'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>\n<r>&i;</r>"
)
PREFIXES = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY skos "http://www.w3.org/2004/02/skos/core#" > ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>
"""


def test_yaml_aliases_are_reported_with_their_line():
    yaml = pytest.importorskip("yaml")
    with pytest.raises(yaml.YAMLError, match="an alias, \\*a; write it out") as caught:
        yaml.compose(ALIASES, Loader=plain_loader(yaml))
    assert caught.value.problem_mark.line == 1
    node = yaml.compose(io.StringIO("a: [b, c]\n"), Loader=plain_loader(yaml))
    assert node.value[0][0].value == "a"


def test_xml_entities_may_stand_for_addresses_and_for_nothing_that_grows():
    with pytest.raises(InputError, match=r"t\.rdf, line 4: the entity 'b' stands for others"):
        check_entities(ENTITIES.encode(), "t.rdf")
    for value in ('"' + "x" * 2000 + '"', 'SYSTEM "file:///etc/passwd"'):
        with pytest.raises(InputError, match="the entity 'e'"):
            check_entities(f"<!DOCTYPE r [<!ENTITY e {value}>]><r/>".encode(), "t.rdf")
    for harmless in (PREFIXES, "<r/>", "no XML", ""):
        check_entities(harmless.encode(), "t.rdf")


def test_a_tree_of_too_many_levels_is_refused_at_its_line():
    check_levels(MOST_LEVELS, "t.txt", 3)
    with pytest.raises(InputError, match=r"t\.txt, line 3: the tree has 20,000 levels here"):
        check_levels(20_000, "t.txt", 3)
