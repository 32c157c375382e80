# SPDX-License-Identifier: GPL-3.0-or-later
# The table of tools/ablate: each variant beside the base, replay by replay. Ratios are geometric means, in brackets one
# standard error over curves (the seeds of a curve are one).
# -v today=CSV of version 7880672, -v out=directory; input: the list of variants.
BEGIN {
	FS = ","
	columns = split("part lattice group kind name seed score oracle held asked held_new asked_new mean p95 half known " \
		"typical cost runs sizes rough silent alarm cpu_s worst", name, " ")
	for (i = 1; i <= columns; i++)
		at[name[i]] = i
	read_today()
	print "| variant | given | / today | silent | held | cost | made-5 | / oracle | silent | cost | x4 | x8 | laws |"
	print "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
	row("base", out "/base.csv")
}

/^#/ || /^$/ { next }

{
	split($0, field, "\t")
	row(field[1], out "/" field[1] ".csv")
}

function read_today(    line, f) {
	while ((getline line < today) > 0) {
		split(line, f, ",")
		today_score[f[1] SUBSEP f[2] SUBSEP f[3] SUBSEP f[4] SUBSEP f[5] SUBSEP f[6]] = f[at["score"]]
	}
	close(today)
}

function sort_values(v, n,    i, j, x) {
	for (i = 2; i <= n; i++) {
		x = v[i]
		for (j = i - 1; j > 0 && v[j] > x; j--)
			v[j + 1] = v[j]
		v[j + 1] = x
	}
}

# "1.020(13)": a ratio, one standard error of its last digits; of ln ratios by curve: sum[curve], count[curve].
function ratio(sum, count,    c, n, mean, square) {
	n = mean = square = 0
	for (c in sum) {
		n++
		mean += sum[c] / count[c]
	}
	if (!n)
		return "-"
	mean /= n
	for (c in sum)
		square += (sum[c] / count[c] - mean) ^ 2
	return sprintf("%.3f(%.0f)", exp(mean), n < 2 ? 0 : 1000 * exp(mean) * sqrt(square / n / (n - 1)))
}

function error_held(part,    i, n, v) {
	n = errors[part]
	for (i = 1; i <= n; i++)
		v[i] = error[part, i]
	sort_values(v, n)
	if (!n)
		return "-"
	return sprintf("%.1f, %.0f", 100 * (n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2), \
		100 * held[part] / asked[part])
}

function row(variant, path,    line, f, key, part, curve, gs, gc, gk, ms, mc, mk, is_base) {
	is_base = variant == "base"
	split("", error)
	split("", errors)
	split("", held)
	split("", asked)
	split("", gs); split("", gc); split("", gk)
	split("", ms); split("", mc); split("", mk)
	g_silent = m_silent = g_today = g_n = oracle = oracles = laws = law_rows = new_held = new_asked = 0
	if ((getline line < path) <= 0)
		return
	while ((getline line < path) > 0) {
		split(line, f, ",")
		if (f[1] == "beyond" && f[6] > 1)
			continue
		key = f[1] SUBSEP f[2] SUBSEP f[3] SUBSEP f[4] SUBSEP f[5] SUBSEP f[6]
		curve = f[2] SUBSEP f[3] SUBSEP f[4] SUBSEP f[5]
		if (is_base) {
			base_score[key] = f[at["score"]]
			base_cost[key] = f[at["cost"]]
		}
		if (f[1] == "given") {
			g_silent += f[at["silent"]]
			new_held += f[at["held_new"]]
			new_asked += f[at["asked_new"]]
			if (f[2] != "full")
				continue
			if (today_score[key] > 0) {
				g_today += log(f[at["score"]] / today_score[key])
				g_n++
			}
			if (key in base_score) {
				gs[curve] += log(f[at["score"]] / base_score[key])
				gc[curve] += log(f[at["cost"]] / base_cost[key])
				gk[curve]++
			}
		} else if (f[1] == "made-5" || f[1] == "made") {
			m_silent += f[at["silent"]]
			oracle += f[at["score"]] / f[at["oracle"]]
			oracles++
			if (key in base_score) {
				ms[curve] += log(f[at["score"]] / base_score[key])
				mc[curve] += log(f[at["cost"]] / base_cost[key])
				mk[curve]++
			}
		} else if (f[1] == "beyond" && f[4] == "work given") {
			error[f[2], ++errors[f[2]]] = f[at["mean"]]
			held[f[2]] += f[at["held"]]
			asked[f[2]] += f[at["asked"]]
		} else if (f[1] == "laws" && f[2] == "predict") {
			laws += f[at["mean"]] <= 0.2
			law_rows++
		}
	}
	close(path)
	printf "| %s | %s | %.3f | %d | %.1f | %s | %s | %.2f | %d | %s | %s | %s | %.1f |\n", variant, ratio(gs, gk), \
		g_n ? exp(g_today / g_n) : 0, g_silent, new_asked ? 100 * new_held / new_asked : 0, ratio(gc, gk), \
		ratio(ms, mk), oracles ? oracle / oracles : 0, m_silent, ratio(mc, mk), error_held("x4"), error_held("x8"), \
		law_rows ? 100 * laws / law_rows : 0
}
