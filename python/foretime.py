# SPDX-License-Identifier: 0BSD
"""Ask foretime what a run will cost, and tell it what calls took.

    import foretime

    foretime.predict("solve", n=512)["value"]       # seconds of a typical run
    with foretime.timed("solve", n=512):            # what it takes is told
        solve(512)

predict asks a manager (foretime-manager(1)) where one runs, and the command foretime where none does: the answer is
the same. submit, and timed, append a line to a file that a manager takes in, now or when it is begun again.
"""

import contextlib
import http.client
import json
import math
import os
import shutil
import socket
import subprocess
import time
import urllib.parse

__all__ = ["Error", "predict", "submit", "timed"]


class Error(Exception):
    """What foretime says when it cannot answer: a sentence, and what to do."""


class _Manager(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=10)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def _socket_path():
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if os.environ.get("FORETIME_MANAGER"):
        return os.environ["FORETIME_MANAGER"]
    if runtime:
        return os.path.join(runtime, "foretime", "manager.sock")
    return "/tmp/foretime-%d/manager.sock" % os.geteuid()


def _ask_manager(name, options, sizes):
    query = [(key, value) for key, value in options.items()]
    query += [("size." + key, repr(float(value))) for key, value in sizes.items()]
    manager = _Manager(_socket_path())
    try:
        manager.request("GET", "/predict/%s?%s" % (urllib.parse.quote(name), urllib.parse.urlencode(query)))
        answer = manager.getresponse()
        told = json.loads(answer.read())
    except (OSError, http.client.HTTPException, ValueError):
        return None  # nobody answers there: the command does
    finally:
        manager.close()
    if answer.status != 200:
        raise Error(": ".join(filter(None, (told.get("error"), told.get("remedy")))))
    return told


def _ask_command(name, options, sizes):
    command = shutil.which("foretime")
    if not command:
        raise Error("no manager answers, and the command foretime is not on PATH")
    words = ["%s=%r" % (key, float(value)) for key, value in sizes.items()]
    words += ["--%s=%s" % (key, value) for key, value in options.items()]
    done = subprocess.run([command, "predict", "--json", name] + words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Error(done.stderr.strip())
    return json.loads(done.stdout)


def predict(name, resource="wall_s", confidence=0.9, **sizes):
    """What a run of `name` at a size takes: a dict with value, lower, upper, known, basis, ..., in SI units."""
    options = {"resource": resource, "confidence": confidence}
    told = _ask_manager(name, options, sizes) or _ask_command(name, options, sizes)
    return told["predictions"][0]


_file = [0, -1]  # of which process, and where it writes


def _spool():
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return os.environ.get("FORETIME_SPOOL") or os.path.join(state, "foretime", "spool")


def submit(name, wall_s, **sizes):
    """A call of `name` at a size took wall_s seconds."""
    if not (wall_s > 0 and all(math.isfinite(value) for value in (wall_s, *sizes.values()))):
        raise ValueError("a time is positive, and all numbers are finite")
    if _file[0] != os.getpid():
        folder = _spool()
        os.makedirs(folder, 0o700, exist_ok=True)
        path = "%s.%d.%d.jsonl" % (socket.gethostname(), os.getpid(), time.time_ns())
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        _file[:] = os.getpid(), os.open(os.path.join(folder, path), flags, 0o600)
    line = {"name": name, "at": time.time(), "size": {key: float(value) for key, value in sizes.items()}, "wall_s": wall_s}
    os.write(_file[1], (json.dumps(line) + "\n").encode())


@contextlib.contextmanager
def timed(name, **sizes):
    """What is done within took as long as it does; an exception is no timing."""
    began = time.perf_counter()
    yield
    submit(name, time.perf_counter() - began, **sizes)
