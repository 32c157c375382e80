## SPDX-License-Identifier: GPL-3.0-or-later
## examples/languages/predict.R
%needs Rscript --version
$ foretime import in/cubic.csv --name cubic >/dev/null; Rscript "$FORETIME_TEST_SOURCE/examples/languages/predict.R" cubic n 300 5000 >rows; awk 'NR == 1 { print $1, $2, $6 } NR > 1 { print $2, $7 }' rows
n value basis
300 <<\w+>>
5000 extrapolated

$ Rscript "$FORETIME_TEST_SOURCE/examples/languages/predict.R" nothing n 300 2>&1 | grep -o 'foretime predict failed'
foretime predict failed
