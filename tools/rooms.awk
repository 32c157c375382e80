# SPDX-License-Identifier: GPL-3.0-or-later
# Reads tools/rooms, for tools/check-layers and tools/check-symbols.

function broken(text) {
	printf "%s:%d: %s\n", FILENAME, FNR, text
	bad = 1
}

# May a file of room `mine` use room `other`?
function may_use(mine, other) {
	return mine == other || (mine, other) in uses
}

# A room uses only those that stand above it: no two use each other.
function read_room(   i) {
	if ($2 in known)
		broken("a second row for " $2)
	for (i = 3; i <= NF; i++) {
		if (!($i in known))
			broken($2 " uses " $i ", which is no room above it")
		uses[$2, $i] = 1
	}
	known[$2] = 1
	if ($1 == "public")
		sees_public[$2] = 1
}

FILENAME == "tools/rooms" {
	sub(/#.*/, "")
	has_list = NF > 1 && sub(/:$/, "", $2) # gawk makes the field where there is none
	if ($1 == "room" || $1 == "public") {
		read_room()
	} else if ($1 == "header") {
		door[$2] = $3
		if (!($3 in known))
			broken("no room " $3)
	} else if ($1 == "door") {
		door_line[$2] = FNR
		open_to_all[$2] = open_to_all[$2] || !has_list
		for (i = 3; i <= NF; i++)
			opens[$2, $i] = 1
	} else if ($1 == "library") {
		library[$2] = $3
		for (i = 3; i <= NF; i++)
			owns[$2, $i] = 1
	} else if ($1 == "symbol") {
		symbol[$2] = 1
		for (i = 3; i <= NF; i++)
			calls[$2, $i] = 1
	} else if ($1 == "never") {
		for (i = 2; i <= NF; i++)
			symbol[$i] = 1
	} else if ($1 == "system") {
		for (i = 2; i <= NF; i++)
			of_system[$i] = 1
	} else if (NF > 0) {
		broken("not a line of this table")
	}
	next
}
