## SPDX-License-Identifier: GPL-3.0-or-later
## python/foretime: the same answer from the command and from a manager; timings are taken in.
$ foretime import in/cubic.csv --name cubic >/dev/null

$ cat >ask.py <<'END'
> import sys
> sys.dont_write_bytecode = True
> sys.path.insert(0, sys.argv[1] + "/python")
> import foretime
> if sys.argv[2] == "predict":
>     for turn in range(int(sys.argv[4]) if len(sys.argv) > 4 else 1):
>         try:
>             print(foretime.predict(sys.argv[3], n=300)["value"])
>         except foretime.Error as error:
>             print("refused:", error)
> else:
>     for n in range(1, 21):
>         foretime.submit("solve", n * 1e-3, n=100 * n)
>     with foretime.timed("solve", n=5):
>         pass
> END

$ export FORETIME_MANAGER=m.sock; python3 ask.py "$FORETIME_TEST_SOURCE" predict cubic >one; python3 ask.py "$FORETIME_TEST_SOURCE" predict nothing
refused: foretime: the store '<<.*>>' has no program 'nothing'
hint: foretime list shows the names that there are

$ FORETIME_SPOOL=spool python3 ask.py "$FORETIME_TEST_SOURCE" submit; foretime manager --socket m.sock --spool spool >/dev/null 2>&1 & echo $! >pid
> until [ -S m.sock ]; do sleep 0.1; done

$ export FORETIME_MANAGER=m.sock; python3 ask.py "$FORETIME_TEST_SOURCE" predict cubic | diff - one

$ export FORETIME_MANAGER=m.sock; python3 ask.py "$FORETIME_TEST_SOURCE" predict nothing
refused: the store '<<.*>>' has no program 'nothing': foretime list shows the names that there are

$ until foretime list --format names | grep -q solve; do sleep 0.1; done; kill "$(cat pid)"; foretime list solve --json | grep -E '"(runs|sizes)"'
      "runs": 21,
      "sizes": 21,

## what is no answer is none: the command answers
$ cat >odd.py <<'END'
> import os, socket, sys
> server = socket.socket(socket.AF_UNIX)
> server.bind("odd.part")
> server.listen()
> os.rename("odd.part", "odd.sock")
> for body in (b"[]", b"null", b"7", b"{}", b"no JSON", b'{"predictions": []}', b"[" * 100000):
>     for status in (200, 404):
>         visitor = server.accept()[0]
>         visitor.recv(65536)
>         visitor.sendall(b"HTTP/1.1 %d x\r\nContent-Length: %d\r\n\r\n" % (status, len(body)) + body)
>         visitor.close()
> END

$ python3 odd.py & until [ -S odd.sock ]; do sleep 0.1; done; export FORETIME_MANAGER=odd.sock
> python3 ask.py "$FORETIME_TEST_SOURCE" predict cubic 14 >many; wait; uniq many | diff - one; wc -l <many
14

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

## a model in a file: as the command asks for it, while it is whole and not too old
$ cat >model.py <<'END'
> import os, sys, time
> sys.dont_write_bytecode = True
> sys.path.insert(0, sys.argv[1] + "/python")
> import foretime
> def tried(path):
>     try:
>         return foretime.Model(path).ask(n=300).upper_s
>     except foretime.Error as error:
>         return error
> model = foretime.Model("cubic.knots")
> print(model.program, model.parameter, model.risk, model.ask(n=1e9), model.ask(n=1) == model.ask(n=2))
> print(min(model.ask(n=n).upper_s / model.ask(n=n).typical_s for n in range(50, 5000, 50)) >= 1)
> text = open("cubic.knots").read()
> whole = sum(isinstance(tried("part"), float) for n in range(0, len(text), 7) if open("part", "w").write(text[:n]) or True)
> print(whole, tried("nothing"), tried("part"))
> for old, new in (("knots 1", "knots 2"), ("\nexpires ", "\nexpires 1\nbefore "), ("\nparameter n", "\nparameter m")):
>     open("part", "w").write(text.replace(old, new, 1))
>     print(tried("part"))
> print(model.again(), end=" ")
> open("new", "w").write(text.replace("risk 0.01", "risk 0.02"))
> os.rename("new", "cubic.knots")
> print(model.again(), model.risk)
> os.rename("cubic.knots", "aside")
> def again():
>     try:
>         return model.again(), model.ask(n=300) is not None
>     except foretime.Error as error:
>         return str(error)
> print(again(), again())
> os.rename("aside", "cubic.knots")
> print(again(), again())
> os.rename("cubic.knots", "aside")
> os.mkfifo("cubic.knots")
> print(again(), tried("cubic.knots"))
> os.rename("aside", "cubic.knots")
> print(again())
> END

$ foretime export cubic --format knots -o cubic.knots; python3 model.py "$FORETIME_TEST_SOURCE"
cubic n 0.01 None True
True
0 cannot read 'nothing': No such file or directory 'part' is no whole file of knots
'part' is of another version
'part' is older than it was to be believed
'part' is of 'm'
False True 0.02
cannot read 'cubic.knots': No such file or directory cannot read 'cubic.knots': No such file or directory
(True, True) (False, True)
cannot read 'cubic.knots': it is no file cannot read 'cubic.knots': it is no file
(True, True)

## a file is one for Python as for C
$ cat >whole.py <<'END'
> import sys
> sys.dont_write_bytecode = True
> sys.path.insert(0, sys.argv[1] + "/python")
> import foretime
> for path in sys.argv[2:]:
>     try:
>         foretime.Model(path)
>     except foretime.Error:
>         print("broken:", path)
> END
> cat >whole.c <<'END'
> #include <foretime-fetch.h>
> #include <stdio.h>
> int main(int argc, char **argv)
> {
> 	struct ft_probe_model model = {0};
> 	for (int i = 1; i < argc; i++)
> 		if (ft_probe_fetch(&model, argv[i]))
> 			printf("broken: %s\n", argv[i]);
> 	ft_probe_forget(&model);
> }
> END
> ${CC:-cc} -I "$FORETIME_TEST_SOURCE/include" whole.c -o whole -lm

$ mkdir knots; cd knots; tr '~' ' ' >lines <<'END'
> knot 1 2
> knot 1 2 3 4 5
> knot - 2 3 4
> knot 1_0 2 3 4
> knot 1 2 3 -4
> knot 1 2 inf 4
> knot 1 nan 3 4
> knot 0 2 3 4
> knot  1 2 3 4
> knot 1 2 3 4~
> knot 1e 2 3 4
> knot . 2 3 4
> knot +1 2 3 4
> knot 0x1 2 3 4
> knot 1 2 3 1e999
> fixed m
> fixed m --3
> fixed  3
> fixed m 3 4x
> risk x
> cpus -1
> made 1e16
> parameter~
> end 1
> knot 1. .5 3E0 -
> knot 1e-3 2e+0 3 4
> fixed m n -3
> comment
> new 1 2
> END
> i=10; while IFS= read -r line; do printf 'foretime-knots 1\nprogram p\nparameter n\nexpires 9e9\n%s\nknot 100 2 3 -\nend %d\n' "$line" "$(case $line in knot*) echo 2 ;; *) echo 1 ;; esac)" >$i; i=$((i + 1)); done <lines
> printf 'foretime-knots 1\nparameter n\nexpires 9e9\nknot 1 2 3 4\nend 1\nlast\n' >a; printf 'foretime-knots 1\nparameter n\nexpires 9e9\nknot 1 2 3 4\nend 1\nlast 1\n' >b
> printf 'foretime-knots 1\nparameter n\nexpires 9e9\nknot 1 2 3 4\nend 1\nx \0\n' >c; printf 'foretime-knots 1\nparameter n\nexpires 9e9\nend 0\n' >d; mkfifo e; mkdir f; rm lines
> python3 ../whole.py "$FORETIME_TEST_SOURCE" * >../python; ../whole * | diff ../python -; wc -l <../python; tail -4 ../python
29
broken: c
broken: d
broken: e
broken: f
