"""Compiles the entries of every kind of state to WebAssembly: `python tools/build_wasm.py`.

A tour through engine and solvers notes how Python calls compiled code. Numba then compiles one
function for each kind of state, which reads the arguments of any entry from a block of words;
llvmlite turns it into an object file for wasm32, and the linker of the `ziglang` wheel makes a
module of it. The modules are committed; a test says when they are older than the sources. Needs
`pip install -e '.[wasm]'`.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

# The builder's processor must leave no trace: without this its vectors are taken apart again.
if "--tour" not in sys.argv:
    os.environ["NUMBA_CPU_NAME"], os.environ["NUMBA_CPU_FEATURES"] = "generic", ""
os.environ["QUINCONCE_HOME"] = "native"

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, typeof_impl
from numba.np import arrayobj

from quinconce.kernels import compiled, webassembly

TRIPLE: Final = "wasm32-unknown-unknown"
FEATURES: Final = "+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint"
STACK_BYTES: Final = 4 << 20
BLOCK_WORDS: Final = 256
# What calls an entry in the block, so that a host need not hand on anything.
RUN: Final = """
@block = global [{words} x i64] zeroinitializer, align 64
@returned = internal global [2 x i64] zeroinitializer, align 16
define i32 @run() {{
  %status = call i32 @"{name}"(ptr @returned, ptr getelementptr (i64, ptr @returned, i64 1),
                               i64 ptrtoint (ptr @block to i64))
  ret i32 %status
}}
"""

Arguments = list[Any]  # of an entry, as plain data
Tour = dict[str, dict[str, tuple[Arguments, str]]]  # by kind of state and name


class RecordedEntry:
    """A compiled function that notes how Python calls it."""

    def __init__(self, function: Callable[..., Any], tour: Tour) -> None:
        self.name = webassembly.entry_name(function)
        self.dispatcher = compiled.compiled(function)
        self.tour = tour
        self.__wrapped__ = function

    def __call__(self, *arguments: Any) -> Any:
        result = self.dispatcher(*arguments)
        kind = state_kind(arguments) or current_kind[0]
        described = [describe(argument) for argument in arguments]
        known = self.tour.setdefault(kind, {}).setdefault(
            self.name, (described, describe_result(result))
        )
        assert known[0] == described, f"{self.name}: {known[0]} and {described}"
        return result


current_kind: Final = [""]  # of the part of the tour that is under way


@typeof_impl.register(RecordedEntry)  # type: ignore[untyped-decorator]
def _(value: RecordedEntry, context: Any) -> Any:
    """Compiled code calls the compiled function itself."""
    return numba.typeof(value.dispatcher)


def is_state(value: Any) -> bool:
    """Whether a value is the state of a kernel."""
    return isinstance(value, tuple) and type(value).__name__.endswith("State")


def state_kind(arguments: Sequence[Any]) -> str | None:
    """The kind of state that a function is called with."""
    return next((type(value).__name__ for value in arguments if is_state(value)), None)


def describe(value: Any) -> Any:
    """An argument as plain data: a kind of number, of array, or a tuple of either."""
    if isinstance(value, tuple):
        return [f"{type(value).__module__}:{type(value).__qualname__}", *map(describe, value)]
    if isinstance(value, np.ndarray):
        return f"{value.dtype.name} {value.ndim}"
    return "float" if isinstance(value, float) else "int"


def describe_result(value: Any) -> str:
    """What an entry returns, as `webassembly.Entry` has it."""
    if value is None:
        return "none"
    if is_state(value):
        return "state"
    if isinstance(value, tuple):
        return str(len(value))
    if isinstance(value, bool | np.bool_):
        return "bool"
    return "float" if isinstance(value, float) else "int"


def tour() -> Tour:
    """How Python calls compiled code in every kind of state, found by doing everything once."""
    found: Tour = {}
    recorded: Any = lambda function: RecordedEntry(function, found)  # noqa: E731
    compiled.entry = recorded
    from quinconce.core.registry import game_forms, menu_names
    from quinconce.engine.preparation import search_kind
    from quinconce.kernels.kernel import kernel_for

    visited: set[Any] = set()
    for name in menu_names():
        for game in game_forms(name):
            kind = search_kind(game)
            if kind not in visited:
                visited.add(kind)
                current_kind[0] = type(kernel_for(game).encode(game.start())).__name__
                visit(game, many_sides=kind[1])
    return found


def visit(game: Any, many_sides: bool) -> None:
    """Do everything once that the modules are for, in one form of a game."""
    from quinconce.core.claim import Claim
    from quinconce.core.match import Match
    from quinconce.engine.problem_setting import hardest_move
    from quinconce.engine.solved import has_win_in_one
    from quinconce.engine.weights import evaluation_weights
    from quinconce.engine.winning_chances import solve_chances
    from quinconce.kernels import calls
    from quinconce.kernels.kernel import kernel_for, random_playouts
    from quinconce.solvers.endgames.tables import most_pieces, solve_table
    from quinconce.solvers.proofs.prover import Prover

    kernel = kernel_for(game)
    state, rows = kernel.encode(game.start()), kernel.new_rows(1)[0]
    for function in vars(calls).values():
        if isinstance(function, RecordedEntry):
            example = {
                "state": state,
                "after": state,
                "out": rows,
                "weights": evaluation_weights(kernel),
            }
            names = function.__wrapped__.__code__.co_varnames
            count = function.__wrapped__.__code__.co_argcount
            if "predecessors" not in function.name:
                function(*(example.get(name, 1) for name in names[:count]))
    kernel.perft(game.start(), 2)
    random_playouts(state, rows, 1, 1, 4)
    for seed in range(4):
        visit_match(random_match(game, seed), random.Random(seed))
    if not many_sides:
        prover = Prover(Claim(game, game.start(), 0, 3), 1.0)
        prover.search_slice(state, 3)
        prover.search_slice(state, 3, wide=True)
        has_win_in_one(state)
        solve_chances(game)  # those in a file would be read
        hardest_move(Match(game), random.Random(0))
        if most_pieces(game):
            solve_table(game, 3)


def random_match(game: Any, seed: int) -> Any:
    """A match of some random moves, and of a few that take it back to where it was."""
    from quinconce.core.match import Match

    match, chance = Match(game), random.Random(seed)
    for _ply in range(8 * seed):
        if not match.outcome():
            match.play(chance.choice(sorted(match.legal())))
    return match


def visit_match(match: Any, chance: random.Random) -> None:
    """Search a match, with what is proved and without, and tell what is found."""
    from quinconce.engine.levels import level_by_number
    from quinconce.engine.limits import Limits
    from quinconce.engine.move_choice import pick_move
    from quinconce.engine.move_values import known_moves
    from quinconce.engine.preparation import new_search

    if match.outcome():
        return
    for use_proofs in (False, True):
        search = new_search(match, Limits(nodes=2000), use_proofs=use_proofs)
        for _depth in range(3):
            search.deepen(2)
        search.lines(2)
        search.warm_up()
    if len(match.game.sides) == 2:
        known_moves(match)
    for level in (5, 10):
        pick_move(
            match,
            level_by_number(level, match.game.form_id),
            chance,
            0.05 if level == 10 else None,
            1,
        )


def array_maker(kind: Any) -> Any:
    """A function of compiled code: the array of this kind at an address, with its shape."""

    @intrinsic  # type: ignore[untyped-decorator]
    def array_at(context: Any, address: Any, shape: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = arrayobj.make_array(kind)(context, builder)
            lengths = cgutils.unpack_tuple(builder, arguments[1])
            item = context.get_constant(types.intp, kind.dtype.bitwidth // 8)
            strides = [item]
            for length in reversed(lengths[1:]):
                strides.insert(0, builder.mul(strides[0], length))
            pointer = builder.inttoptr(arguments[0], context.get_data_type(kind.dtype).as_pointer())
            arrayobj.populate_array(
                array, data=pointer, shape=lengths, strides=strides, itemsize=item, meminfo=None
            )
            return array._getvalue()

        return kind(types.int64, types.UniTuple(types.int64, kind.ndim)), generate

    return array_at


class BlockReader:
    """Writes the source of a function that reads the arguments of an entry from the block."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {
            "words_at": array_maker(types.int64[::1]),
            "floats_at": array_maker(types.float64[::1]),
        }
        self.lines = [
            "def entry(address):",
            f"    words = words_at(address, ({BLOCK_WORDS},))",
            f"    floats = floats_at(address, ({BLOCK_WORDS},))",
            "    number = words[0]",
        ]
        self.word = 0

    def next_word(self) -> int:
        """The place of the next word of the block."""
        self.word += 1
        assert self.word < BLOCK_WORDS
        return self.word

    def argument(self, described: Any) -> str:
        """An argument, as the source of what reads it."""
        if isinstance(described, list):
            place, *fields = described
            module, _colon, name = place.partition(":")
            self.names[name] = (
                getattr(import_module(module), name) if module != "builtins" else tuple
            )
            given = ", ".join(map(self.argument, fields))
            return f"{name}({given})" if module != "builtins" else f"({given},)"
        if described in ("int", "float"):
            return f"{'words' if described == 'int' else 'floats'}[{self.next_word()}]"
        item, axes = described.split()
        name = f"{item}_{axes}"
        self.names[name] = array_maker(types.Array(getattr(types, item), int(axes), "C"))
        address, *shape = (f"words[{self.next_word()}]" for _number in range(1 + int(axes)))
        return f"{name}({address}, ({', '.join(shape)},))"

    def add(self, number: int, name: str, arguments: Arguments, result: str, fields: int) -> None:
        """Add an entry."""
        module, _dot, function = name.rpartition(".")
        self.names[f"f{number}"] = getattr(import_module(f"quinconce.{module}"), function)
        self.word = 0
        call = f"f{number}({', '.join(map(self.argument, arguments))})"
        self.lines.append(f"    {'elif' if number else 'if'} number == {number}:")
        if result == "none":
            self.lines.append(f"        {call}")
        elif result in ("int", "bool", "float"):
            self.lines.append(f"        {'floats' if result == 'float' else 'words'}[0] = {call}")
        else:
            self.lines.append(f"        r{number} = {call}")
            for place in range(fields if result == "state" else int(result)):
                self.lines.append(f"        words[{place}] = r{number}[{place}]")

    def compile(self) -> tuple[str, str]:
        """The function in LLVM's language, and what it is called there."""
        exec("\n".join(self.lines), self.names)  # noqa: S102 (written above)
        entry = numba.njit(**compiled.OPTIONS, no_cpython_wrapper=True)(self.names["entry"])
        entry.compile((types.int64,))
        (made,) = entry.overloads.values()
        return str(made.library._final_module), made.fndesc.llvm_func_name


def object_file(text: str, path: Path) -> None:
    """Write a module of LLVM's language as an object file for wasm32."""
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        opt=3, features=FEATURES, reloc="static"
    )
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{machine.target_data}"', text)
    text = re.sub(r'target triple = ".*"', f'target triple = "{TRIPLE}"', text)
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    text = re.sub(r"= common ([a-z_]* ?)global", r"= internal \1global", text)
    module = llvm.parse_assembly(text)
    module.verify()
    path.write_bytes(machine.emit_object(module))


def without_place(code: bytes) -> bytes:
    """A module that does not tell where it was built: errors name the files of their sources."""
    place = f"{Path(webassembly.__file__).parents[2]}/".encode()
    return code.replace(place, b"." * (len(place) - 1) + b"/")


def build(kind: str, entries: dict[str, tuple[Arguments, str]]) -> None:
    """Write the module of a kind of state."""
    reader = BlockReader()
    fields = next(
        len(argument) - 1
        for arguments, _result in entries.values()
        for argument in arguments
        if isinstance(argument, list) and argument[0].endswith(f":{kind}")
    )
    for number, (name, (arguments, result)) in enumerate(entries.items()):
        reader.add(number, name, arguments, result, fields)
    text, name = reader.compile()
    target = webassembly.module_path(kind)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "module.o")
        object_file(text + RUN.format(words=BLOCK_WORDS, name=name), path)
        exports = [f"--export={name}" for name in ("run", "block", "__heap_base")]
        linker = ["-m", "ziglang", "wasm-ld", "--no-entry", "--strip-all", "--gc-sections"]
        stack = ["--stack-first", "-z", f"stack-size={STACK_BYTES}"]
        command = [sys.executable, *linker, *stack, *exports, str(path), "-o", str(target)]
        subprocess.run(command, check=True)  # noqa: S603 (our own)
    target.write_bytes(without_place(target.read_bytes()))
    target.chmod(0o644)
    sys.stdout.write(f"{target.name}: {target.stat().st_size} bytes, {len(entries)} entries\n")


def ask_for_tour() -> Tour:
    """The tour, made in a process that compiles for its own processor."""
    own = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_CPU")}
    asked = [sys.executable, __file__, "--tour"]
    heard = subprocess.run(asked, env=own, check=True, stdout=subprocess.PIPE)  # noqa: S603
    found: Tour = json.loads(heard.stdout)
    return found


def main() -> None:
    """Write every module anew, and the interface; a tour that was kept in a file saves time."""
    if sys.argv[1:] == ["--tour"]:
        sys.stdout.write(json.dumps(tour()))
        return
    found = json.loads(Path(sys.argv[1]).read_text()) if sys.argv[1:] else ask_for_tour()
    # The memory of a module is a sandbox, and the same code is checked natively in every test.
    compiled.OPTIONS.update(boundscheck=False, cache=False)
    from quinconce.core.registry import game_forms, menu_names
    from quinconce.kernels.kernel import kernel_for
    from quinconce.kernels.module_sources import module_digest

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    for name in menu_names():  # a stub knows the implementations that were there when it was met
        kernel_for(game_forms(name)[0])
    webassembly.MODULES_FOLDER.mkdir(exist_ok=True)
    modules = {}
    for kind, entries in sorted(found.items()):
        ordered = dict(sorted(entries.items()))
        build(kind, ordered)
        modules[kind] = {
            "digest": module_digest(kind, list(ordered)),
            "entries": [[name, *entry] for name, entry in ordered.items()],
        }
    compiler = f"numba {numba.__version__} {os.environ['NUMBA_CPU_NAME']}"
    text = json.dumps({"compiler": compiler, "modules": modules}, separators=(",", ":"))
    webassembly.INTERFACE_FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
