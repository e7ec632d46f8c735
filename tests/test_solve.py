"""Proofs of start positions: the compiled search against the rules, the verifier against false proofs."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from pyengine import EngineError, find_rules
from pyengine.ai.proofs import Proof, key_of, write_proof
from pyengine.ai.search import Search
from pyengine.ai.tables import Tables, decode, encode, sets_of
from pyengine.rules import Rules, State

np = pytest.importorskip("numpy")
from tools import solve as command  # noqa: E402
from tools.endgames.bulk import Expander, expand_job, kept_symmetries  # noqa: E402
from tools.endgames.checks import other_side  # noqa: E402
from tools.endgames.retrograde import Codes, solve_unit, units  # noqa: E402
from tools.proofs.verify import Unproved, verify  # noqa: E402

PROOFS = sorted(command.OUT.glob("*.proof.bin"))
TELO = "fanorona/telo"


@pytest.fixture(scope="module")
def tables() -> Tables:
    return command.shipped_tables()


def by_tables(rules: Rules, tables: Tables, side: int, value: int) -> Proof:
    """A proof of the start of a game small enough to lie wholly in the tables."""
    return Proof(rules.ruleset, side, value, rules.board.size, {})


# --- the verifier ----------------------------------------------------------------------------------------------------


def test_fanorona_telo_is_won_by_the_first_player_in_eleven_plies() -> None:
    """Published: the first player wins the 3×3 game in 11 plies. Solved here from nothing."""
    rules = find_rules(TELO)
    expander = Expander(TELO, kept_symmetries(rules))
    known: dict[tuple[int, ...], Codes] = {}
    for unit in units(rules, 8):
        jobs = lambda tasks: map(expand_job, tasks)  # noqa: E731
        known.update(solve_unit(expander, unit, known, jobs, "win"))
    start = rules.start()
    number = expander.numbering((4, 4)).layout.index(sets_of(rules, start), 0)
    assert int(known[4, 4][number]) == encode(1, 11)


def test_the_verifier_plays_a_whole_game_out(tables: Tables) -> None:
    rules = find_rules(TELO)
    verdict = verify(by_tables(rules, tables, 0, 1), tables.find(rules))
    # The tables hurry to the next capture, which is not always the shortest way to the end.
    assert 11 <= (verdict.longest or 0) <= 15
    assert verdict.opening == 0
    assert verdict.endings > 20


def test_the_verifier_refuses_what_is_not_so(tables: Tables) -> None:
    rules = find_rules(TELO)
    endings = tables.find(rules)
    with pytest.raises(Unproved, match="ends badly"):  # the second player does not win
        verify(by_tables(rules, tables, 1, 1), endings)
    with pytest.raises(Unproved, match="ends badly"):  # nor hold
        verify(by_tables(rules, tables, 1, 0), endings)
    with pytest.raises(Unproved, match="no table knows"):
        verify(by_tables(rules, tables, 0, 1), None)
    table = find_rules("alquerque/table")
    with pytest.raises(Unproved, match="no reply"):
        verify(Proof(table.ruleset, 0, 1, 6, {}), tables.find(table))


def test_a_circle_is_no_win(tables: Tables) -> None:
    """Two against one drawn by going round: a 'win' that shuffles for ever must be found out."""
    rules = find_rules("alquerque/table")
    start = rules.parse("o4/5/5/5/4x x 0")
    assert tables.probe(rules, start) == (0, None)
    with pytest.raises(Unproved, match=r"come back|ends badly"):
        verify(Proof(rules.ruleset, 0, 1, 6, {}), tables.find(rules), start=start)
    assert (
        verify(Proof(rules.ruleset, 0, 0, 6, {}), tables.find(rules), start=start).longest is None
    )


@pytest.mark.parametrize("ruleset", ["alquerque/table", "alquerque/bell"])
def test_won_endings_are_proved_and_their_quiet_stretch_is_the_distance(
    ruleset: str, tables: Tables
) -> None:
    rules = find_rules(ruleset)
    endings = tables.find(rules)
    assert endings is not None
    chance = random.Random(2)
    proved = 0
    while proved < 6:
        points = chance.sample(range(25), 4)
        state: State = (1 << points[0] | 1 << points[1] | 1 << points[2], 1 << points[3], 0, 0)
        value = endings.probe(state)
        if value is None or value.wdl < 1 or (value.distance or 0) < 3:
            continue
        verdict = verify(Proof(ruleset, 0, 1, 6, {}), endings, start=state)
        assert value.distance is not None
        assert (verdict.quiet or 0) + 1 >= value.distance
        assert (verdict.quiet or 0) < rules.limit
        proved += 1


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_proof_survives_its_file() -> None:
    chance = random.Random(4)
    replies = {chance.randrange(1 << 50): chance.randrange(28) for _ in range(2000)} | {0: 3, 1: 0}
    data = write_proof(Proof("alquerque/table", 1, 0, 6, replies), replies)
    assert len(data) < 2.2 * len(replies) + 300
    again = Proof.read(data)
    assert all(again.replies.get(key) == reply for key, reply in replies.items())
    others = [chance.randrange(1 << 50) for _ in range(2000)]
    assert sum(again.replies.get(key) is not None for key in others) < 30
    assert (again.side, again.value, again.pieces) == (1, 0, 6)
    tables = Tables()
    assert tables.proofs(find_rules("alquerque/table")) == []
    index = {"files": [], "proofs": [{"name": "p", "ruleset": "alquerque/table", "pieces": 6}]}
    tables.offer(json.dumps(index))
    start = find_rules("alquerque/table").start()
    assert tables.wanted(find_rules("alquerque/table"), start) == ["p"]
    assert tables.wanted(find_rules("alquerque/table"), start, level=9) == ["p"]
    assert tables.wanted(find_rules("alquerque/table"), start, level=8) == []
    assert tables.wanted(find_rules("alquerque/table"), (1, 2, 0, 0)) == []
    tables.add(data, "p")
    assert tables.wanted(find_rules("alquerque/table"), start) == []
    assert [proof.side for proof in tables.proofs(find_rules("alquerque/table;limit=90"))] == [1]
    # A shorter limit may forestall what is proved, and where it counts pieces a proved draw may be none.
    assert tables.proofs(find_rules("alquerque/table;limit=20")) == []
    assert tables.proofs(find_rules("alquerque/table;onlimit=count")) == []
    assert tables.proofs(find_rules("alquerque/bell")) == []
    for bad in (b"", data[:-3], data[:40], b"x" * 50, data[:30] + b"?" + data[31:]):
        with pytest.raises(EngineError):
            Proof.read(bad)


def test_a_position_has_one_name_for_both_sides() -> None:
    for position in ("ooooo/ooooo/oo1xx/xxxxx/xxxxx x 0", "5/2O2/5/5/1x3 x 0", "5/2o2/5/5/1x3 x 0"):
        rules = find_rules("alquerque/doce-long")
        state = rules.parse(position)
        assert key_of(rules, state) == key_of(rules, other_side(rules, state))
    assert key_of(rules, state) != key_of(rules, rules.parse("5/2O2/5/5/1x3 x 0"))


@pytest.mark.parametrize("path", PROOFS, ids=lambda path: path.name)
def test_shipped_proofs_can_be_played(path: Path, tables: Tables) -> None:
    """A sample of what `python -m tools.solve verify` does in full: random defences, never out of the proof, and at
    its end a position of which the tables say what was promised."""
    data = path.read_bytes()
    assert len(data) <= 1_000_000
    proof = Proof.read(data)
    rules = proof.rules
    endings = tables.find(rules)
    assert endings is not None
    chance = random.Random(7)
    for _ in range(150):
        state = rules.start()
        for _ in range(400):
            after = rules.generate(state)
            if (state[0] | state[1]).bit_count() <= proof.pieces or not after:
                break
            number = proof.reply(rules, state)
            assert (number is None) == (state[2] != proof.side), rules.format(state)
            state = chance.choice(after) if number is None else after[number]
        pieces = (state[0] | state[1]).bit_count()
        if proof.value > 0 or pieces <= proof.pieces:
            value = endings.probe(state)
            wdl = value.wdl if value else rules.result(state)
            assert (wdl if state[2] == proof.side else -wdl) >= proof.value


@pytest.mark.parametrize(
    "path", [path for path in PROOFS if "dimy" not in path.name], ids=lambda path: path.name
)
def test_the_top_level_keeps_to_a_proved_win(path: Path) -> None:
    proof = Proof.read(path.read_bytes())
    rules = proof.rules
    tables = Tables()
    tables.add(path.read_bytes(), path.name)
    tables.add(next(command.OUT.glob(f"{rules.game}-{rules.preset}.1.*")).read_bytes())
    chance = random.Random(3)
    state, history = rules.start(), []
    for _ in range(12):
        after = rules.successors(state)
        if state[2] == proof.side and len(after) > 1:
            search = Search(rules, state, history, level=9, tables=tables)
            assert search.run()
            found = search.result()
            assert search.best == proof.reply(rules, state)
            assert found["lines"][0]["proved"] == 1
            assert found["ms"] < 500
        history.append(rules.key(state))
        number = proof.reply(rules, state)
        state = chance.choice(after) if number is None else after[number]
    start = Search(rules, rules.start(), nodes=200, lines=3, tables=tables)
    start.run()
    lines = start.result()["lines"]
    assert [line["proved"] for line in lines] == [1, None, None]
    assert Search(rules, rules.start(), level=8, tables=tables)._proofs == []


def test_a_game_that_has_strayed_is_no_proved_win() -> None:
    """A win was checked with the clocks of its own lines: who comes back to one of them later may meet the limit."""
    rules = find_rules("alquerque/table")
    known = Tables()
    for path in command.OUT.glob("alquerque-table*"):
        known.add(path.read_bytes(), path.name)
    [proof] = known.proofs(rules)
    chance = random.Random(8)
    seen = 0
    while seen < 5:
        state, keys = rules.start(), []
        for _ in range(chance.randrange(2, 30)):
            after = rules.successors(state)
            if not after:
                break
            keys.append(rules.key(state))
            number = proof.reply(rules, state)
            state = after[number] if number is not None else chance.choice(after)
        reply = proof.reply(rules, state)
        if not state[3] or reply is None or len(set(rules.successors(state))) < 2:
            continue
        if not rules.successors(state)[reply][3]:
            continue  # a capture sets the clock to 0
        seen += 1
        for history, proved in ((keys, 1), (keys[:-1], None), ([], None)):
            search = Search(rules, state, history, nodes=50, tables=known)
            search.run()
            assert search.result()["lines"][0]["proved"] == proved


def test_a_third_repetition_is_no_proved_win() -> None:
    rules = find_rules("alquerque/table")
    known = Tables()
    known.add(next(command.OUT.glob("alquerque-table-x.*")).read_bytes())
    [proof] = known.proofs(rules)
    start = rules.start()
    reply = proof.reply(rules, start)
    assert reply is not None
    key = rules.key(rules.successors(start)[reply])
    for times in (1, 2):
        search = Search(rules, start, [key] * times, nodes=50, lines=4, tables=known)
        search.run()
        text = rules.legal_moves(start)[reply].text
        [line] = [line for line in search.result()["lines"] if line["move"] == text]
        assert (line["proved"], line["score"] > 40_000) == ((1, True), (None, False))[times - 1]


def test_where_the_tables_know_no_accident_of_a_proof_counts(tables: Tables) -> None:
    """A position of the tables passes a proof's check by accident, and the reply would give the win away."""
    rules = find_rules("alquerque/table")
    state = rules.parse("o2x1/5/5/1x3/ox1x1 x 0")
    blunder = next(move for move in rules.legal_moves(state) if move.text == "b2-a2")
    replies = {key_of(rules, state): rules.legal_moves(state).index(blunder)}
    known = Tables()
    known.add(write_proof(Proof(rules.ruleset, 0, 1, 6, replies), replies))
    for path in command.OUT.glob("alquerque-table.1.*"):
        known.add(path.read_bytes())
    value, lost = tables.probe(rules, state), tables.probe(rules, blunder.after)
    assert value and lost and (value.wdl, lost.wdl) == (1, 0)
    search = Search(rules, state, level=9, tables=known, book=False)
    assert search.run()
    assert search.result()["lines"][0]["table"]["wdl"] == 1


def test_a_draw_is_told_where_both_sides_hold_it(tables: Tables) -> None:
    """Dimy: the first player's proof holds after its own move only, the second's after every move, so there is nothing
    to play for; where the second player errs there is."""
    rules = find_rules("fanorona/dimy")
    known = Tables()
    for path in PROOFS:
        if "dimy" in path.name:
            known.add(path.read_bytes(), path.name)
    for path in command.OUT.glob("fanorona-dimy.1.*"):
        known.add(path.read_bytes(), path.name)
    search = Search(rules, rules.start(), nodes=200, lines=9, tables=known)
    search.run()
    told = {line["move"]: line["proved"] for line in search.result()["lines"]}
    own = next(proof for proof in known.proofs(rules) if proof.side == 0)
    kept = rules.successors(rules.start())[own.reply(rules, rules.start()) or 0]
    for move in rules.legal_moves(rules.start()):
        assert told[move.text] == (0 if move.after == kept else None)
    best = search.result()["lines"]
    assert told[best[0]["move"]] == 0
    assert max(line["score"] for line in best) == best[0]["score"] == 0
    master = Search(rules, rules.start(), level=9, tables=known)
    assert master.run()
    assert rules.successors(rules.start())[master.best] == kept
    # The second player has erred: nothing is proved, the search is free to win.
    other = next(proof for proof in known.proofs(rules) if proof.side == 1)
    lost = rules.parse("ooooo/ooooo/2x1x/xx1xx/xxxxx x 0")
    assert not other.holds(rules, lost, known.find(rules))
    free = Search(rules, lost, nodes=200, lines=2, tables=known)
    free.run()
    assert [line["proved"] for line in free.result()["lines"]] == [None, None]


def test_a_proof_on_its_way_is_waited_for_by_thinking() -> None:
    rules = find_rules("alquerque/table")
    tables = Tables()
    book = Search(rules, rules.start(), level=9, tables=tables)
    book.run()
    assert book.result()["ms"] < 300
    tables.offer(
        '{"files": [], "proofs": [{"name": "p", "ruleset": "alquerque/table", "pieces": 6}]}'
    )
    search = Search(rules, rules.start(), level=9, tables=tables)
    assert not search.run(20)
    replies = {key_of(rules, rules.start()): 3}
    tables.add(write_proof(Proof(rules.ruleset, 0, 1, 23, replies), replies), "p")
    search.stop()
    assert (
        search.result()["lines"][0]["proved"] is None
    )  # a proof that does not go on proves nothing


# --- the compiled search ---------------------------------------------------------------------------------------------


COMPILED = [
    *(f"alquerque/{preset}" for preset in ("table", "bell", "maximum", "classic")),
    *("alquerque/doce-short", "alquerque/doce-long"),
    *("fanorona/dimy", TELO),
]


def random_state(rules: Rules, chance: random.Random, pieces: int = 0) -> State:
    """A position that need not arise in play: so many pieces, half of them of either side; or any pieces."""
    from tools.proofs.games import state_with
    from tools.proofs.sultans import SHIFT

    count = pieces or chance.randint(2, rules.board.size - 1)
    points = chance.sample(range(rules.board.size), count)
    cut = pieces // 2 or chance.randint(max(1, count - 12), min(12, count - 1))
    sets = [0, 0]
    for number, point in enumerate(points):
        mine = number < cut
        last = point // rules.board.columns == (rules.board.rows - 1 if mine else 0)
        sultan = rules.sultans and (last or chance.random() < 0.25)
        sets[not mine] |= 1 << point << SHIFT * sultan
    return state_with(rules, sets[0], sets[1], 0)


@pytest.mark.parametrize("ruleset", COMPILED)
def test_compiled_moves_are_those_of_the_rules(ruleset: str) -> None:
    pytest.importorskip("numba")
    from tools.proofs.games import moves_of, position_of, state_with
    from tools.proofs.kernel import WIDTH, foe_of, key_of, own_of, successors

    rules = find_rules(ruleset)
    moves = moves_of(rules)
    out, stack = np.zeros((WIDTH, 2), np.int64), np.zeros((32, 5), np.int64)
    chance = random.Random(ruleset)
    for _ in range(1500):
        state = random_state(rules, chance)
        own, foe = position_of(rules, state)
        assert state_with(rules, own, foe, 0) == state
        assert position_of(rules, other_side(rules, state)) == (own, foe)
        key = key_of(own, foe, 1, moves)
        assert (own_of(key, moves), foe_of(key, moves)) == (own, foe)
        assert key_of(own, foe, 0, moves) not in (key, key_of(foe, own, 0, moves))
        found, captures = successors(own, foe, moves, out, stack)
        after = rules.generate(state)
        told = [(int(a), int(b)) for a, b in out[:found]]
        assert set(told) == {position_of(rules, child) for child in after}
        assert len(set(told)) == found
        assert set(told[:captures]) == {
            position_of(rules, child) for child in after if not child[3]
        }


@pytest.mark.parametrize("ruleset", COMPILED)
def test_compiled_tables_tell_what_the_tables_tell(ruleset: str, tables: Tables) -> None:
    pytest.importorskip("numba")
    from tools.proofs.games import position_of
    from tools.proofs.kernel import probe

    rules = find_rules(ruleset)
    endings = tables.find(rules)
    assert endings is not None
    probing = fewer(rules, tables, 6)
    chance = random.Random(ruleset)
    decided = 0
    while decided < 300:
        state = random_state(rules, chance)
        value = endings.probe(state)
        if value is None or (state[0] | state[1]).bit_count() > probing.most:
            continue
        own, foe = position_of(rules, state)
        counts = (state[0].bit_count(), state[1].bit_count())
        assert decode(probe(own, foe, *counts, probing)) == value
        decided += value.wdl != 0


def fewer(rules: Rules, tables: Tables, most: int):  # type: ignore[no-untyped-def]
    """The shipped tables up to some pieces, for compiled code."""
    from tools.proofs.games import tables_of

    endings = tables.find(rules)
    assert endings is not None
    known = {}
    for material, symmetries, codes in endings.unpacked():
        kept = tuple(symmetries)
        if sum(material) <= most:
            known[material] = np.frombuffer(codes, np.uint8)
    return tables_of(rules, kept, known)


@pytest.mark.parametrize("ruleset", ["alquerque/table", "fanorona/dimy", TELO])
def test_bigger_tables_agree_with_the_shipped_ones(ruleset: str, tables: Tables) -> None:
    pytest.importorskip("numba")
    from tools.proofs.bigger import solve_unit as solve_compiled

    rules = find_rules(ruleset)
    endings = tables.find(rules)
    assert endings is not None
    shipped = {
        material: np.frombuffer(codes, np.uint8) for material, _, codes in endings.unpacked()
    }
    kept = kept_symmetries(rules, samples=80)
    smaller = fewer(rules, tables, 3)
    for unit in ((2, 2), (3, 1)):
        for material, codes in solve_compiled(rules, kept, unit, smaller).items():
            assert ((codes == 0) == (shipped[material] == 0)).all()
            assert (codes & 1 == shipped[material] & 1).all()


@pytest.mark.parametrize("side", [0, 1])
def test_fanorona_telo_is_proved_from_search_to_verdict(side: int, tables: Tables) -> None:
    """From the start, with tables of four pieces: the first player wins, the second cannot."""
    pytest.importorskip("numba")
    from tools.proofs.dfpn import HELD, WON, memory
    from tools.proofs.extract import Question, extract_win, solve
    from tools.proofs.games import moves_of

    rules = find_rules(TELO)
    moves, probing = moves_of(rules), fewer(rules, tables, 4)
    question = Question(rules, rules.start(), side, moves, probing, memory(14))
    assert solve(question, 4_000) == (WON, HELD)[side]
    if side == 0:
        replies = extract_win(question, 4)
        verdict = verify(Proof(TELO, 0, 1, 4, replies), tables.find(rules))
        assert verdict.opening > len(replies)
        assert (verdict.longest or 0) >= 11


@pytest.mark.parametrize(
    ("ruleset", "attacker"),
    [
        ("alquerque/table", 0),
        ("alquerque/bell", 0),
        ("alquerque/bell", 1),
        ("alquerque/maximum", 1),
        ("fanorona/dimy", 0),
        ("alquerque/doce-short", 0),
        ("alquerque/doce-long", 1),
    ],
)
def test_small_positions_are_proved_from_search_to_verdict(
    ruleset: str, attacker: int, tables: Tables
) -> None:
    """Positions of as many pieces as the shipped tables have, searched with tables of one less, the proof with replies
    of its own for one less again: the verdict is that of the shipped tables, and the verifier accepts the proof, a
    win or a draw."""
    pytest.importorskip("numba")
    from tools.proofs.dfpn import HELD, UNSOLVED, WON, memory
    from tools.proofs.extract import Question, Unsolved, extract_win, solve
    from tools.proofs.games import moves_of
    from tools.proofs.hold import extract_draw

    rules = find_rules(ruleset)
    endings = tables.find(rules)
    assert endings is not None
    fewest = endings.most - 1
    moves, probing = moves_of(rules), fewer(rules, tables, fewest)
    chance = random.Random(6)
    verdicts = []
    while not verdicts.count(WON) or not verdicts.count(HELD):
        start = random_state(rules, chance, endings.most)
        question = Question(rules, start, attacker, moves, probing, memory(18))
        verdict = solve(question, 4_000)
        if verdict == UNSOLVED:  # a draw by long manoeuvres, which this kind of search is bad at
            continue
        value = endings.probe(start)
        assert value is not None
        wins = value.wdl == (1 if attacker == 0 else -1)
        assert (verdict == WON) == wins
        try:
            if wins:
                replies = extract_win(question, fewest - 1)
            else:
                replies = extract_draw(question, fewest - 1, nodes=4_000)
        except Unsolved:
            assert not wins
            continue
        side = attacker if wins else 1 - attacker
        proof = Proof(ruleset, side, int(wins), fewest - 1, replies)
        seen = verify(proof, endings, start=start)
        assert (seen.longest is not None) == wins
        verdicts.append(verdict)
