# SPDX-License-Identifier: 0BSD
"""What needs the library libforetime, or runs the command: arrays, fits, builds, imports and decorators."""
from __future__ import annotations

import csv
import ctypes
import functools
import gc
import html
import importlib
import inspect
import json
import math
import os
import shutil
import subprocess
import sysconfig
import tempfile
import time
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union


class Error(Exception):
    """A question without an answer: a sentence; remedy has what to do, and may be empty."""

    def __init__(self, text: str, remedy: str = ""):
        super().__init__(text + (": " + remedy if remedy else ""))
        self.remedy = remedy


# The library through ctypes. The structs are those of include/foretime: base.h, facts.h, model.h.


class _Err(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * 512), ("remedy", ctypes.c_char * 512)]


class _Size(ctypes.Structure):
    _fields_ = [("n", ctypes.c_size_t), ("value", ctypes.c_double * 8)]


class _Prediction(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("value", "lower", "upper", "known")]
    _fields_ += [("level", ctypes.c_int), ("basis", ctypes.c_int), ("distance", ctypes.c_double)]
    _fields_ += [(name, ctypes.c_size_t) for name in ("runs", "limits", "zeros")]


class _Machine(ctypes.Structure):  # the rest is the library's
    _fields_ = [("id", ctypes.c_int64), ("fingerprint", ctypes.c_char_p), ("rest", ctypes.c_char * 512)]


class _Resource(ctypes.Structure):  # only read
    _fields_ = [("name", ctypes.c_char_p), ("unit", ctypes.c_char_p)]


_READ = 1  # FT_STORE_READ
_P = ctypes.c_void_p
_FUNCTIONS = {
    "ft_store_open": (ctypes.POINTER(_P), ctypes.c_char_p, ctypes.c_uint),
    "ft_store_find_machine": (_P, ctypes.c_char_p, ctypes.POINTER(ctypes.c_int64)),
    "ft_machine_read": (ctypes.c_char_p, ctypes.POINTER(_Machine)),
    "ft_ask_open": (ctypes.POINTER(_P), _P, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int64),
    "ft_ask_find": (_P, ctypes.c_char_p, ctypes.POINTER(ctypes.POINTER(_Resource))),
    "ft_ask_size": (_P, ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.c_double), ctypes.c_size_t,
                    ctypes.POINTER(_Size)),
    "ft_ask_predict": (_P, ctypes.POINTER(_Resource), ctypes.POINTER(_Size), ctypes.c_double,
                       ctypes.POINTER(_Prediction)),
    "ft_model_fit_xy": (ctypes.POINTER(_P), ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double),
                        ctypes.c_size_t),
    "ft_model_predict": (_P, ctypes.POINTER(_Size), ctypes.c_double, ctypes.c_double, ctypes.POINTER(_Prediction)),
}


_WHEEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libforetime.so.0")  # a wheel has it there


def program() -> Optional[str]:
    """The command: that of our wheel, of whose environment nothing need be on PATH, or the one on PATH."""
    own = os.path.join(sysconfig.get_path("scripts"), "foretime")
    return own if os.path.exists(_WHEEL) and os.access(own, os.X_OK) else shutil.which("foretime")


@functools.lru_cache(maxsize=None)
def _library() -> ctypes.CDLL:
    name = os.environ.get("FORETIME_LIBRARY") or (_WHEEL if os.path.exists(_WHEEL) else "libforetime.so.0")
    try:
        library = ctypes.CDLL(name)
        for function, types in _FUNCTIONS.items():
            getattr(library, function).argtypes = (*types, ctypes.POINTER(_Err))
        for function in ("ft_store_close", "ft_ask_close", "ft_model_free"):
            getattr(library, function).argtypes = (_P,)
            getattr(library, function).restype = None
        library.ft_machine_clear.argtypes = (ctypes.POINTER(_Machine),)
        library.ft_machine_clear.restype = None
        library.ft_basis_text.argtypes, library.ft_basis_text.restype = (ctypes.c_int,), ctypes.c_char_p
    except (OSError, AttributeError) as error:
        raise Error("cannot load the library of foretime: %s" % error,
                    "install libforetime0, or set FORETIME_LIBRARY=PATH") from error
    return library


def _call(name: str, *arguments: Any) -> None:
    err = _Err()
    if getattr(_library(), name)(*arguments, ctypes.byref(err)):
        raise Error(err.text.decode(errors="replace"), err.remedy.decode(errors="replace"))


# Arrays.


def _scalar(value: Any) -> bool:
    return not hasattr(value, "__len__") or isinstance(value, (str, bytes))


def _array(values: list) -> Any:
    try:
        import numpy
    except ImportError:
        return values
    return numpy.asarray(values)


class Predictions:
    """Predictions at many sizes: value, lower, upper and accuracy are arrays of numpy where it is installed, otherwise
    lists, in the unit `unit`; NaN: not known. sizes has an array for each parameter, basis a word for each size."""

    def __init__(self, name: str, resource: str, unit: str, confidence: float, sizes: Mapping[str, Sequence[float]],
                 rows: Iterable[tuple], index: Any = None, kind: Optional[str] = None):
        self.name, self.resource, self.unit, self.confidence = name, resource, unit, confidence
        self.sizes = {key: _array(list(values)) for key, values in sizes.items()}
        self._index, self._kind = index, kind
        columns = list(zip(*rows)) or [()] * 5
        self.value, self.lower, self.upper, self.accuracy = (_array(list(column)) for column in columns[:4])
        self.basis = list(columns[4])

    def __len__(self) -> int:
        return len(self.basis)

    def _columns(self) -> dict:
        return {**self.sizes, "value": self.value, "lower": self.lower, "upper": self.upper,
                "accuracy": self.accuracy, "basis": self.basis}

    def frame(self, kind: Optional[str] = None) -> Any:
        """A DataFrame of pandas, with the index of the sizes if these were a Series; kind="polars": one of polars, also if the
        sizes were a Series of polars, or if pandas is not installed."""
        kind = kind or self._kind
        for name in [kind] if kind else ["pandas", "polars"]:
            try:
                frames = importlib.import_module(name)
            except ImportError:
                continue
            return frames.DataFrame(self._columns(), **({"index": self._index} if name == "pandas" else {}))
        raise Error("%s is not installed" % (kind or "pandas"), "pip install %s" % (kind or "pandas"))

    def __repr__(self) -> str:
        return "<Predictions of %s of %s at %d sizes, in %s>" % (self.resource, self.name, len(self), self.unit or "1")

    def _repr_html_(self) -> str:
        columns = self._columns()
        unit = " (%s)" % self.unit if self.unit else ""
        heads = [key + (unit if key in ("value", "lower", "upper") else "") for key in columns]
        rows = ["".join("<td>%s</td>" % html.escape(cell if isinstance(cell, str) else "%.4g" % cell) for cell in row)
                for row in list(zip(*columns.values()))[:50]]
        if len(self) > len(rows):
            rows.append("<td colspan=%d>... %d more</td>" % (len(columns), len(self) - len(rows)))
        return "<table><caption>%s: %s</caption><tr>%s</tr>%s</table>" % (
            html.escape(self.name), html.escape(self.resource), "".join("<th>%s</th>" % html.escape(h) for h in heads),
            "".join("<tr>%s</tr>" % row for row in rows))


def _polars(values: Iterable) -> Optional[str]:
    return next(("polars" for value in values if type(value).__module__.split(".")[0] == "polars"), None)


def _row(p: _Prediction) -> tuple:
    return p.value, p.lower, p.upper, p.known, _library().ft_basis_text(p.basis).decode()


def _aligned(sizes: Mapping[str, Any]) -> dict:
    """The same number of values for each parameter; a single value stands for all."""
    lengths = {len(value) for value in sizes.values() if not _scalar(value)}
    if len(lengths) != 1:
        raise ValueError("the arrays of sizes have different lengths: %s" % sorted(lengths))
    length = lengths.pop()
    return {key: [float(value)] * length if _scalar(value) else [float(each) for each in value]
            for key, value in sizes.items()}


def predict_many(name: str, resource: Optional[str], confidence: float, sizes: Mapping[str, Any],
                 store: Optional[str] = None) -> Predictions:
    """What predict returns for arrays: one opening of the store, and a call of the library for each size."""
    columns = _aligned(sizes)
    index = next((value.index for value in sizes.values() if hasattr(value, "index") and hasattr(value, "iloc")), None)
    opened, models, machine, found = _P(), _P(), _Machine(), ctypes.POINTER(_Resource)()
    here, size, answer, rows = ctypes.c_int64(0), _Size(), _Prediction(), []
    names = (ctypes.c_char_p * len(columns))(*(key.encode() for key in columns))
    library = _library()
    try:
        _call("ft_store_open", ctypes.byref(opened), store.encode() if store else None, _READ)
        _call("ft_machine_read", b"", ctypes.byref(machine))
        try:
            _call("ft_store_find_machine", opened, machine.fingerprint, ctypes.byref(here))
        except Error:
            here.value = 0  # the store has no runs of this machine: those of its only other one answer
        _call("ft_ask_open", ctypes.byref(models), opened, name.encode(), None, here)
        _call("ft_ask_find", models, resource.encode() if resource else None, ctypes.byref(found))
        for values in zip(*columns.values()):
            _call("ft_ask_size", models, names, (ctypes.c_double * len(values))(*values), len(values), ctypes.byref(size))
            _call("ft_ask_predict", models, found, ctypes.byref(size), confidence, ctypes.byref(answer))
            rows.append(_row(answer))
        return Predictions(name, found[0].name.decode(), found[0].unit.decode(), confidence, columns, rows, index,
                           _polars(sizes.values()))
    finally:
        library.ft_ask_close(models)
        library.ft_store_close(opened)
        library.ft_machine_clear(ctypes.byref(machine))


class Fit:
    """A model of values over one parameter; see fit."""

    def __init__(self, x: Sequence[float], y: Sequence[float], name: str = "n", unit: str = ""):
        if len(x) != len(y):
            raise ValueError("x has %d values and y %d" % (len(x), len(y)))
        self.name, self.unit, self.runs = name, unit, len(x)
        self._model = _P()
        Array = ctypes.c_double * len(x)
        _call("ft_model_fit_xy", ctypes.byref(self._model), Array(*map(float, x)), Array(*map(float, y)), len(x))

    def __del__(self) -> None:
        if getattr(self, "_model", None):
            _library().ft_model_free(self._model)

    def predict(self, x: Any, confidence: float = 0.9) -> Union[dict, Predictions]:
        """A dict with value, lower, upper, accuracy and basis; Predictions for an array."""
        answer, rows = _Prediction(), []
        for value in [x] if _scalar(x) else x:
            size = _Size(1, (float(value),))
            _call("ft_model_predict", self._model, ctypes.byref(size), 1.0, confidence, ctypes.byref(answer))
            rows.append(_row(answer))
        if _scalar(x):
            return dict(zip(("value", "lower", "upper", "accuracy", "basis"), rows[0]))
        return Predictions("fit", "y", self.unit, confidence, {self.name: [float(value) for value in x]}, rows,
                           getattr(x, "index", None) if hasattr(x, "iloc") else None, _polars([x]))

    def __repr__(self) -> str:
        return "<Fit of %d runs over %s>" % (self.runs, self.name)


def fit(x: Sequence[float], y: Sequence[float], name: str = "n", unit: str = "") -> Fit:
    """A model of measured values y at sizes x.

    >>> model = fit([1000, 2000, 4000, 8000], [1.0, 2.0, 4.0, 8.0])
    >>> round(model.predict(3000)["value"], 2)
    3.0
    >>> model.predict([1000, 3000])
    <Predictions of y of fit at 2 sizes, in 1>
    """
    return Fit(x, y, name, unit)


# The command: what starts processes or writes the store.


def failure(words: str) -> Error:
    """The error that the command printed, with its hint as the remedy."""
    error = Error(words.strip())
    error.remedy = "; ".join(line[6:] for line in words.splitlines() if line.startswith("hint: "))
    return error


def _command(*words: str, good: Sequence[int] = (0,)) -> subprocess.CompletedProcess:
    command = program()
    if not command:
        raise Error("the command foretime is not on PATH", "install foretime (doc/install.md)")
    done = subprocess.run([command, *words], capture_output=True, text=True, check=False)
    if done.returncode not in good:
        raise failure(done.stderr or "foretime ended with status %d" % done.returncode)
    return done


def _range(value: Any) -> str:
    if isinstance(value, tuple) and len(value) == 2:
        return "%r:%r" % value
    return str(value) if _scalar(value) else ",".join("%r" % each for each in value)


def _options(options: Mapping[str, Any]) -> list:
    """budget="10s" is --budget=10s, quiet=True is --quiet, least_runs=3 is --least-runs=3."""
    return ["--" + key.replace("_", "-") + ("" if value is True else "=%s" % value)
            for key, value in options.items() if value not in (None, False)]


def build(name: str, command: Sequence[str], sizes: Optional[Mapping[str, Any]] = None,
          options: Optional[Mapping[str, Any]] = None, **more: Any) -> dict:
    """Measure a command, in which {n} stands for the size, and keep its models; returns what `foretime build --json`
    prints. A size is a pair (smallest, largest), a list, or a text as the command takes it:

        foretime.build("sort", ["./sort", "{n}"], n=(1000, 64000), options={"budget": "10s"})
    """
    ranges = ["%s=%s" % (key, _range(value)) for key, value in {**(sizes or {}), **more}.items()]
    return json.loads(_command("build", name, *ranges, "--json", "--quiet", *_options(options or {}), "--", *command,
                               good=(0, 1)).stdout)


def import_(source: Any, name: Optional[str] = None, params: Sequence[str] = (), **options: Any) -> dict:
    """Take recorded runs into the store: the path of a file, in a format of foretime-import(1), or a DataFrame of pandas or polars
    with a column for each parameter and each resource (wall_s, ...). params: the parameters, if there is another than n. Returns what `foretime import --json` prints."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, (name or "frame") + ".csv")
        if hasattr(source, "to_csv"):
            source.to_csv(path, index=False)
            source = path
        elif hasattr(source, "write_csv"):  # polars
            source.write_csv(path)
            source = path
        return json.loads(_command("import", os.fspath(source), *params, "--json", "--quiet", *_options({"name": name, **options})).stdout)


class Picture:
    """A picture as SVG: notebooks show it."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def plot(name: str, **options: Any) -> Picture:
    """The picture of a model, as `foretime plot` draws it (with gnuplot): plot("sort", resource="memory", to="10000")."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.svg")
        _command("plot", name, "-o", path, *_options(options))
        with open(path, encoding="utf-8") as file:
            return Picture(file.read())


def _size_of(signature: inspect.Signature, where: Any, arguments: tuple, keywords: dict) -> float:
    """where is a function of the first argument, or the name of an argument."""
    bound = signature.bind(*arguments, **keywords)
    bound.apply_defaults()
    if callable(where):
        return float(where(next(iter(bound.arguments.values()))))
    value = bound.arguments[where]
    return float(value if _scalar(value) else len(value))


def model(name: Optional[str] = None, submit: Optional[Callable] = None, **sizes: Any) -> Callable:
    """Record each call of a function: its size, and how long it took. A size is a function of the first argument, or the
    name of an argument. submit=foretime.submit also reports each call to a manager.

    >>> @model(n=len)
    ... def total(values):
    ...     return sum(values)
    >>> for n in (1000, 2000, 4000):
    ...     _ = total(range(n))
    >>> [size["n"] for size, seconds in total.calls]
    [1000.0, 2000.0, 4000.0]
    >>> total.predict(n=8000)["basis"]
    'extrapolated'
    """
    def decorate(function: Callable) -> Callable:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def measured(*arguments: Any, **keywords: Any) -> Any:
            size = {key: _size_of(signature, where, arguments, keywords) for key, where in sizes.items()}
            began = time.perf_counter()
            answer = function(*arguments, **keywords)  # an exception is no timing
            seconds = time.perf_counter() - began
            measured.calls.append((size, seconds))  # type: ignore[attr-defined]
            if submit:
                submit(name or function.__name__, max(seconds, 1e-9), **size)
            return answer

        def predict(confidence: float = 0.9, **at: Any) -> Union[dict, Predictions]:
            """What a call takes, by those that were recorded."""
            if set(at) != set(sizes) or len(sizes) != 1:
                raise Error("a call is predicted by one size: %s" % ", ".join(sizes),
                            "with several, submit the calls to a manager, and use foretime.predict")
            (key, value), calls = next(iter(at.items())), measured.calls  # type: ignore[attr-defined]
            return Fit([size[key] for size, _ in calls], [seconds for _, seconds in calls], key, "s").predict(value, confidence)

        measured.calls, measured.predict = [], predict  # type: ignore[attr-defined]
        return measured
    return decorate


class Undecided(Error):
    """The measurements are too noisy to decide whether a growth is within its bound."""


def at_most(bound: str, make: Optional[Callable] = None, budget_s: float = 10.0, **sizes: Any) -> Callable:
    """A test that the cost of a function grows no faster than a bound; see GROWTH WITHIN A BOUND in foretime-verify(1).

    The parameter is a pair (smallest, largest) or a list. make(n) prepares the argument, and is not measured. If the
    function returns a number, that is the cost, such as comparisons counted; otherwise the time of the call is. AssertionError:
    it grows faster; Undecided: budget_s was spent before the noise allowed an answer.

        @foretime.at_most("n log n", make=lambda n: random.sample(range(n), n), n=(1000, 64000))
        def test_sort(values):
            sorted(values)
    """
    if len(sizes) != 1:
        raise ValueError("at_most takes one parameter: n=(1000, 64000)")
    (key, values), = sizes.items()
    if isinstance(values, tuple) and len(values) == 2:
        values = sorted({int(values[1] / 2 ** (k / 2)) for k in range(13)} - set(range(int(values[0]))))

    def decorate(function: Callable) -> Callable:
        def test() -> None:
            began, rows = time.monotonic(), []
            while True:
                for value in values:
                    argument = make(value) if make else value
                    gc.disable()
                    at = time.perf_counter()
                    cost = function(argument)
                    seconds = time.perf_counter() - at
                    gc.enable()
                    counted = isinstance(cost, (int, float)) and not isinstance(cost, bool)
                    rows.append((value, cost if counted else seconds))
                enough = counted or len(rows) >= 3 * len(values)
                spent = time.monotonic() - began > budget_s
                # Times are tested again each time that the number of runs has doubled.
                turns = len(rows) // len(values)
                if not spent and not (enough and turns & (turns - 1) == 0):
                    continue
                done = _judge(function.__name__, bound, key, "instructions" if counted else "wall_s", rows)
                words = (done.stderr + done.stdout).strip().replace("instructions", "cost")
                if done.returncode == 0:
                    return
                if done.returncode == 1:
                    raise AssertionError(words)
                if counted or spent:
                    raise Undecided(words)

        functools.update_wrapper(test, function)
        del test.__wrapped__  # a test has no arguments: pytest would look for fixtures
        return test
    return decorate


def _judge(name: str, bound: str, key: str, resource: str, rows: Sequence[tuple]) -> subprocess.CompletedProcess:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "runs.csv")
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([(key, resource), *rows])
        return _command("verify", name, "--at-most", bound, "--replay", path, "-r", resource,
                        "--store", os.path.join(folder, "store.db"), good=(0, 1, 2))
