## SPDX-License-Identifier: GPL-3.0-or-later
## r, the package of R, and examples/languages/predict.R
%needs R --version
$ export R_LIBS=$PWD; R CMD INSTALL --library=. "$FORETIME_TEST_SOURCE/r" 2>&1 | tail -1; foretime import in/cubic.csv --name cubic >/dev/null; Rscript "$FORETIME_TEST_SOURCE/examples/languages/predict.R" cubic n 300 5000 >rows; awk 'NR == 1 { print $1, $2, $6 } NR > 1 { print $2, $7 }' rows
* DONE (foretime)
n value basis
300 <<\w+>>
5000 extrapolated

$ R_LIBS=$PWD Rscript "$FORETIME_TEST_SOURCE/examples/languages/predict.R" nothing n 300 2>&1 | sed 's/.*foretime: //' | head -2
the store '<<.*>>' has no program 'nothing'
hint: foretime list shows the names that there are

## a data frame of runs has a store of its own; a program is built and predicted; words are no commands of a shell
$ cat > own.R <<'END'
> library(foretime)
> runs <- foretime_fit(data.frame(n = c(1, 2, 4, 8), wall_s = c(0.1, 0.2, 0.4, 0.8)))
> some <- predict(runs, data.frame(n = c(3, 8)), level = 0.5)
> print(round(some$value, 1))
> print(all(some$lower < some$value & some$value < some$upper))
> built <- foretime_build("nap", c("sleep", "0.00{n}"), c(n = "1:9"), options = c("--budget", "1s"))
> print(predict(built, data.frame(n = 5))$value > 0.005)
> print(try(predict(foretime("x'; touch pwn; '"), data.frame(n = 1)), silent = TRUE) != "")
> print(runs)
> END
> R_LIBS=$PWD Rscript own.R | head -9; ls pwn 2>/dev/null
? 2
[1] 0.3 0.8
[1] TRUE
[1] TRUE
[1] TRUE
name       data
parameter  n = 1 .. 8
machine    <<.*>>
runs       4 at 4 sizes, 0 failed, the newest at an unknown time

