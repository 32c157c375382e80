## SPDX-License-Identifier: GPL-3.0-or-later
## A real hyperfine: its JSON and its CSV; commands with blanks, quotes and a shell; a name in place of a command fails alone.
%needs hyperfine --version
$ mkdir base; printf '#!/bin/sh\nsleep 0.0$1\n' > work; cp work base; echo 'sleep 0.1' >> work; chmod +x work base/work; hyperfine -r 2 --export-json all.json --export-csv all.csv './work 1' "sh -c './work 2; true'" 'sleep 0.01 && true' -n 'a name' true >/dev/null 2>&1; jq -r '.results[].command' all.json
a name
sh -c './work 2; true'
sleep 0.01 && true
true

$ sed -i 's|a name|./work 1|' all.json; sed 's|^true,|a name,|' all.csv > named.csv; for list in all.json named.csv; do foretime verify --suite $list --against base --budget 60s --json 2>/dev/null | jq -c '.[] | select(.verdict == "slower" or .verdict == "failed") | [.name, .verdict]' | sort; done
["./work 1","slower"]
["sh -c './work 2; true'","slower"]
["a name","failed"]
["sh -c './work 2; true'","slower"]
