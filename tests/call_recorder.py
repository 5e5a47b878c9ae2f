"""The recorder of `tests.journeys`: writes each call of a function of our packages to a file.

A journey starts its processes with this file as `sitecustomize`, so every Python process of the journey imports it. All
processes append to one file. A line has the time (monotonic, nanoseconds), the process and the function, with the
position of its first call: the number of times that the stack changes from one module of ours to another, and whether
a module is being imported.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from types import CodeType, FrameType

PACKAGES = ("validator", "carddb", "api", "deckproof")
_IS_FUNCTION = 1  # the flag CO_OPTIMIZED, which bodies of modules and classes lack


def record_calls(path: str) -> None:
    """Record the calls of this process, of its threads and of the processes it forks."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    names: dict[int, bytes] = {}
    codes: list[CodeType] = []  # of `names`, which an id stands for while the code exists

    def record(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            name = names.get(id(code := frame.f_code))  # the hash of a code is that of all its constants
            if name is None:
                name = names[id(code)] = _function_name(frame)
                codes.append(code)
            if name:
                os.write(file, b"%d %d %s\n" % (time.monotonic_ns(), os.getpid(), name))

    threading.setprofile(record)
    sys.setprofile(record)
    atexit.register(sys.setprofile, None)  # the interpreter clears the names that `record` uses


def _function_name(frame: FrameType) -> bytes:
    """Return `depth is_import module:function:line` of a function's first call, or b"" if the function is not ours.

    A comprehension is no function: later Pythons do not call it. Nor is a method that dataclasses generate, such as
    `__init__`: it has no source that anybody reads.
    """
    code, module = frame.f_code, frame.f_globals.get("__name__", "")
    if not (_is_ours(module) and code.co_flags & _IS_FUNCTION) or code.co_name.endswith(("comp>", "genexpr>")):
        return b""
    if code.co_filename.startswith("<"):
        return b""
    depth, is_import = _position(frame)
    return f"{depth} {is_import:d} {module}:{code.co_qualname}:{code.co_firstlineno}".encode()


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in PACKAGES


def _position(frame: FrameType) -> tuple[int, bool]:
    """Return the number of our modules in the stack, and True if one of them is being imported."""
    depth, is_import, module = 0, False, ""
    caller: FrameType | None = frame
    while caller is not None:
        name = caller.f_globals.get("__name__", "")
        if name != module and _is_ours(name):
            module, depth = name, depth + 1
        if caller.f_code.co_name == "<module>" and name != "__main__":
            is_import = True
        caller = caller.f_back
    return depth, is_import


if _path := os.environ.get("DECKPROOF_RECORDED_CALLS"):
    record_calls(_path)
