#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# TAP for tests that are scripts; sourced. Ends with tap_done.
count=0
failed=0

# ok WHAT COMMAND...
ok() {
	what=$1
	shift
	count=$((count + 1))
	if "$@" >/dev/null 2>&1; then
		echo "ok $count - $what"
	else
		echo "not ok $count - $what"
		failed=$((failed + 1))
	fi
}

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

tap_done() {
	echo "1..$count"
	[ $failed -eq 0 ]
}
