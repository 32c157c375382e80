# SPDX-License-Identifier: 0BSD
"""Predict what a run costs, report what calls took, and test growth.

    import foretime

    foretime.predict("solve", n=512)["value"]           # seconds of a typical run
    foretime.predict("solve", n=[512, 1024]).value      # many sizes: arrays, .frame() for pandas
    foretime.fit([1000, 2000, 4000], [1.0, 2.1, 4.2])   # a model of measured values
    foretime.build("solve", ["./solve", "{n}"], n=(64, 4096))
    foretime.plot("solve", resource="memory")           # a picture, which notebooks show
    with foretime.timed("solve", n=512):                # how long it takes is reported
        solve(512)

    @foretime.model(n=len)                              # each call is recorded: total.predict(n=10**6)
    def total(values): ...

    @foretime.at_most("n log n", n=(1000, 64000))       # a test of growth
    def test_sort(n): ...

predict of one size queries a manager (foretime-serve(1)) if one runs, and otherwise the command foretime: the answer is
the same. Arrays and fits need the library (libforetime0). submit, and timed, append a line to a file that a manager takes
in, now or when it starts again. Model reads a file of knots, and needs neither:

    model = foretime.Model("/var/lib/foretime/knots/solve.knots")
    model.ask(n=512).upper_s

Dispatch has the table of the devices, or implementations, of a program, and chooses by it at each call:

    where = foretime.Dispatch("solve")
    device, sure = where.choose(n=512)

An Error has the sentence of foretime, and what to do in its member remedy.
"""

import bisect
import collections
import contextlib
import errno
import http.client
import json
import math
import os
import re
import socket
import stat
import subprocess
import threading
import time
import urllib.parse

from foretime._library import (Error, Fit, Picture, Predictions, Undecided, _scalar, at_most, build, failure, fit, import_,
                               model, plot, predict_many, program)

__all__ = ["Cost", "Dispatch", "Error", "Fit", "Model", "Picture", "Predictions", "Undecided", "at_most", "build", "fit", "import_",
           "model", "plot", "predict", "submit", "timed"]


class _Manager(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=10)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def _absolute(variable):
    """A folder that the environment names; None: none, or one that depends on where we stand."""
    path = os.environ.get(variable, "")
    return path if path.startswith("/") else None


def _socket_path():
    if os.environ.get("FORETIME_MANAGER"):
        return os.environ["FORETIME_MANAGER"]
    if _absolute("XDG_RUNTIME_DIR"):
        return os.path.join(_absolute("XDG_RUNTIME_DIR"), "foretime", "manager.sock")
    folder = "/tmp/foretime-%d" % os.geteuid()
    try:
        found = os.lstat(folder)
    except OSError:
        return None
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        return None  # anybody can make one there, and answer in it
    return os.path.join(folder, "manager.sock")


def _ask_manager(name, options, sizes):
    path = _socket_path()
    if not path:
        return None
    query = [(key, value) for key, value in options.items()]
    query += [("size." + key, repr(float(value))) for key, value in sizes.items()]
    manager = _Manager(path)
    try:
        manager.request("GET", "/predict/%s?%s" % (urllib.parse.quote(name), urllib.parse.urlencode(query)))
        answer = manager.getresponse()
        told = json.loads(answer.read())
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return None  # nobody answers there: the command does
    finally:
        manager.close()
    if not isinstance(told, dict) or not told.get("predictions" if answer.status == 200 else "error"):
        return None  # nor is that an answer
    if answer.status != 200:
        raise Error(str(told["error"]), str(told.get("remedy") or ""))
    return told


def _ask_command(name, options, sizes):
    command = program()
    if not command:
        raise Error("no manager answers, and the command foretime is not on PATH")
    words = ["%s=%r" % (key, float(value)) for key, value in sizes.items()]
    words += ["--%s=%s" % (key, value) for key, value in options.items()]
    done = subprocess.run([command, "predict", "--json", name] + words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise failure(done.stderr)
    return json.loads(done.stdout)


def predict(name, resource="wall_s", confidence=0.9, **sizes):
    """What a run of `name` at a size takes: a dict with value, lower, upper, accuracy, basis, ..., in SI units. If a size is
    an array, a list or a Series: Predictions, by the library, from the store of this user."""
    if not all(map(_scalar, sizes.values())):
        return predict_many(name, resource, confidence, sizes)
    options = {"resource": resource, "confidence": confidence}
    told = _ask_manager(name, options, sizes) or _ask_command(name, options, sizes)
    return told["predictions"][0]


def _spool():
    if os.environ.get("FORETIME_SPOOL"):
        return os.environ["FORETIME_SPOOL"]
    home = os.path.expanduser("~")
    state = _absolute("XDG_STATE_HOME") or (os.path.join(home, ".local/state") if home.startswith("/") else None)
    if not state:
        raise Error("no folder for timings: set FORETIME_SPOOL, or HOME")
    return os.path.join(state, "foretime", "spool")


class _File:
    """The file of this process, as foretime-client.h has it: its number is never given back while it is ours, for
    another thread's open would get it; whether it is ours is seen before each line."""

    def __init__(self):
        self._lock = threading.Lock()
        self._fd = -1
        self._pid = self._which = None
        self._torn = False
        os.register_at_fork(after_in_child=self._forked)

    def _forked(self):
        self._lock = threading.Lock()  # a thread that the child has not may hold the other

    def _look(self):
        """Whether the number is ours, and the file still in its folder."""
        try:
            found = os.fstat(self._fd)
        except OSError:
            return False, False
        return (found.st_dev, found.st_ino) == self._which, found.st_nlink > 0

    def _begin(self, ours):
        folder = _spool()
        os.makedirs(folder, 0o700, exist_ok=True)
        path = "%s.%d.%d.jsonl" % (socket.gethostname(), os.getpid(), time.time_ns())
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open(os.path.join(folder, path), flags, 0o600)
        found = os.fstat(fd)
        if ours:
            os.dup2(fd, self._fd, inheritable=False)
            os.close(fd)
        else:
            self._fd = fd
        self._pid, self._which, self._torn = os.getpid(), (found.st_dev, found.st_ino), False

    def append(self, line):
        with self._lock:
            ours, there = self._look()
            if not (ours and there) or self._torn or self._pid != os.getpid():
                self._begin(ours)
            written = os.write(self._fd, line)
            self._torn = written < len(line)
            if self._torn:  # behind half a line another file is begun
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


_file = _File()


def submit(name, wall_s, device=None, **sizes):
    """A call of `name` at a size, on one of its devices where it has them, took wall_s seconds. An OSError: it could
    not be written, the disk is full."""
    if not (wall_s > 0 and all(math.isfinite(value) for value in (wall_s, *sizes.values()))):
        raise ValueError("a time is positive, and all numbers are finite")
    line = {"name": name, "at": time.time(), "size": {key: float(value) for key, value in sizes.items()}, "wall_s": wall_s}
    if device:
        line["device"] = device
    _file.append((json.dumps(line) + "\n").encode())


@contextlib.contextmanager
def timed(name, **sizes):
    """What is done within took as long as it does; an exception is no timing."""
    began = time.perf_counter()
    yield
    submit(name, time.perf_counter() - began, **sizes)


Cost = collections.namedtuple("Cost", "typical_s upper_s bytes")
Cost.__doc__ = "What a run takes, what to ask for, and the memory to ask for; None: it is not known."


class Dispatch:
    """Which device of a program a size should run on, as ft_device_choose says it in C: the same table, read once.

    The table is asked of the command, or read from a file of what `foretime device table NAME --json` printed (path):
    then nothing of foretime has to be there. least is time, energy or a resource; watts leaves out devices that need
    more power; powers are those of the machine, for energy that nobody measured: ["infr=60,core=8", "gpu:device=150"]."""

    def __init__(self, name=None, least="time", watts=None, path=None, powers=()):
        try:
            with (open(path, encoding="utf-8") if path else contextlib.nullcontext()) as file:
                table = json.load(file) if path else self._ask(name, least, watts, powers)
            self._take(table)
        except OSError as error:
            raise Error("cannot read '%s': %s" % (path, error.strerror)) from error
        except (ValueError, KeyError, TypeError, IndexError, ArithmeticError, RecursionError) as error:
            raise Error("'%s' is no table of devices: foretime device table NAME --json prints one"
                        % (path or name)) from error

    @staticmethod
    def _ask(name, least, watts, powers):
        command = program()
        if not command:
            raise Error("the command foretime is not on PATH: keep its table in a file, and give its path")
        words = [command, "device", "table", "--json", "--least=" + least + (",watts=%r" % watts if watts else "")]
        words += ["--powers=" + stated for stated in powers]
        done = subprocess.run(words + [name], capture_output=True, text=True, check=False)
        if done.returncode:
            raise failure(done.stderr)
        return json.loads(done.stdout)

    def _take(self, table):
        if table["schema"] != "foretime-device-1" or table["action"] != "table":
            raise ValueError("another table")
        self.name, self.parameters = str(table["name"]), tuple(map(str, table["parameters"]))
        self._range = [(float(least), float(most)) for least, most in zip(table["from"], table["to"])]
        self._axis = None if table["axis"] is None else self.parameters.index(table["axis"])
        self._sure = [float(chance) for chance in table["sure"]]
        self._nodes = []
        for at, node in enumerate(table["nodes"]):
            leaf = node["param"] is None
            param = None if leaf else self.parameters.index(node["param"])
            if not leaf and not all(type(node[way]) is int and at < node[way] < len(table["nodes"]) for way in ("below", "above")):
                raise ValueError("no tree")
            edge = None if leaf else float(node["edge"])
            self._nodes.append((param, edge, node["below"], node["above"], str(node["device"]), float(node["sure"])))
        if not self._nodes or len(self._range) != len(self.parameters) or (self._axis is not None and len(self._sure) < 2):
            raise ValueError("not whole")
        numbers = [bound for bounds in self._range for bound in bounds] + self._sure
        numbers += [node[1] for node in self._nodes if node[0] is not None] + [node[5] for node in self._nodes]
        if not all(map(math.isfinite, numbers)):
            raise ValueError("no numbers")
        if self._axis is not None and not 0 < self._range[self._axis][0] < self._range[self._axis][1]:
            raise ValueError("no axis")

    @property
    def devices(self):
        """The devices that are chosen somewhere."""
        return sorted({node[4] for node in self._nodes if node[0] is None})

    def choose(self, **sizes):
        """(device, sure): the chance that no other one is better; 0 outside of the sizes that it was made for, where
        the nearest says which."""
        if sizes.keys() != set(self.parameters):
            raise Error("'%s' is chosen by %s" % (self.name, ", ".join(self.parameters)))
        values = [float(sizes[name]) for name in self.parameters]
        if not all(map(math.isfinite, values)):
            raise ValueError("all sizes are finite")
        node = self._nodes[0]
        while node[0] is not None:
            node = self._nodes[node[2] if values[node[0]] < node[1] else node[3]]
        if not all(least <= value <= most for value, (least, most) in zip(values, self._range)):
            return node[4], 0.0
        return node[4], node[5] if self._axis is None else self._sure_at(values[self._axis])

    def _sure_at(self, value):
        least, most = self._range[self._axis]
        at = math.log(value / least) / math.log(most / least) * (len(self._sure) - 1)
        below = min(max(int(at), 0), len(self._sure) - 2)
        return self._sure[below] + (at - below) * (self._sure[below + 1] - self._sure[below])

    def report(self, device, wall_s, **sizes):
        """What a call took there; a manager takes it in."""
        submit(self.name, wall_s, device=device, **sizes)


_FILE_MOST = 1 << 21
_NUMBER = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)


def _number(text):
    """Digits alone, not all that float takes."""
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise ValueError("no number")
    return value


def _name(text, room):
    if not 0 < len(text.encode("utf-8", "replace")) < room:
        raise ValueError("no name")
    return text


class Model:
    """A file that `foretime export NAME --format knots` made (foretime-export(1), KNOTS), as foretime-fetch.h reads
    it: one that is broken, too old or of another version is an Error; again() reads one that took its place."""

    def __init__(self, path):
        self._path = path
        self._read()

    def _read(self):
        try:
            # A pipe would have us wait.
            with open(self._path, encoding="utf-8", errors="replace", newline="\n",
                      opener=lambda path, flags: os.open(path, flags | os.O_NONBLOCK)) as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode):
                    raise Error("cannot read '%s': it is no file" % self._path)
                text = file.read(_FILE_MOST)
        except OSError as error:
            raise Error("cannot read '%s': %s" % (self._path, error.strerror)) from error
        self._which = found.st_dev, found.st_ino, found.st_mtime_ns
        first, _, rest = text.partition("\n")
        if not first.startswith("foretime-knots "):
            raise Error("'%s' is no file of knots" % self._path)
        if first != "foretime-knots 1":
            raise Error("'%s' is of another version" % self._path)
        try:
            if found.st_size >= _FILE_MOST or not rest.endswith("\n") or "\0" in rest:
                raise ValueError("not whole")
            self._take(rest[:-1].split("\n"))
        except (ValueError, KeyError) as error:
            raise Error("'%s' is no whole file of knots" % self._path) from error
        self._check_age()

    def _take(self, lines):
        """As foretime-fetch.h does, line by line: a file is one for both, or for neither."""
        fixed, sizes, costs = {}, [], []
        said = {"program": "", "made": 0.0, "expires": 0.0, "risk": math.nan, "cpus": None}
        end = None
        for line in lines:
            word, blank, rest = line.partition(" ")
            if not blank:
                continue
            if end is not None:
                raise ValueError("after the end")
            if word == "knot":
                at, *cost = rest.split(" ")
                sizes.append(_number(at))
                if len(cost) != len(Cost._fields):
                    raise ValueError("no knot")
                costs.append(Cost(*(None if part == "-" else _number(part) for part in cost)))
            elif word == "fixed":
                name, _, value = rest.rpartition(" ")
                fixed.setdefault(_name(name, 64), -_number(value[1:]) if value[:1] == "-" else _number(value))
            elif word in ("program", "parameter"):
                said[word] = _name(rest, 64 if word == "parameter" else 1024)
            elif word in said:
                said[word] = _number(rest)
            elif word == "end":
                end = _number(rest)
        if len(sizes) != end or not 0 < len(sizes) <= 16384 or not sizes[0] > 0:
            raise ValueError("not whole")
        if any(a >= b for a, b in zip(sizes, sizes[1:])) or len(fixed) > 16 or max(said["made"], said["expires"]) >= 9e15:
            raise ValueError("no such knots")
        self.program, self.parameter, self.fixed = said["program"], said["parameter"], fixed
        self.made, self.expires, self.risk, self.cpus = (said[word] for word in ("made", "expires", "risk", "cpus"))
        self._sizes, self._costs = sizes, costs

    def _check_age(self):
        if not self.expires > time.time():
            raise Error("'%s' is older than it was to be believed" % self._path)

    def _gone(self):
        """Who took it away does not want it believed; the same file may come back."""
        self.expires, self._which = -math.inf, None

    def again(self):
        """Read it anew where the file is another one than it was; whether it is."""
        try:
            found = os.stat(self._path)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR):
                self._gone()
            raise Error("cannot read '%s': %s" % (self._path, error.strerror)) from error
        if not stat.S_ISREG(found.st_mode):
            self._gone()
        if (found.st_dev, found.st_ino, found.st_mtime_ns) == self._which:
            return False
        before = dict(self.__dict__)
        try:
            self._read()
        except Error:
            which = self._which
            self.__dict__.update(before)  # what is no good is passed over
            self._which = which
            raise
        return True

    def ask(self, **sizes):
        """The Cost of a size; None where nothing is known: it is larger than what is, or not above 0."""
        self._check_age()
        value = sizes.pop(self.parameter, None)
        if value is None or any(key not in self.fixed or not math.isclose(self.fixed[key], other, rel_tol=1e-12)
                                for key, other in sizes.items()):
            raise Error("'%s' is of '%s'%s" % (self._path, self.parameter, "".join(
                ", where %s is %g" % pair for pair in self.fixed.items())))
        if not 0 < value <= self._sizes[-1]:
            return None
        at = bisect.bisect_left(self._sizes, value)
        if at == 0 or self._sizes[at] == value:
            return self._costs[at]
        left, right = math.log(self._sizes[at - 1]), math.log(self._sizes[at])
        share = (math.log(value) - left) / (right - left)
        return Cost(*(self._between(a, b, share) for a, b in zip(self._costs[at - 1], self._costs[at])))

    @staticmethod
    def _between(left, right, share):
        if left is None or right is None:
            return None
        if left > 0 and right > 0:
            return math.exp((1 - share) * math.log(left) + share * math.log(right))
        return left + share * (right - left)
