# SPDX-License-Identifier: GPL-3.0-or-later
# The glossary of man/foretime-words.7.scd as lines of C, without scdoc's marks.
function plain(s,   out, i, c) {
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c == "\\")
			c = substr(s, ++i, 1)
		else if (c == "*" || (c == "_" && substr(s, i - 1, 3) !~ /^[A-Za-z0-9]_[A-Za-z0-9]$/))
			c = ""
		out = out (c == "\"" ? "\\\"" : c)
	}
	return out
}
BEGIN {
	print "/* SPDX-License-Identifier: GPL-3.0-or-later */"
	print "/* Made of man/foretime-words.7.scd. */"
	print "#include \"cli/help/glossary.h\"\n\nconst char *const cli_help_glossary[] = {"
}
NR == 1 || /^# NAME/ || /^foretime-words/ { next }
/^# SEE ALSO/ { exit }
{
	sub(/ \+\+$/, "")
	sub(/^# /, "")
	sub(/^\t/, "  ")
	if ($0 == "" && (blank || !lines))
		next
	blank = $0 == ""
	lines++
	print "\t\"" plain($0) "\","
}
END { print "\t0};" }
