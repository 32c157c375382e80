## the example of manager.h, where a manager answers
$ printf 'n,wall_s\n1000,0.1\n2000,0.4\n4000,1.6\n8000,6.4\n' >runs.csv; foretime import runs.csv --name solve
imported 4 runs at 4 sizes as 'solve'

$ foretime serve --socket m.sock >/dev/null 2>&1 & echo $! >pid; until [ -S m.sock ]; do sleep 0.1; done

$ FORETIME_MANAGER=m.sock "$FORETIME_TEST_BUILD/examples/api/api-manager"
solve n=4096: 1.6<<\d+>> s, with 90 % confidence <<1\.[\d]+>> .. <<2\.\d+>> s (interpolated)

$ FORETIME_MANAGER=m.sock "$FORETIME_TEST_BUILD/examples/api/api-manager" none 3000
manager: the store '<<.*>>' has no program 'none'; foretime list shows the names that there are
? 77

$ kill "$(cat pid)"; while [ -S m.sock ]; do sleep 0.1; done

$ FORETIME_MANAGER=m.sock "$FORETIME_TEST_BUILD/examples/api/api-manager"
manager: no manager answers at 'm.sock': No such file or directory
? 77
