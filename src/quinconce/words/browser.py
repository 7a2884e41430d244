"""The phrases of the browser modules; a page hands them over in its language."""

from __future__ import annotations

from typing import Final

from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.words.voice import Voice

# A name in braces is filled in by the browser.
BROWSER_PHRASES: Final = {
    # The board.
    "picked": _("Picked up: {place}. Places to go: {n}."),
    "places_to_go": ngettext("({n} place)", "({n} places)", None),
    "one_more": _("Chosen: {place}. Now touch the next place."),
    "go_on": _("The move goes on: touch the next place."),
    "let_go": _("Selection cancelled."),
    "complete": _("Touch {place} once more to stop there, or go on."),
    "no_move_here": _("{place}: nothing here can be played now."),
    "choose_place": _("Now touch a place on the board."),
    "waiting_for": _("It is not your turn."),
    "playing": _("Playing {move}…"),
    # Whose turn.
    "your_turn": _("Your turn"),
    "your_turn_now": _("Your turn."),
    "your_turn_as": _("Your turn: {player}."),
    "turn_of": _("{player} to move"),
    "thinking": _("{player} is thinking…"),
    "you": _("you"),
    "engine": _("Engine (level {level})"),
    "player": _("Player {n}"),
    "away": _("not here"),
    "not_come": _("has not joined yet"),
    "lent": _("the engine plays for now"),
    "team": _("team {n}"),
    "taken_back": _("Moves were taken back."),
    # Moves.
    "looking_back": _("After move {n} ({move})"),
    "at_start": _("Before the first move"),
    "move_number": _("Move {n}: {move}"),
    "hint": _("A good move: {move}"),
    "proved": _("Proven: {words}."),
    "end": _("The game is over."),
    "proof_comes": _("Looking it up…"),
    "not_proved": _("Nothing is proven here."),
    "hint_comes": _("The engine is thinking…"),
    # Pictures to share.
    "share_drawing": _("Drawing…"),
    "share_curve": _("The curve of the game (SVG)"),
    # The review of a game.
    "review_progress": ngettext(
        "Reviewing: {n} of {of} moves…", "Reviewing: {n} of {of} moves…", None
    ),
    "review_errors": ngettext("{n} error so far.", "{n} errors so far.", None),
    "review_failed": _("The review could not be finished."),
    "no_mistakes": _("No mistakes: well played!"),
    "percent": _("{n}%"),
    "mistakes_of": _("Show the mistakes of {player}"),
    "curve_value": _("After move {ply} of {of}, expected for {player}: {percent}"),
    "curve_own": _("Your expected score"),
    "curve_whose": _("Expected score: {player}"),
    "practice": _("{player} played {move}. Find a better move."),
    "practice_own": _("You played {move}. Find a better move."),
    "practice_end": ngettext(
        "{found} of {n} mistake found.", "{found} of {n} mistakes found.", None
    ),
    "next_mistake": _("Next mistake"),
    "first_mistake": _("First mistake"),
    "finish_practice": _("Finish"),
    # What people ask of each other.
    "asks_stop": _("{player} offers a draw."),
    "asks_takeback": _("{player} would like to take a move back."),
    "asks_hints": _("{player} would like hints to be allowed."),
    "asks_engine": _("{player} would like the engine to play for {about}."),
    "asks_rematch": _("{player} would like a rematch."),
    "asked_stop": _("You have offered a draw."),
    "asked_takeback": _("You have asked to take a move back."),
    "asked_hints": _("You have asked for hints to be allowed."),
    "asked_engine": _("You have asked for the engine to play for {about}."),
    "asked_rematch": _("You have asked for a rematch."),
    "resigning": _("{player} would like to resign; the partner has to agree."),
    "does_not_agree": _("{player} said no."),
    "agree": _("Agree"),
    "refuse": _("Refuse"),
    "withdraw": _("Withdraw"),
    "back": _("Take my seat back"),
    "lend": _("Let the engine play for {player}"),
    "go_rematch": _("Go to the rematch"),
    "deleted": _("The match has been deleted."),
    # Links.
    "copied": _("Copied."),
    "link_for": _("Link for {player}"),
    "new_link": _("Make a link"),
    "rotate": _("Make a new link; all others stop working"),
    "rotated": _("The earlier links no longer work."),
    "copy": _("Copy"),
    "reach_machine": _(
        "This link works only on this machine. To invite somebody on another one, "
        "start the server with «./run --share»."
    ),
    "reach_network": _("This link works for everybody on your network."),
    "reach_world": _("This link works everywhere."),
    "secret": _("Whoever opens this link takes the seat: send it to one person only."),
    "link_wrong": _("This is not a link to a match on this server."),
    "seated": _("You’ve joined. Have a good game!"),
    "table_link": _("Invite your friends"),
    "table_note": _("Send this one link to everybody: each picks a free seat."),
    "seat_links": _("A link for each seat"),
    "table_choose": _("Choose where you sit:"),
    "table_full": _("All seats are taken: you can watch."),
    # Set-up.
    "me": _("me"),
    "here": _("somebody on this device"),
    "friend": _("a friend, by a link"),
    "robot": _("the engine"),
    "seat_n": _("Player {n}: {plays}"),
    "your_name": _("name"),
    "no_such_form": _("There are no rules for this combination: choose another."),
    # The connection.
    "lost": _("The connection is lost; trying again…"),
    "move_not_sent": _("Your move {move} has not been sent."),
    "not_sent": _("What you did has not been sent."),
    "send_again": _("Send again"),
    "discard": _("Discard"),
    "discard_move": _("Discard this move"),
    "unreachable": _("The server does not answer. Is it still running?"),
    "stale": _("The match has gone on meanwhile."),
    # Puzzles.
    "puzzle": _("Puzzle {n} of {of}, grade {grade}"),
    "puzzle_of_day": _("Puzzle of the day, grade {grade}"),
    "puzzle_of_run": _("{rules}, grade {grade}"),
    "puzzle_open": _("Puzzle {n}"),
    "puzzle_solved": _("Puzzle {n}, solved"),
    "progress": ngettext(
        "{n} of {of} solved in this browser", "{n} of {of} solved in this browser", None
    ),
    "streak": ngettext(
        "{n} puzzle in a row at the first try (best: {best})",
        "{n} puzzles in a row at the first try (best: {best})",
        None,
    ),
    "begins_here": _("Look at {place}."),
    "pass": _("Pass"),
    "judging": _("Looking at your move…"),
    "solved": _("Solved!"),
    "solution": _("This is the solution."),
    # Lessons.
    "lesson_place": _("{lesson} · {number} / {of}"),
    "lesson_skip": _("Skip this step"),
    "lesson_next": _("Next"),
    "lesson_end": _("All lessons"),
    "lesson_go_on": _("Go on"),
    "lesson_done": _("{title}, done"),
    "lesson_answer": _("For example {move}."),
    "lesson_only_answer": _("Play {move}."),
    "lesson_progress": ngettext(
        "Lessons: {n} of {of} steps done", "Lessons: {n} of {of} steps done", None
    ),
    # Analysis.
    "mark_good": _("good move"),
    "mark_mistake": _("mistake"),
    "mark_brilliant": _("excellent move"),
    "mark_blunder": _("blunder"),
    "mark_interesting": _("interesting move"),
    "mark_dubious": _("dubious move"),
    "variations_of": _("Instead of {move}"),
    "study": _("Study"),
    "study_saved": _("Saved."),
    "study_unsaved": _("Changes are not saved yet."),
    "study_secret_wrong": _("This link does not let you edit the study: you may read it."),
    "board_added": _("Board {n} was added."),
    "board_deleted": _("The board was deleted."),
    "note_start": _("Note on the start"),
    "note_move": _("Note on {move}"),
    "bar_score": _("{player}: expected score {n}%"),
    "engine_depth": _("Depth {depth} · positions searched: {nodes}…"),
    "engine_done": _("Depth {depth} · positions searched: {nodes}"),
    "engine_depth_here": _(
        "Depth {depth} · positions searched: {nodes}, {speed} a second · on this device…"
    ),
    "engine_done_here": _(
        "Depth {depth} · positions searched: {nodes}, {speed} a second · on this device"
    ),
    "play_move": _("Play {move}: {words}"),
    "moves_proven": ngettext("{n} move with a proven value", "{n} moves with a proven value", None),
    "moves_open": ngettext("{n} move is open", "{n} moves are open", None),
    "fair_play": _(
        "This game between people is still going on: no engine and no proven results until it ends."
    ),
    "editor_how": _("Choose a piece, then touch places; touch one again to take it off."),
    "editor_possible": _("This position is possible."),
    "editor_impossible": _("Impossible: {why}."),
    "editor_take_off": _("take off"),
    "link_broken": _("The variations in this link cannot be read: it has been cut or changed."),
    "link_too_long": _(
        "Copied, but only the line on show: the whole tree is too large for a link. "
        "Save it as a file or as a study."
    ),
    # Pages without a server.
    "ok": _("OK"),
    "device_loading": _("Getting the board ready…"),
    "device_failed": _("This did not work. Load the page again, with a network if you can."),
    "keep_offer": _("Keep Quinconce on this device ({n} MB to download)"),
    "keep_working": _("Keeping it…"),
    "keep_done": _("Quinconce is kept on this device: it works without a network."),
    "keep_failed": _("It could not be kept: the network or the room on this device is short."),
    "keep_insecure": _(
        "Everything works here, but it cannot be kept for use without a network: "
        "browsers keep only what comes by https."
    ),
    "keep_refused": _(
        "Everything works here, but it cannot be kept for use without a network: "
        "this window keeps nothing, as private windows do."
    ),
    "version_new": _("There is a new version of Quinconce."),
    "version_use": _("Use it"),
    "import_done": _("The file was taken in."),
    "import_wrong": _("This is not a file that Quinconce has saved."),
    # Records.
    "read": ngettext("{n} move read.", "{n} moves read.", None),
    "days_left": _("{n} d {h} h"),
}


def browser_phrases(say: Voice) -> dict[str, str | dict[str, str]]:
    """Every phrase in a language; one that counts has a text for each plural form."""
    return {name: browser_phrase(say, phrase) for name, phrase in BROWSER_PHRASES.items()}


def browser_phrase(say: Voice, phrase: Phrase) -> str | dict[str, str]:
    """A phrase that the browser fills in; the keys are those of Intl.PluralRules."""
    if phrase.plural is None:
        return say(phrase)
    forms = {"one": 1, "other": 2}
    return {form: say.ngettext(phrase.template, phrase.plural, n) for form, n in forms.items()}
