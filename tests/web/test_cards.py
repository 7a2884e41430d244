"""What pages are made of, without a browser: faces of games, rules with examples, data."""

from __future__ import annotations

import json
from typing import Any

import pytest

import quinconce
from quinconce.core.match import Match
from quinconce.core.registry import game_class, game_forms
from quinconce.server.answers.pages import home_page
from quinconce.server.views.cards import cards, setup_forms
from quinconce.server.views.facts import facts_html
from quinconce.server.views.rules import details_html, short_rules
from quinconce.server.views.templates import read_static, render_template, script_json
from quinconce.words import LANGUAGES, Voice
from quinconce.words.examples import parse_examples
from quinconce.words.rules_text import parse_rules


@pytest.mark.parametrize("name", quinconce.names())
def test_the_sample_of_a_face_is_a_game_that_goes_on(name: str) -> None:
    for face in game_class(name).editions:
        match: Match[Any] = Match(quinconce.game(name, **face.options))
        for move in face.sample_moves.split():
            match.play(move)
        assert len(match.moves) >= 8
        assert match.outcome() is None
        assert 1 <= face.minutes <= 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_says_how_many_play_in_every_language(language: str) -> None:
    told = [edition.players for card in cards(language) for edition in card.editions]
    assert len(told) == 5
    assert all(any(letter.isdigit() for letter in text) for text in told)
    assert len(set(told)) == 3  # two; two to four; two or four


@pytest.mark.parametrize("name", quinconce.names())
def test_a_set_up_knows_every_form_that_a_sheet_has(name: str) -> None:
    told = setup_forms(name, "en")
    assert {len(form.players) for form in game_forms(name)} == {
        len(each["seats"])  # type: ignore[arg-type]
        for each in told
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", quinconce.names())
def test_every_example_of_the_rules_is_drawn(name: str, language: str) -> None:
    page = str(details_html(name, language))
    drawn = page.count('<figure class="example"')
    for number in range(len(game_class(name).editions)):
        short = short_rules(name, number, language)
        page += "".join(each.drawing + each.example + each.text for each in short.sections)
    drawn += 3 * len(parse_rules(Voice(language).rules_text(name)).short)
    assert drawn == len(parse_examples(Voice(language).rules_text(name)))
    assert "style=" not in page
    assert "```" not in page
    assert "<pre" not in page


def test_data_in_a_page_cannot_close_its_element() -> None:
    text = "</script><script>alert(1)</script>&\u2028"
    told = script_json({"name": text})
    assert "<" not in told
    assert json.loads(told) == {"name": text}


def test_what_people_have_typed_is_escaped() -> None:
    why = "<img src=x>"
    page = render_template(
        "fault.html", Voice("en"), csrf=None, heading="x", why=why, help="", games={}
    )
    assert why not in page
    assert "&lt;img src=x&gt;" in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_known_is_a_page_with_its_pictures_drawn(language: str) -> None:
    text = str(facts_html(language))
    assert text.count('class="plot"') >= 5
    assert 'class="picture' in text
    assert "<table>" in text
    assert "<img" not in text
    assert "<style" not in text
    assert "style=" not in text  # the policy of the pages would not let it pass
    assert 'class="number"' in text
    assert "<a " not in text  # no link leads to a page that only the sources have
    assert b".plot" in read_static("plot.css")


def test_the_first_page_leads_to_what_is_known() -> None:
    say = Voice("en")
    page = home_page([], [], "", say)
    text = render_template(page.template, say, csrf=None, **page.values)
    assert 'href="/known"' in text
