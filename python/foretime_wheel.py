# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the wheel of foretime: module, library, command, service and manual pages, compiled by meson (PEP 517).

It needs nothing of Python's packages, and no network: what C needs is installed as for any build (doc/install.md). meson-python
has no place for programs that are not on PATH (libexec); in the data of a wheel they are where the command looks for them.
"""
import base64
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sysconfig
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
VERSION = re.search(r"^  version: '(.*)'", (TOP / "meson.build").read_text(encoding="utf-8"), re.M).group(1)
METADATA = """Metadata-Version: 2.1
Name: foretime
Version: %s
Summary: Predict what a run costs before you start it
License: GPL-3.0-or-later
Requires-Python: >=3.9
Description-Content-Type: text/markdown

""" % VERSION


def _run(*words, **more):
    # pip hides packages of Python from what it starts, meson's own too.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(words, check=False, env={**environment, **more}, stdout=subprocess.PIPE)
    if done.returncode:
        raise SystemExit("%s\n%s failed" % (done.stdout.decode(errors="replace")[-4000:], " ".join(words[:2])))
    return done.stdout


def _installed(folder):
    """The tree of an installation."""
    build = os.path.join(folder, "build")
    _run("meson", "setup", build, str(TOP), "--prefix=/usr", "--libdir=lib", "--libexecdir=libexec", "--sysconfdir=/etc",
         "--buildtype=release", "-Dexamples=disabled")
    targets = [name for target in json.loads(_run("meson", "introspect", "--targets", build)) if target["installed"]
               for name in target["filename"]]
    _run("ninja", "-C", build, *(os.path.relpath(name, os.path.realpath(build)) for name in targets))
    _run("meson", "install", "-C", build, "--no-rebuild", "--strip", DESTDIR=os.path.join(folder, "root"))
    return Path(folder, "root", "usr")


def _files(usr):
    """Pairs of a path in the wheel, and the file."""
    data = "foretime-%s.data/" % VERSION
    yield from (("foretime/" + path.name, path) for path in (TOP / "python/foretime").iterdir() if path.is_file())
    yield "foretime/libforetime.so.0", (usr / "lib/libforetime.so.0").resolve()
    yield data + "scripts/foretime", usr / "bin/foretime"
    for folder in ("libexec/foretime", "share/man", "share/bash-completion", "share/zsh", "share/fish"):
        yield from ((data + "data/" + str(path.relative_to(usr)), path) for path in (usr / folder).rglob("*") if path.is_file())


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    tag = "py3-none-" + re.sub("[-.]", "_", sysconfig.get_platform())
    info, name = "foretime-%s.dist-info/" % VERSION, "foretime-%s-%s.whl" % (VERSION, tag)
    at = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())), 315532800))[:6]
    record = []
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as wheel:
        def add(path, content, mode=0o644):
            entry = zipfile.ZipInfo(path, at)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
            wheel.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append((path, "sha256=" + digest, len(content)))

        for path, file in sorted(_files(_installed(folder))):
            add(path, file.read_bytes(), 0o755 if os.access(file, os.X_OK) else 0o644)
        add(info + "METADATA", (METADATA + (TOP / "README.md").read_text(encoding="utf-8")).encode())
        add(info + "LICENSE", (TOP / "LICENSE").read_bytes())
        add(info + "WHEEL", ("Wheel-Version: 1.0\nGenerator: foretime\nRoot-Is-Purelib: false\nTag: %s\n" % tag).encode())
        rows = io.StringIO()
        csv.writer(rows, lineterminator="\n").writerows([*record, (info + "RECORD", "", "")])
        add(info + "RECORD", rows.getvalue().encode())
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = "foretime-" + VERSION
    files = _run("git", "-C", str(TOP), "ls-files", "-z").decode().split("\0") if (TOP / ".git").exists() else [
        str(path.relative_to(TOP)) for path in TOP.rglob("*") if path.is_file() and path.relative_to(TOP).parts[0] not in ("out", "build")]
    with tarfile.open(os.path.join(sdist_directory, name + ".tar.gz"), "w:gz") as archive:
        for file in sorted(filter(None, files)):
            archive.add(TOP / file, "%s/%s" % (name, file), recursive=False)
        entry = tarfile.TarInfo(name + "/PKG-INFO")
        entry.size = len(METADATA)
        archive.addfile(entry, io.BytesIO(METADATA.encode()))
    return name + ".tar.gz"
