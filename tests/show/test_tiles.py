"""Matrices of tiles, as text and as SVG."""

import xml.etree.ElementTree as ElementTree

import pytest

from compile_lessons.show.tiles import Matrix, Tiles

SVG = "{http://www.w3.org/2000/svg}"
CAUSAL = Matrix(tiles=[["masked", "skipped"], ["computed", "masked"]], height=4, width=8)
KINDS = ["computed", "masked", "skipped"]


def test_text_has_a_sign_for_each_tile_and_counts_kinds() -> None:
    assert str(Tiles({"scores": CAUSAL}, KINDS)).splitlines() == [
        "scores: 2 by 2 tiles of 4 by 8",
        "/.",
        "#/",
        "",
        "# computed: 1 tiles",
        "/ masked: 2 tiles",
        ". skipped: 1 tiles",
    ]


def test_svg_draws_a_run_of_equal_tiles_as_one_rectangle_to_scale() -> None:
    row = Matrix(tiles=[["computed"] * 3 + ["skipped"]], height=2, width=1)
    [run, *legend] = ElementTree.fromstring(Tiles({"row": row}, KINDS).svg()).iter(f"{SVG}rect")
    width, height = float(run.attrib["width"]), float(run.attrib["height"])
    assert width / height == pytest.approx(3 / 2, rel=0.01)
    assert len(legend) == len({rect.attrib["fill"] for rect in legend}) == 3


def test_svg_says_what_it_shows() -> None:
    root = ElementTree.fromstring(Tiles({"scores": CAUSAL}, KINDS).svg())
    assert root.findtext(f"{SVG}title") == "Tiles of scores"
    assert "masked: 2 tiles" in str(root.findtext(f"{SVG}desc"))


def test_lines_between_tiles_only_where_there_is_room() -> None:
    fine = Matrix(tiles=[["skipped"] * 500], height=500, width=1)
    [path] = [
        p for p in ElementTree.fromstring(Tiles({"a": fine}, KINDS).svg()).iter(f"{SVG}path") if "fill" in p.attrib
    ]
    assert path.attrib["d"].count("v") == 2


def test_a_kind_without_a_name_and_a_fourth_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="doesn't name: skipped"):
        Tiles({"scores": CAUSAL}, KINDS[:2])
    with pytest.raises(ValueError, match="4 kinds of tiles, but 3 ways"):
        Tiles({"scores": CAUSAL}, [*KINDS, "other"])
