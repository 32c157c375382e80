#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# engines.sh - plans as files, carried out by the systems they are for, where these are installed:
# engines.sh BUILD-FOLDER SOURCE-FOLDER. Speaks TAP.
set -u
build=$1
source=$2
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
export FORETIME_STORE="$folder/store.db" STARPU_HOME="$folder" STARPU_SILENT=1 STARPU_NCPU=2 STARPU_NCUDA=0 STARPU_NOPENCL=0
cd "$folder" || exit 99
failed=0
number=0

# same TEXT EXPECTED GOT: two files
same() {
	number=$((number + 1))
	if cmp -s "$2" "$3"; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		diff "$2" "$3" | sed 's/^/# /'
		failed=1
	fi
}

skip() {
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

# 1 us a unit; and two programs that say what they were given, and take longer for more.
printf 'n,wall_s\n1000,0.001\n2000,0.002\n4000,0.004\n8000,0.008\n' >a.csv
"$build/foretime" import a.csv --name work --here >log 2>&1 || cat log
cat >share <<'END'
#!/bin/sh
sleep 0.0"$1"
echo "$1"
END
chmod +x share
for name in one two; do
	"$build/foretime" build $name n=100:900 --method naive --limit 4 --runs 2:2 -q -- "$folder/share" '{n}' >log 2>&1 || cat log
done

# ---- StarPU: a model, and a schedule
mkdir -p .starpu/sampling/codelets/45
"$build/foretime" plan export work --format starpu,symbol=work,host="$(hostname)" n=1000,2000,4000 >.starpu/sampling/codelets/45/work."$(hostname)" 2>log
if ! command -v starpu_perfmodel_display >/dev/null; then
	skip "StarPU reads a model" "there is no starpu_perfmodel_display"
else
	printf '1000 1000\n2000 2000\n4000 4000\n' >expected
	STARPU_HOSTNAME=$(hostname) starpu_perfmodel_display -s work 2>log | awk '$2 ~ /^[124]000$/ { printf "%d %.0f\n", $2, $4 }' | sort -n >got
	if [ ! -s got ] && grep -q 'version' log; then
		skip "StarPU reads a model" "$(tail -n 1 log)"
	else
		same "StarPU reads a model" expected got
	fi
fi
awk 'BEGIN { printf "{\"tasks\": ["; for (i = 1; i <= 12; i++) printf "%s{\"id\": \"t%d\", \"time_s\": 0.0%d}", (i > 1 ? ", " : ""), i, 1 + i * 7 % 5; printf "], \"edges\": ["; for (i = 3; i <= 12; i++) printf "%s{\"from\": \"t%d\", \"to\": \"t%d\"}", (i > 3 ? ", " : ""), i - 2, i; print "]}" }' >graph.json
"$build/foretime" plan schedule graph.json --on cpu:2 --effort 1e5 --format starpu >sched.rec 2>log || cat log
# shellcheck disable=SC2046 # flags are words
if ! pkg-config --exists starpu-1.3 2>/dev/null || ! cc -o starpu "$source/test/adapt/starpu.c" $(pkg-config --cflags --libs starpu-1.3) 2>log; then
	skip "StarPU carries out a schedule" "there is no libstarpu 1.3 to compile with"
else
	# Which tasks each worker runs, in their order.
	awk '/^SubmitOrder/ { s = $2 } /^SpecificWorker/ { w = $2 } /^Workerorder/ { print w, $2, s }' sched.rec | sort -n -k1,1 -k2,2 | awk '{ print $1, $3 }' >expected
	timeout 60 ./starpu sched.rec 2>log | awk '{ print $2, NR, $1 }' | sort -n -k1,1 -k2,2 | awk '{ print $1, $3 }' >got
	[ -s expected ] || echo "no schedule" >expected
	same "StarPU carries out a schedule" expected got
fi

# ---- a total over processors
echo 2 800 >expected
for engine in 'mpiexec.hydra -configfile' 'parallel --jobs 0 ::::'; do
	tool=${engine%% *}
	format=${tool%.hydra}
	if ! command -v "$tool" >/dev/null; then
		skip "$tool carries out a partition" "there is no $tool"
		continue
	fi
	"$build/foretime" plan partition one two n=800 --granularity 100,min=100 --format "$format" >division 2>planned || cat planned
	# shellcheck disable=SC2086 # an engine with its options
	timeout 60 $engine division 2>log | awk '{ sum += $1 } END { print NR, sum }' >got
	grep -q . log && sed 's/^/# /' log
	same "$tool carries out a partition" expected got
done
echo "1..$number"
exit $failed
