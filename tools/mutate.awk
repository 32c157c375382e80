# SPDX-License-Identifier: GPL-3.0-or-later
# The single changes that can be made to C files, for tools/mutate: one a line, FILE, LINE, COLUMN, LENGTH, NEW TEXT
# and what kind of change it is, separated by tabs.

function change(column, length_, text, kind) {
	printf "%s\t%d\t%d\t%d\t%s\t%s\n", FILENAME, FNR, column, length_, text, kind
}

# Each place of an operator with blanks around it becomes another one.
function swap(old, new, kind,   from, at) {
	for (from = 1; (at = index(substr(code, from), old)) > 0; from += at + length(old) - 1)
		if (kind != "edge" || !either(substr(code, 1, from + at - 2), substr(code, from + at - 1 + length(old))))
			change(from + at - 1, length(old), new, kind)
}

# Whether it is one of two values, a > b ? a : b: of two that are equal either is the larger.
function either(left, right,   b, first, second, n) {
	if (!(n = index(right, " ? ")))
		return 0
	b = substr(right, 1, n - 1)
	right = substr(right, n + 3)
	if (!(n = index(right, " : ")))
		return 0
	first = substr(right, 1, n - 1)
	second = substr(right, n + 3)
	if (begins(second, b) && ends(left, first))
		return 1
	for (n = length(second); first == b && n; n--)
		if (begins(second, substr(second, 1, n)) && ends(left, substr(second, 1, n)))
			return 1
	return 0
}

# Whether a text begins, or ends, with a value, all of what is compared or taken.
function begins(text, value) {
	return index(text, value) == 1 && substr(text, length(value) + 1) ~ /^($|[;,)\]])/
}

function ends(text, value,   at) {
	at = length(text) - length(value)
	return at >= 0 && substr(text, at + 1) == value && substr(text, 1, at) ~ /(^|[(\[]|[=,?:] |return |&& |\|\| )$/
}

# Each factor that matches goes: no type's size, and not the name of a function alone.
function drop(pattern, kind,   from, rest) {
	from = 1
	rest = code
	while (match(rest, pattern)) {
		if (substr(rest, RSTART, RLENGTH) !~ /sizeof/ && substr(rest, RSTART + RLENGTH, 1) !~ /[(\[A-Za-z_]/)
			change(from + RSTART - 1, RLENGTH, "", kind)
		from += RSTART + RLENGTH - 1
		rest = substr(code, from)
	}
}

# Texts and comments keep their columns and lose their letters.
function blank(line,   at) {
	while (match(line, /"([^"\\]|\\.)*"|'([^'\\]|\\.)+'|\/\*.*\*\//)) {
		at = RSTART
		line = substr(line, 1, at - 1) filler(RLENGTH) substr(line, at + RLENGTH)
	}
	return line
}

function filler(n,   text) {
	while (n-- > 0)
		text = text "~"
	return text
}

BEGIN {
	# memory that is asked for, and arrays that are declared
	room = "alloc\\(|reserve\\(|^\t+(static )?(const )?[a-z_]+ ([a-z_0-9, ]+, )?[a-z_0-9]+(\\[[^]]*\\])*\\[[^]]* \\+ 1\\]"
}

FNR == 1 {
	in_comment = in_body = 0
}

{
	code = blank($0)
}

/^\/\*/ || /^[ \t]+\/\*/ {
	if (!/\*\//)
		in_comment = 1
}

in_comment {
	if (/\*\//)
		in_comment = 0
	next
}

/^\{/ {
	in_body = 1
}

/^\}/ {
	in_body = 0
}

!in_body || /^[ \t]*#/ || /assert\(/ {
	next
}

{
	swap(" < ", " >= ", "comparison")
	swap(" > ", " <= ", "comparison")
	swap(" <= ", " > ", "comparison")
	swap(" >= ", " < ", "comparison")
	swap(" == ", " != ", "comparison")
	swap(" != ", " == ", "comparison")
	swap(" < ", " <= ", "edge")
	swap(" > ", " >= ", "edge")
	swap(" <= ", " < ", "edge")
	swap(" >= ", " > ", "edge")
	if (code !~ room) # more of it changes nothing
		swap(" + 1", " + 2", "off by one")
	swap(" - 1", " - 2", "off by one")
	swap(" = 0;", " = 1;", "off by one")
	swap(" + ", " - ", "sign")
	if (code !~ room)
		swap(" - ", " + ", "sign")
	swap(" += ", " -= ", "sign")
	swap(" -= ", " += ", "sign")
	swap(" && ", " || ", "junction")
	swap(" || ", " && ", "junction")
	drop(" [*/] [A-Za-z_][A-Za-z_0-9.]*(->[a-z_]+)*(\\[[a-z_]+\\])?", "factor")
	drop(" [*/] [0-9][0-9.e]*", "factor")
	if (match(code, /if \(.*\)( \{)?$/) && code ~ /^[ \t]*(\} else )?if \(/) {
		text = substr($0, RSTART + 4, RLENGTH - 4)
		sub(/\)( \{)?$/, "", text)
		change(RSTART + 4, length(text), "!(" text ")", "condition")
	}
}
