## SPDX-License-Identifier: GPL-3.0-or-later
## examples/languages/predict.lua
%needs lua5.4 -v
$ foretime import in/cubic.csv --name cubic >/dev/null; lua5.4 "$FORETIME_TEST_SOURCE/examples/languages/predict.lua" cubic n=300
<<[0-9.e-]+ \([0-9.e-]+ \.\. [0-9.e-]+\), (measured|interpolated)>>

$ foretime predict cubic n=300 --csv | awk -F, 'NR == 2 { printf "%.4g (%.4g .. %.4g), %s\n", $2, $4, $5, $6 }' >one; lua5.4 "$FORETIME_TEST_SOURCE/examples/languages/predict.lua" cubic n=300 | diff - one

$ lua5.4 "$FORETIME_TEST_SOURCE/examples/languages/predict.lua" nothing n=300 2>&1 | grep -o 'foretime predict failed'
foretime predict failed

$ lua5.4 "$FORETIME_TEST_SOURCE/examples/languages/predict.lua" "x'; touch pwn; '" n=300 >/dev/null 2>&1; ls pwn 2>/dev/null
? 2
