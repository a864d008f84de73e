from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from crewsolve.cards import Deck
from crewsolve.cli import main
from crewsolve.deal import random_deal


def run(*arguments: str, code: int = 0, **options) -> str:
    result = CliRunner().invoke(main, arguments, **options)
    assert result.exit_code == code, result.output
    return result.output


def test_losing_deals_in_json_have_the_promised_keys():
    answer = json.loads(run("count", "losing", "--deck", "4x9", "--json"))
    assert list(answer) == ["s1", "s2", "s3", "s4", "first_hand", "second_hand", "losing", "total"]
    assert answer["s1"] + answer["s2"] == answer["first_hand"]
    assert answer["losing"] == 224_808_234


def test_losing_deals_of_odd_decks_add_up():
    answer = json.loads(run("count", "losing", "--deck", "3x3", "--json"))
    assert answer["s1"] + answer["s2"] == answer["first_hand"]
    assert answer["s3"] + answer["s4"] == answer["second_hand"]
    assert answer["first_hand"] + answer["second_hand"] == answer["losing"] == 17


def test_losing_deals_are_told_in_words():
    assert "224,808,234  0.2752 % of all deals" in run("count", "losing")


def test_deals_up_to_suits():
    answer = json.loads(run("count", "deals", "--deck", "4x9", "--seats", "2", "--tasks", "1", "--json"))
    assert answer == {"all": 326_704_870_800, "up_to_suits": 13_677_426_756}
    anyone = json.loads(run("count", "deals", "--leader", "any", "--json"))
    assert anyone["all"] == 2 * answer["all"]
    assert "up to suits" in run(
        "count", "deals", "--deck", "4x9+4", "--seats", "4", "--tasks", "10", "--free"
    )


def test_determinizations_from_sizes_and_cards():
    arguments = ["--sizes", "1,1,1", "--may", "B1 G1", "--may", "B1 G1 P1", "--may", "G1 P1"]
    answer = json.loads(run("count", "determinizations", *arguments, "--json"))
    assert answer["count"] == 3
    assert answer["probabilities"][0] == {"B1": "2/3", "G1": "1/3"}
    assert "3 determinizations" in run("count", "determinizations", *arguments)


def test_impossible_determinizations_count_zero():
    answer = json.loads(
        run("count", "determinizations", "--sizes", "2,1", "--may", "B1", "--may", "B1 G1 P1", "--json")
    )
    assert answer == {"count": 0, "probabilities": [{}, {}]}


def test_determinizations_from_a_deal():
    deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=3, key=(1, 1))
    seat = str((deal.leader + 1) % 4)
    before = json.loads(run("count", "determinizations", "-", "--seat", seat, "--json", input=str(deal)))
    assert before["probabilities"][deal.leader]["R4"] == "1"
    after = json.loads(
        run("count", "determinizations", "-", "--seat", seat, "--played", "R4", "--json", input=str(deal))
    )
    assert after["count"] == before["count"]
    assert "R4" not in after["probabilities"][deal.leader]


@pytest.mark.parametrize(
    "arguments",
    [
        ("losing", "--deck", "4x9+4"),
        ("losing", "--deck", "nonsense"),
        ("deals", "--tasks", "37"),
        ("determinizations",),
        ("determinizations", "--sizes", "1,x", "--may", "B1"),
        ("determinizations", "--sizes", "1,1", "--may", "B1 B2"),
        ("determinizations", "--sizes", "1", "--may", "B1 B2"),
        ("determinizations", "--sizes", "1", "--may", "b1"),
        ("determinizations", "examples/rescue.toml", "--sizes", "1"),
    ],
)
def test_wrong_requests_are_usage_errors(arguments):
    assert "Error" in run("count", *arguments, code=2)
