# SPDX-License-Identifier: GPL-3.0-or-later
# The tables of the live bench, from what it measured: rows parted by tabs; the first field says what follows.
#
#	machine  text, load before
#	setting  date, budget, sizes, runs, seed, where the loops are
#	skip     program, reason
#	build    program, loops, version, runs, sizes, seconds waited, seconds of runs, why it stopped,
#	         wall_s / cpu_s of its runs
#	load     program, loops, version, n, load of others, processors: with --keep
#	size     program, loops, version, n, typical, known, lower, upper, basis, cpu_s
#	run      program, loops, n, wall_s, cpu_s
#	note     program, loops, version, text
#	dgemm    loops, version, runs, sizes, cpu_s of all, seconds waited, why it stopped, cpu_s of one at the end

# Lists are numbers parted by blanks; the median of none is empty.
function median(list,   v, n, i, j, t) {
	n = split(list, v, " ")
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && v[j] + 0 < v[j - 1] + 0; j--) {
			t = v[j]
			v[j] = v[j - 1]
			v[j - 1] = t
		}
	if (n == 0)
		return ""
	return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

function spread(list,   v, n, i, least, most) {
	n = split(list, v, " ")
	least = most = v[1]
	for (i = 2; i <= n; i++) {
		least = v[i] + 0 < least + 0 ? v[i] : least
		most = v[i] + 0 > most + 0 ? v[i] : most
	}
	return ratio(most, least)
}

function count_inside(list, lower, upper,   v, n, i, inside) {
	n = split(list, v, " ")
	for (i = 1; i <= n; i++)
		inside += v[i] + 0 >= lower + 0 && v[i] + 0 <= upper + 0
	return inside + 0
}

function ratio(above, below) {
	return below > 0 ? above / below : ""
}

function off(foretold, truth,   e) {
	if (foretold == "-" || truth == "" || truth <= 0)
		return ""
	e = foretold / truth - 1
	return e < 0 ? -e : e
}

function number(x, format) {
	return x == "" || x == "-" ? "-" : sprintf(format, x)
}

function percent(x) {
	return number(x == "" || x == "-" ? x : 100 * x, "%.1f")
}

BEGIN {
	FS = "\t"
}

$1 == "machine" {
	print "Machine: " $2 "; " $3 "."
}

$1 == "setting" {
	printf "%s: budget %s,%s %d sizes that were not measured, %d runs at each, seed %d.\n", $2, $3, $7, $4, $5, $6
}

$1 == "skip" && !(($2, $3) in told) {
	told[$2, $3] = 1
	skipped = skipped "| " $2 " | skipped: " $3 " |\n"
}

$1 == "note" {
	notes = notes "- " $2 ", " $3 " loops, " $4 ": " $5 "\n"
}

$1 == "build" {
	key = $3 SUBSEP $4 SUBSEP $2
	runs[key] = $5
	sizes[key] = $6
	waited[key] = $7
	stop[key] = $9
	slowed_then[key] = $10
}

$1 == "run" {
	key = $3 SUBSEP $2 SUBSEP $4
	walls[key] = walls[key] " " $5
	cpus[key] = cpus[key] " " $6
}

($1 == "build" || $1 == "note") && !(($3, $4, $2) in seen) {
	seen[$3, $4, $2] = 1
	order[++rows] = $3 SUBSEP $4 SUBSEP $2
	if (!(($3, $4) in group_seen)) {
		group_seen[$3, $4] = 1
		group[++groups] = $3 SUBSEP $4
	}
}

$1 == "size" {
	key = $3 SUBSEP $4 SUBSEP $2
	asked[key]++
	at[key, asked[key]] = $0
}

$1 == "dgemm" {
	dgemm = dgemm sprintf("| %s | %s | %d | %d | %.1f | %.2f | %.1f | %.0f | %s |\n", $2, $3, $4, $5, $6, $9,
		ratio($6, $9), $7, $8)
}

# The figures of a program beside so many loops by a version.
function judge(key,   part, i, f, runs_here, k) {
	split(key, part, SUBSEP)
	known = error = width = cpu_error = scatter = slowed = ""
	inside = judged = 0
	for (i = 1; i <= asked[key]; i++) {
		split(at[key, i], f, "\t")
		k = part[1] SUBSEP part[3] SUBSEP f[5]
		runs_here = walls[k]
		if (runs_here == "")
			continue
		scatter = scatter " " spread(runs_here)
		slowed = slowed " " ratio(median(runs_here), median(cpus[k]))
		cpu_error = cpu_error " " off(f[11], median(cpus[k]))
		# What was not answered is no interval: its runs are outside.
		judged += split(runs_here, part_of, " ")
		if (f[6] == "-")
			continue
		error = error " " off(f[6], median(runs_here))
		known = known " " (f[7] == "-" ? "" : f[7])
		width = width " " ratio(f[9], f[8])
		inside += count_inside(runs_here, f[8], f[9])
	}
}

function print_row(key,   part) {
	split(key, part, SUBSEP)
	judge(key)
	printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s, %s |\n", part[3], part[1], part[2],
		number(runs[key], "%d"), number(sizes[key], "%d"), number(waited[key], "%.1f"), number(stop[key], "%s"),
		percent(median(known)), percent(median(error)), number(median(width), "%.2f"),
		percent(judged ? inside / judged : ""), percent(median(cpu_error)), number(median(scatter), "%.2f"),
		number(slowed_then[key], "%.1f"), number(median(slowed), "%.1f")
}

# Medians over the programs of a group; runs inside are counted over all.
function print_medians(loops_version,   i, part, all, n) {
	split(loops_version, part, SUBSEP)
	n = all_inside = all_judged = 0
	m_runs = m_sizes = m_waited = m_known = m_error = m_width = m_cpu = m_scatter = m_then = m_slowed = ""
	for (i = 1; i <= rows; i++) {
		if (index(order[i], loops_version SUBSEP) != 1)
			continue
		judge(order[i])
		n++
		m_runs = m_runs " " runs[order[i]]
		m_sizes = m_sizes " " sizes[order[i]]
		m_waited = m_waited " " waited[order[i]]
		m_known = m_known " " median(known)
		m_error = m_error " " median(error)
		m_width = m_width " " median(width)
		m_cpu = m_cpu " " median(cpu_error)
		m_scatter = m_scatter " " median(scatter)
		m_then = m_then " " slowed_then[order[i]]
		m_slowed = m_slowed " " median(slowed)
		all_inside += inside
		all_judged += judged
	}
	printf "| **median of %d** | %s | %s | %s | %s | %s | - | %s | %s | %s | %s | %s | %s | %s, %s |\n", n, part[1],
		part[2],
		number(median(m_runs), "%d"), number(median(m_sizes), "%d"), number(median(m_waited), "%.1f"),
		percent(median(m_known)), percent(median(m_error)), number(median(m_width), "%.2f"),
		percent(all_judged ? all_inside / all_judged : ""), percent(median(m_cpu)),
		number(median(m_scatter), "%.2f"), number(median(m_then), "%.1f"), number(median(m_slowed), "%.1f")
}

END {
	if (rows > 0) {
		print "\nWall error: of the typical run, against the median of the runs made there. Inside: runs within the 90 %"
		print "interval. Run ratio: slowest / fastest run of a size. Slowdown: wall / processor time of the runs of the"
		print "build, and of the runs that judge it; where these differ the load did. Each value is the median of a"
		print "program's sizes; inside counts all its runs.\n"
		print "| program | loops | version | runs | sizes | waited, s | stop | accuracy, % | wall error, % |" \
			" upper / lower | inside, % | cpu_s error, % | run ratio | slowdown |"
		print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
		for (i = 1; i <= rows; i++)
			print_row(order[i])
		for (i = 1; i <= groups; i++)
			print_medians(group[i])
	}
	if (skipped != "")
		printf "\n| program | |\n|---|---|\n%s", skipped
	if (dgemm != "") {
		print "\ndgemm until it is accurate to 5 %:\n"
		print "| loops | version | runs | sizes | cpu_s of all | cpu_s of one at the largest size | times |" \
			" waited, s | stop |"
		print "|---|---|---|---|---|---|---|---|---|"
		printf "%s", dgemm
	}
	if (notes != "")
		printf "\n%s", notes
}
