## SPDX-License-Identifier: GPL-3.0-or-later
## The action of GitHub: a parser reads it, and its step runs as a runner would run it, with gh in place of the service.
%needs python3 -c 'import yaml'
$ cat > step.py <<'END'
> import json, re, sys, yaml
> action = yaml.safe_load(open(sys.argv[1]))
> given = {"suite": "list.csv", "against": "base", "options": "-c 99% --timeout 60s"}
> inputs = {name: given.get(name, row.get("default")) for name, row in action["inputs"].items()}
> lacking = [name for name, row in action["inputs"].items() if row.get("required") and name not in given]
> values = {"inputs." + name: value for name, value in inputs.items()}
> values |= {"github.token": "secret", "github.event.pull_request.number": sys.argv[2]}
> fetch, step = action["runs"]["steps"]
> step = fetch if sys.argv[2] == "fetch" else step
> print(action["runs"]["using"], step["shell"], lacking, sorted(inputs), file=sys.stderr)
> print(step.get("if", ""), file=sys.stderr)
> values["inputs.tarball"] = "release.tar.gz"
> for name, value in step["env"].items():
>     text = re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda found: values[found[1]], value)
>     print("export %s='%s'" % (name, text))
> print(step["run"])
> END
> python3 step.py "$FORETIME_TEST_SOURCE/.github/actions/verify/action.yml" 7 > step 2>said; head -n 1 said; python3 step.py "$FORETIME_TEST_SOURCE/.github/actions/verify/action.yml" '' 2>/dev/null > push; command -v shellcheck >/dev/null && shellcheck -s bash -e SC2016,SC2086 step
composite bash [] ['against', 'budget', 'options', 'suite', 'tarball']

## a release is unpacked where one is named
$ python3 step.py "$FORETIME_TEST_SOURCE/.github/actions/verify/action.yml" fetch > fetch; mkdir -p release-1/bin temp; printf '#!/bin/sh\necho it\n' > release-1/bin/foretime; chmod +x release-1/bin/foretime; tar -czf release.tar.gz release-1; RUNNER_TEMP=$PWD/temp GITHUB_PATH=path bash -e fetch; $(cat path)/foretime
composite bash [] ['against', 'budget', 'options', 'suite', 'tarball']
inputs.tarball != ''
it

## a pull request: one comment, which is replaced later; what the runner makes of it is the exit status
$ mkdir base bin; printf '%s\n' '#!/bin/bash' 'ns=100000; [ -d ../base ] || ns=150000' 'printf "ft1 routine work 1 %d %d %d\n" $ns $ns 1 >&$FORETIME_PROBE_FD' > work; printf '#!/bin/sh\necho "$GH_TOKEN" "$*" | sed "s/ [^ ]*$/ FILE/" >> calls\nfor file; do :; done; cat "$file" > comment; [ -e again ] || [ "$4" != --edit-last ]\n' > bin/gh; chmod +x work bin/gh; cp work base; printf 'name,command\nslow,./work\n' > list.csv; PATH=$PWD/bin:$PATH GITHUB_STEP_SUMMARY=summary bash -e step; echo $?; cat calls; cmp comment summary; sed 's/^#* *//' summary
::error title=suite::slow: wall_s is 1.500 times what it was (<<.*>>), 16 pairs
1
secret pr comment 7 --edit-last --body-file FILE
secret pr comment 7 --body-file FILE
foretime: 1 of 1 benchmarks slower
| benchmark | verdict | wall_s |
|---|---|---|
| slow | slower | wall\_s is 1.500 times what it was (<<.*>>), 16 pairs |

## a push has no comment; one that cannot be written fails nothing
$ rm calls; cp work base/work; sed -i 's/ns=150000/:/' work base/work; touch again; PATH=$PWD/bin:$PATH GITHUB_STEP_SUMMARY=summary bash -e push; echo $?; ls calls; printf '#!/bin/sh\nexit 1\n' > bin/gh; PATH=$PWD/bin:$PATH GITHUB_STEP_SUMMARY=summary bash -e step; echo $?; grep -c foretime: summary
0
ls: cannot access 'calls': No such file or directory
0
3
