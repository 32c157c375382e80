## SPDX-License-Identifier: GPL-3.0-or-later
## python/foretime.py: the same answer from the command and from a manager; timings are taken in.
$ foretime import in/cubic.csv --name cubic >/dev/null

$ cat >ask.py <<'END'
> import sys
> sys.dont_write_bytecode = True
> sys.path.insert(0, sys.argv[1] + "/python")
> import foretime
> if sys.argv[2] == "predict":
>     try:
>         print(foretime.predict(sys.argv[3], n=300)["value"])
>     except foretime.Error as error:
>         print("refused:", error)
> else:
>     for n in range(1, 21):
>         foretime.submit("solve", n * 1e-3, n=100 * n)
>     with foretime.timed("solve", n=5):
>         pass
> END

$ export FORETIME_MANAGER=m.sock; python3 ask.py "$FORETIME_TEST_SOURCE" predict cubic >one; python3 ask.py "$FORETIME_TEST_SOURCE" predict nothing
refused: foretime: the store '<<.*>>' has no program 'nothing'
hint: the nearest name is 'cubic'; foretime list tells all

$ FORETIME_SPOOL=spool python3 ask.py "$FORETIME_TEST_SOURCE" submit; foretime manager --socket m.sock --spool spool >/dev/null 2>&1 & echo $! >pid
> for i in 1 2 3 4 5 6 7 8 9; do [ -S m.sock ] || sleep 0.2; done

$ export FORETIME_MANAGER=m.sock; python3 ask.py "$FORETIME_TEST_SOURCE" predict cubic | diff - one

$ export FORETIME_MANAGER=m.sock; python3 ask.py "$FORETIME_TEST_SOURCE" predict nothing
refused: the store '<<.*>>' has no program 'nothing': the nearest name is 'cubic'; foretime list tells all

$ for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do foretime list --names | grep -q solve || sleep 0.2; done; kill "$(cat pid)"; foretime list solve --json | grep -E '"(runs|sizes)"'
      "runs": 21,
      "sizes": 21,

## what is no answer is none: the command answers
$ cat >odd.py <<'END'
> import socket, sys
> server = socket.socket(socket.AF_UNIX)
> server.bind("odd.sock")
> server.listen()
> for body in (b"[]", b"null", b"7", b"{}", b"no JSON", b'{"predictions": []}', b"[" * 100000):
>     for status in (200, 404):
>         visitor = server.accept()[0]
>         visitor.recv(65536)
>         visitor.sendall(b"HTTP/1.1 %d x\r\nContent-Length: %d\r\n\r\n" % (status, len(body)) + body)
>         visitor.close()
> END

$ python3 odd.py & for i in 1 2 3 4 5 6 7 8 9; do [ -S odd.sock ] || sleep 0.2; done; export FORETIME_MANAGER=odd.sock
> for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do python3 ask.py "$FORETIME_TEST_SOURCE" predict cubic | diff - one; done; wait

## folders that depend on where we stand, or that others made
$ cat >folders.py <<'END'
> import os, sys
> sys.dont_write_bytecode = True
> sys.path.insert(0, sys.argv[1] + "/python")
> import foretime
> for name in "FORETIME_MANAGER", "FORETIME_SPOOL":
>     os.environ.pop(name, None)
> os.environ["HOME"] = "/home/x"
> print(foretime._spool() if os.environ.update(XDG_STATE_HOME="state") is None else "")
> print(foretime._spool() if os.environ.update(XDG_STATE_HOME="/state") is None else "")
> os.environ["XDG_RUNTIME_DIR"] = "/run/me"
> print(foretime._socket_path())
> os.environ["XDG_RUNTIME_DIR"] = "run"
> user = 3000000000 + os.getpid()
> os.geteuid = lambda: user
> print("none:", foretime._socket_path())
> folder = "/tmp/foretime-%d" % user
> os.mkdir(folder)
> print("of another user:", foretime._socket_path())
> os.rmdir(folder)
> user = os.getuid()
> os.geteuid = lambda: user
> lstat, os.lstat = os.lstat, lambda path: lstat(".")
> print("ours:", foretime._socket_path() == "/tmp/foretime-%d/manager.sock" % user)
> os.symlink(".", "link")
> os.lstat = lambda path: lstat("link")
> print("a link:", foretime._socket_path())
> END
> python3 folders.py "$FORETIME_TEST_SOURCE"
/home/x/.local/state/foretime/spool
/state/foretime/spool
/run/me/foretime/manager.sock
none: None
of another user: None
ours: True
a link: None

## a disk that is full, a number that another file got, a file that was removed, children and threads
$ cat >full.py <<'END'
> import glob, json, os, resource, sys, threading
> sys.dont_write_bytecode = True
> sys.path.insert(0, sys.argv[1] + "/python")
> import foretime
> os.environ["FORETIME_SPOOL"] = "full"
> foretime.submit("solve", 1.5, n=0)
> told = 1
> fd = foretime._file._fd
> most = resource.getrlimit(resource.RLIMIT_FSIZE)
> resource.setrlimit(resource.RLIMIT_FSIZE, (os.fstat(fd).st_size + 10, most[1]))
> try:
>     while told < 100:
>         foretime.submit("solve", 1.5, n=told)
>         told += 1
> except OSError as error:
>     print(error.strerror)
> resource.setrlimit(resource.RLIMIT_FSIZE, most)
> foretime.submit("solve", 1.5, n=told)
> print("the same number:", fd == foretime._file._fd, os.get_inheritable(fd))
> os.close(fd)
> other = os.open("other", os.O_RDWR | os.O_CREAT)
> foretime.submit("solve", 1.5, n=told)
> print("another's number:", fd == other, os.fstat(other).st_size)
> os.close(other)
> def lines():
>     return sum(line.endswith("}\n") for path in glob.glob("full/*") for line in open(path))
> print("all there:", lines() == told + 2)
> for path in glob.glob("full/*"):
>     os.unlink(path)
> many = [threading.Thread(target=lambda: [foretime.submit("solve", 1, n=n) for n in range(200)]) for i in range(4)]
> for thread in many:
>     thread.start()
> for i in range(5):
>     child = os.fork()
>     if not child:
>         foretime.submit("solve", 1, n=i)
>         os._exit(0)
>     os.waitpid(child, 0)
> for thread in many:
>     thread.join()
> print(lines(), "lines in", len(os.listdir("full")), "files")
> END
> python3 -W ignore full.py "$FORETIME_TEST_SOURCE"
No space left on device
the same number: True False
another's number: True 0
all there: True
805 lines in 6 files
