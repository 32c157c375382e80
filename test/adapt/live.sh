#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# live.sh - what the tools that are installed print now, imported: live.sh BUILD-FOLDER. Speaks TAP.
set -u
build=$1
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
export FORETIME_STORE="$folder/store.db"
cd "$folder" || exit 99

# runs TEXT COMMAND...: whether the import has so many runs and programs
check() {
	expected=$1
	what=$2
	shift 2
	got=$("$build/foretime" import "$@" --json 2>error | tr -d ' \n' | sed 's/.*"runs":\([0-9]*\),"known":\([0-9]*\).*/\1 \2/')
	if [ "$got" = "$expected" ]; then
		echo "ok $number - $what"
	else
		echo "not ok $number - $what"
		echo "# expected '$expected', got '$got'"
		sed 's/^/# /' error
		failed=1
	fi
}

failed=0
number=1
if ! command -v hyperfine >/dev/null; then
	echo "ok 1 - hyperfine # SKIP there is no hyperfine"
	echo "ok 2 - hyperfine, once more # SKIP there is no hyperfine"
elif ! hyperfine -N --runs 3 -L n 1000,2000 "$build/examples/sort {n}" --export-json h.json >log 2>&1; then
	echo "ok 1 - hyperfine # SKIP it cannot run here: $(tail -n 1 log)"
	echo "ok 2 - hyperfine, once more # SKIP it cannot run here"
else
	check "6 0" "hyperfine: two sizes, three times" h.json
	number=2
	check "0 6" "hyperfine: the same once more" h.json
fi

number=3
cat >Snakefile <<EOF
rule all:
    input: expand("{n}.done", n=[1000, 2000])
rule sort:
    output: touch("{n}.done")
    benchmark: repeat("{n}.tsv", 2)
    shell: "$build/examples/sort {wildcards.n} > /dev/null"
EOF
if ! command -v snakemake >/dev/null; then
	echo "ok 3 - snakemake # SKIP there is no snakemake"
elif ! HOME=$folder timeout 60 snakemake -j1 >log 2>&1; then
	echo "ok 3 - snakemake # SKIP it cannot run here"
else
	check "4 0" "snakemake: two jobs, twice" 1000.tsv 2000.tsv --name sorted --size 'n=path:/([0-9]+)[.]tsv$/'
fi
echo "1..3"
exit $failed
