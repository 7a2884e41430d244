"""What the library Click says by itself, marked so that our catalogues hold it."""

from gettext import ngettext
from typing import Final

from quinconce.core.phrase import _

CLICK_PHRASES: Final = (
    _("Usage:"),
    _("Options"),
    _("Commands"),
    _("Show this message and exit."),
    _("Show the version and exit."),
    _("default: {default}"),
    _("required"),
    _("Missing command."),
    _("Missing argument"),
    _("Missing option"),
    _("Missing parameter"),
    _("Invalid value: {message}"),
    _("Invalid value for {param_hint}: {message}"),
    _("No such command {name!r}."),
    _("No such option {name!r}."),
    _("No such option: {name}"),
    _("Option {name!r} does not take a value."),
    _("{value!r} is not a valid {number_type}."),
    _("{value} is not in the range {range}."),
    _("Choose from:\n\t{choices}"),
    _("Could not open file {filename!r}: {message}"),
    _("unknown error"),
    ngettext(
        "Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments.", 1
    ),
    ngettext("{value!r} is not {choice}.", "{value!r} is not one of {choices}.", 1),
    ngettext(
        "Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})", 1
    ),
    ngettext("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)", 1),
)
