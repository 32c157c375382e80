# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 5-many.sh - many sizes, columns, programs, runs. Judged by processor seconds, generous ones: what is quadratic takes
# hours at these numbers.

# shellcheck disable=SC2154,SC2086 # ft, rc: lib.sh

seconds=60

# Under a limit of processor seconds.
soon() { # COMMAND...
	(
		ulimit -t $seconds
		exec "$@"
	) >out 2>err </dev/null
	rc=$?
	[ $rc -le 2 ] || fail "status $rc, or more than $seconds processor seconds: $*"
}

many_sizes() { # COUNT
	awk -v n="$1" 'BEGIN { srand(1); print "# work: n\nn,wall_s,peak_rss_bytes"; for (i = 1; i <= n; i++) printf "%d,%.6g,%d\n", i * 10, 1e-5 * i * log(i + 1) * (1 + 0.05 * rand()) + 0.01, 1e6 + 80 * i }'
}

attack_many_sizes() {
	for count in 3000 100000; do
		many_sizes $count >many.csv
		soon "$ft" import many.csv n --name m --store $count.db
		soon "$ft" predict m n=777 --store $count.db
		soon "$ft" fit m --store $count.db
		soon "$ft" request m n=777 --store $count.db
		soon "$ft" request m --format snakemake --store $count.db
		soon "$ft" largest m time=1s --store $count.db
		soon "$ft" plot m -o m.svg --store $count.db
		rm -f $count.db*
	done
}

attack_many_questions() {
	make_store
	seq 100 1 100000 | awk 'BEGIN { print "n" } { print }' >sizes.csv
	soon "$ft" predict p --sizes sizes.csv --csv
	[ "$(wc -l <out)" -gt 99000 ] || fail "$(wc -l <out) lines"
	soon "$ft" predict p n=1:100000 --csv
}

attack_wide_tables() {
	awk 'BEGIN { n = 100000; for (r = 0; r < 3; r++) for (i = 0; i < n; i++) printf "%s%s", r ? r + i % 7 : "c" i, i < n - 1 ? "," : "\n" }' >wide.csv
	for words in 'trace fit wide.csv -n 3' 'import wide.csv --name w' 'surrogate matrix --file wide.csv' 'energy fit wide.csv' 'build w c0 --replay wide.csv' 'fit wide.csv'; do
		soon "$ft" $words
	done
}

attack_many_programs() {
	need python3
	make_store
	sql store.db "with recursive x(n) as (select 1 union all select n + 1 from x where n < 10000) insert into program (name, hash, last_put) select 'p' || n, 'h', n from x"
	soon "$ft" list
	soon "$ft" show p777
	soon "$ft" predict p n=500
}

attack_many_runs() {
	awk 'BEGIN { srand(1); print "n,wall_s"; for (i = 0; i < 100000; i++) printf "%d,%.6g\n", 100 * (1 + i % 50), 1e-4 * (1 + i % 50) * (1 + 0.05 * rand()) }' >many.csv
	soon "$ft" import many.csv --name m
	for words in 'predict m n=777' list 'fit m' 'show m' 'export m --csv'; do
		soon "$ft" $words
	done
}
