#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The checks themselves: a lint that cannot fail is worth nothing. Works on a small copy of the tree.
set -u
top=$FORETIME_TEST_SOURCE
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# shellcheck source=test/tools/tap.sh
. "$FORETIME_TEST_SOURCE/test/tools/tap.sh"

# says TEXT COMMAND...: it fails, and prints TEXT.
says() {
	expected=$1
	shift
	output=$("$@" 2>&1) && return 1
	case $output in
	*"$expected"*) return 0 ;;
	esac
	printf '%s\n' "$output" | sed 's/^/# /' >&2
	return 1
}

# What each check begins with.
make_tree() {
	mkdir -p "$1/src/base" "$1/src/num" "$1/src/cli" "$1/include/foretime" "$1/examples"
	cp -R "$top/tools" "$1/tools"
	printf '# nothing\n' >"$1/tools/long-files"
	cp "$top/.clang-format" "$1"
	printf '/* SPDX-License-Identifier: X */\n#include "base/a.h"\n#include <stdio.h>\n' >"$1/src/base/a.c"
	printf '/* SPDX-License-Identifier: X */\n' >"$1/src/base/a.h"
	sed -n 's/^door \([^ :]*\).*/\1/p' "$top/tools/rooms" | while read -r header; do
		mkdir -p "$1/src/${header%/*}"
		cp "$1/src/base/a.h" "$1/src/$header"
	done
}

make_tree "$work/first"

fresh_tree() {
	rm -rf "$work/tree"
	cp -R "$work/first" "$work/tree"
	cd "$work/tree" || exit 1
}

# rule WHAT FILE LINE TEXT: a file with this line breaks a rule, which is said at its place.
rule() {
	fresh_tree
	mkdir -p "$(dirname "$2")"
	printf '/* SPDX-License-Identifier: X */\n%s\n' "$3" >"$2"
	ok "layers: $1" says "$2:2: $4" tools/check-layers
}

fresh_tree
ok "layers: a good tree" tools/check-layers
rule "a room that the table does not name" src/base/b.c '#include "num/num.h"' "base may not use num"
rule "a private header" src/load/b.c '#include "base/a.h"' "base/a.h is private to base"
rule "a door that is open to another room" src/load/b.c '#include "base/csv_table.h"' "the door base/csv_table.h is not open to load"
rule "the door of a room that the table does not name" src/plan/b.c '#include "model/model.h"' "plan may not use model"
rule "a way round the room" src/num/b.c '#include "../base/a.h"' "write the room, not the way to it"
rule "a way through the room" src/num/b.c '#include "num/../base/a.h"' "write the room, not the way to it"
rule "a file that is no header" src/num/b.c '#include "num/stats.c"' "only headers are included"
rule "an include by a macro" src/num/b.c '#include HEADER' "write what is included"
rule "an include in other letters" src/num/b.c '%:include "base/a.h"' "write what is included"
rule "an include in another tongue" src/base/b.c '#import "num/num.h"' "write what is included"
rule "the reader of JSON" src/model/b.c '#include <jansson.h>' "<jansson.h> belongs to src/adapt"
rule "the reader of gzip" src/model/b.c '# include <zlib.h>' "<zlib.h> belongs to src/base"
rule "the reader of CSV" src/adapt/b.c '#include <csv.h>' "<csv.h> belongs to src/base"
rule "the store's library" src/model/b.c '	#include <sqlite3.h>' "<sqlite3.h> belongs to src/store"
rule "a library of nobody" src/base/b.c '#include <curl/curl.h>' "tools/rooms names no owner of <curl/curl.h>"
rule "a variable of another file" src/base/b.c 'extern int level;' "extern belongs into the header"
rule "a function of another file" src/base/b.c 'extern double ft_stats_mean(const double *x, size_t n);' "extern belongs"
rule "the same in a function" src/base/b.c '	{ extern int level; }' "extern belongs into the header"
rule "a function that is declared by hand" src/num/b.c 'void ft__csv_begin(void);' "a function of another file is declared in its header"
rule "a public header that needs a private one" include/foretime/base.h '#include "base/text.h"' "a public header includes public ones only"
rule "a public header that needs a library" include/foretime/store.h '#include <sqlite3.h>' "a public header needs no library"
rule "a private header of the command" src/base/b.c '#include "cli/cli.h"' "base may not use cli"
rule "a public header of such a room" src/num/b.c '#include "foretime/store.h"' "num may not use store"
rule "a header without its room" src/base/b.c '#include "a.h"' "write the room"
rule "a command behind a public header" src/cli/b.c '# include "base/input.h"' "cli may not use base"
rule "a library of another room" src/base/b.c '#include <gsl/gsl_fit.h>' "<gsl/gsl_fit.h> belongs to src/num"
rule "an example that uses the library" examples/b.c '#include <foretime/ask.h>' "an example uses"
rule "a public header of an unknown room" src/cli/b.c '#include "foretime/magic.h"' "tools/rooms names no room"
rule "a public header that goes too far" include/foretime/base.h '#include "foretime/facts.h"' "base may not use facts"
fresh_tree
mkdir src/attic
cp src/base/a.h src/attic/b.h
ok "layers: an unknown room" says "knows no room attic" tools/check-layers
fresh_tree
cp src/base/a.h src/b.c
ok "layers: a file outside the rooms" says "src/b.c:1: a file of src stands in a room" tools/check-layers
fresh_tree
echo 'struct ft__a {' | tee -a src/base/a.h >>src/num/num.h
ok "layers: two types of one name" says "2 types are called ft__a" tools/check-layers
fresh_tree
echo 'struct cli_a {' | tee -a src/base/a.h >>src/cli/b.c
ok "layers: two types of the command of one name" says "2 types are called cli_a" tools/check-layers
# table WHAT LINE TEXT: a table with this line is refused.
table() {
	fresh_tree
	echo "$2" >>tools/rooms
	ok "layers: a table with $1" says "$3" tools/check-layers
}
table "a room twice" 'room base: num' "a second row for base"
table "a room that uses one below it" 'room attic: cellar' "which is no room above it"
table "a header of no room" 'header magic attic' "no room attic"
table "a door that is gone" 'door base/gone.h' "no header src/base/gone.h"
table "something else" 'rooms base' "not a line of this table"
fresh_tree
cp src/base/a.h src/cli/b.c
printf '#include "foretime/facts.h"\n#include "cli/b.h"\n' >>src/cli/b.c
ok "layers: a command uses public headers" tools/check-layers

# objects FILE CODE: the object of a file in a build folder.
objects() {
	printf '%s\n' "$2" | cc -std=gnu17 -x c -c -w -fPIC -o "build/libforetime.so.1.p/src_$1.c.o" -
}

fresh_build() {
	fresh_tree
	mkdir -p build/libforetime.so.1.p build/foretime.p
	objects base_a 'void ft_shown(void) {} __attribute__((visibility("hidden"))) void ft__text(void) {}'
	objects num_a 'void ft_shown(void); void ft__svd(void) { ft_shown(); }'
	cc -shared -o build/libforetime.so build/libforetime.so.1.p/*.o
}

# call WHAT FILE CODE TEXT: an object of this code breaks a rule.
call() {
	fresh_build
	objects "$2" "$3"
	[ "${2#cli}" = "$2" ] || mv build/libforetime.so.1.p/src_cli* build/foretime.p
	ok "symbols: $1" says "$2.c.o: $4" tools/check-symbols build
}

if command -v cc >/dev/null && command -v nm >/dev/null; then
	fresh_build
	ok "symbols: a good build" tools/check-symbols build
	ok "symbols: no build" says "no objects" tools/check-symbols tools
	call "printf" base_b '#include <stdio.h>
		void ft_b(int n) { printf("%d", n); }' "printf is called"
	call "printf that the compiler makes puts" base_b '#include <stdio.h>
		void ft_b(void) { printf("b\n"); }' "puts is called"
	call "printf, fortified" base_b '#define _FORTIFY_SOURCE 2
		int __printf_chk(int, const char *, ...); void ft_b(int n) { __printf_chk(1, "%d", n); }' "printf is called"
	call "standard error" num_b '#include <stdio.h>
		void ft_b(void) { fputs("b", stderr); }' "stderr is called"
	call "perror" num_b '#include <stdio.h>
		void ft_b(void) { perror("b"); }' "perror is called"
	call "dprintf" num_b '#include <stdio.h>
		void ft_b(int n) { dprintf(2, "%d", n); }' "dprintf is called"
	call "exit" num_b '#include <stdlib.h>
		void ft_b(void) { exit(1); }' "exit is called"
	call "abort" num_b '#include <stdlib.h>
		void ft_b(void) { abort(); }' "abort is called"
	call "abort through a pointer" num_b '#include <stdlib.h>
		void (*ft_b)(void) = abort;' "abort is called"
	call "the end of a process, at once" model_b '#include <unistd.h>
		void ft_b(void) { _exit(1); }' "_exit is called"
	call "another directory for all" model_b '#include <unistd.h>
		int ft_b(void) { return chdir("/"); }' "chdir is called"
	call "JSON without its header" model_b 'void *json_object(void); void *ft_b(void) { return json_object(); }' \
		"json_object belongs to src/adapt"
	call "the store without its header" model_b 'int sqlite3_step(void *); int ft_b(void *p) { return sqlite3_step(p); }' \
		"sqlite3_step belongs to src/store"
	call "gzip without its header" model_b 'int gzgetc(void *); int ft_b(void *p) { return gzgetc(p); }' \
		"gzgetc belongs to src/base"
	call "a room below without its header" base_b 'void ft__svd(void); void ft_b(void) { ft__svd(); }' \
		"ft__svd belongs to num, which base may not use"
	call "a command behind a public header" cli_b 'void ft__text(void); int main(void) { ft__text(); }' \
		"ft__text is private to base"
else
	skip "symbols" "no compiler"
fi

# header WHAT FILE LINE TEXT: a public header with this line cannot be included, and the compiler says why.
header() {
	fresh_tree
	printf '/* SPDX-License-Identifier: X */\n%s\n' 'struct ft_a {int n;};' >include/foretime/a.h
	printf '/* SPDX-License-Identifier: X */\n%s\n' "$3" >"$2"
	ok "headers: $1" says "$4" tools/check-headers
}

if command -v cc >/dev/null && command -v c++ >/dev/null; then
	fresh_tree
	rm -rf include
	cp -R "$top/include" include
	ok "headers: ours" tools/check-headers
	header "two structures of one name" include/foretime/b.h 'struct ft_a {int m;};' "redefinition of"
	header "one that needs another before it" include/foretime/b.h 'struct ft_b {struct ft_a a;};' "b.h:2:"
	header "a word of C++ alone" include/foretime/b.h 'int ft_b(class a *b);' "b.h:2:"
	header "a word of C alone" include/foretime/b.h 'int ft_b(int *restrict b);' "b.h:2:"
	header "a warning" include/foretime/b.h 'typedef int const const ft_b;' "duplicate"
	header "one outside the folder" include/b.h 'struct ft_a {int m;};' "redefinition of"
else
	skip "headers" "no C++ compiler"
fi

# words WHAT FILE TEXT FOUND: check-words lists this of the file, or nothing where FOUND is empty.
words() {
	fresh_tree
	mkdir -p "$(dirname "$2")"
	printf '%b\n' "$3" >"$2"
	found=$(tools/check-words list "$2")
	case $found in
	*"${4:-none of these}"*) ok "words: $1" true ;;
	*) ok "words: $1" test -z "$4$found" ;;
	esac
}

fresh_tree
ok "words: a good tree" tools/check-words
printf 'char a[] = "it is told";\n' >src/base/b.c
ok "words: a bound is passed" says "tools/check-words list src/base shows where" tools/check-words
words "a message, with its line and another word" src/base/b.c '\nft_fail(err, "it was told\"");' "src/base/b.c:2: 'told': report"
words "a literal of one word, a comment, a name" src/base/b.c 'told("told"); /* as told */ // said "by it"' ''
words "a comment of a public header" include/foretime/b.h '/* what\n * it says */' "include/foretime/b.h:2: 'says'"
words "Markdown, but not its code" doc/b.md 'It `tells`, [and](tells.md)\n\n    tells\n\nsays' "doc/b.md:5: 'says'"
words "code of Markdown alone" doc/b.md '`tells`\n\n```\ntells\n```' ''
words "a manual, but not its options" man/b.1.scd '*--told* _told_\nis told' "man/b.1.scd:2: 'told'"
words "a description of a schema" doc/schema/b.json '{"said": 1, "description": "as told"}' "'told'"
words "a name in a schema" doc/schema/b.json '{"required": ["told", "said"]}' ''
words "a text of the page" src/web/b.js "x = told; // told\nh('p', {}, 'it is told');" "src/web/b.js:2: 'told'"
words "others with their noun, and without" doc/b.md 'Of two machines the others are idle' ''
words "the load of others" doc/b.md 'under the load of others' "'others'"
words "how well a run is known" doc/b.md 'The typical run is known to +- 13 %' "'known to': accurate to"
words "a scatter plot" doc/b.md 'a scatter plot' ''
words "a long sentence" doc/b.md "$(yes word | head -n 41 | tr '\n' ' ')" "doc/b.md:1: a sentence of 41 words"
words "two short ones, a list, a table" doc/b.md "$(yes word | head -n 30 | tr '\n' ' ').\n- $(yes word | head -n 30 | tr '\n' ' ')\n\n| $(yes word | head -n 30 | tr '\n' ' ') | $(yes word | head -n 30 | tr '\n' ' ') |" ''
words "an older release" NEWS.md '## 2\n\nnew\n\n## 1\n\nas told' ''
fresh_tree
printf 'told\n' >doc/b.md 2>/dev/null || { mkdir doc && printf 'told\n' >doc/b.md; }
tools/check-words lower >/dev/null
printf 'told told\n' >doc/b.md
ok "words: a bound that was lowered" says "tools/check-words list doc shows where" tools/check-words

if command -v clang-format >/dev/null; then
	fresh_tree
	ok "style: a good tree" tools/check-style
	printf 'int  x;\n' >>src/base/a.c
	ok "style: form" says "src/base/a.c:4:" tools/check-style
	fresh_tree
	printf 'int x;\n' >src/base/a.c
	ok "style: no licence line" says "a.c:1: no SPDX" tools/check-style
	fresh_tree
	printf '#!/bin/sh\n# SPDX-License-Identifier: X\necho \n' >tools/new
	ok "style: blanks at the end" says "tools/new:3: blanks" tools/check-style
	fresh_tree
	printf 'struct told {\n\tint x;\n};\n' >>src/base/a.h
	ok "style: a struct" tools/check-style
	printf 'struct told {\n\tint x;\n};\n' >>src/base/a.c
	ok "style: one tag, two structs" says "struct told is another thing in" tools/check-style
	fresh_tree
	yes 'int f(void);' | head -n 910 >>src/base/a.h
	ok "style: a long file" says "src/base/a.h:911: longer than" tools/check-style
	printf 'src/base/a.h one story\n' >>tools/long-files
	ok "style: a long file with a reason" tools/check-style
	printf '/* SPDX-License-Identifier: X */\n' >src/base/a.h
	ok "style: no longer long" says "take it out" tools/check-style
	printf 'src/gone.c one story\n' >tools/long-files
	ok "style: a long file that is gone" says "no file src/gone.c" tools/check-style
else
	skip "style" "no clang-format"
fi

# counted EXPECTED PROGRAMS LINE...: what count-tests makes of a log.
counted() {
	expected=$1
	programs=$2
	shift 2
	printf '%s\n' "$@" >"$work/log.json"
	[ "$("$top/tools/count-tests" "$work/log.json" "$programs" 2>/dev/null)" = "$expected" ]
}

if command -v jq >/dev/null; then
	good='{"name": "a", "result": "OK", "returncode": 0, "stdout": "ok 1 - x\nok 2 # SKIP why\nok 3\n1..3\n"}'
	bad='{"name": "b", "result": "ERROR", "returncode": 1, "stdout": "ok 1\nnot ok 2 - y\n# seed 7\n1..2\n"}'
	dead='{"name": "c", "result": "ERROR", "returncode": -11, "stdout": "ok 1\nnot ok 2\n"}'
	silent='{"name": "d", "result": "FAIL", "returncode": 3, "stdout": "", "stderr": "oh"}'
	slow='{"name": "e", "result": "TIMEOUT", "returncode": -15, "stdout": "ok 1\n"}'
	plain='{"name": "f", "result": "OK", "returncode": 0, "stdout": "hello\n"}'
	none='{"name": "g", "result": "SKIP", "returncode": 0, "stdout": "1..0 # SKIP no\n"}'
	leak='{"name": "h", "result": "ERROR", "returncode": 99, "stdout": "ok 1\nok 2\n1..2\n"}'
	ok "count: passed, skipped" counted "2 0 1" 1 "$good"
	ok "count: a failed check" counted "1 1 0" 1 "$bad"
	ok "count: a program that died is one more" counted "1 2 0" 1 "$dead"
	ok "count: a program without checks" counted "1 0 0" 1 "$plain"
	ok "count: a program that fails silently" counted "0 1 0" 1 "$silent"
	ok "count: a program that hangs" counted "1 1 0" 1 "$slow"
	ok "count: a program that skips all" counted "0 0 1" 1 "$none"
	ok "count: good checks, bad end" counted "2 1 0" 1 "$leak"
	ok "count: all together" counted "8 6 2" 8 "$good" "$bad" "$dead" "$silent" "$slow" "$plain" "$none" "$leak"
	ok "count: programs that did not run" counted "2 2 1" 3 "$good"
	rm -f "$work/log.json"
	ok "count: no log" [ "$("$top/tools/count-tests" "$work/log.json" 4)" = "0 4 0" ]
else
	skip "count" "no jq"
fi

# ---- record -----------------------------------------------------------------------------------------------
# What the last screen has, a line each: the lines of text that nothing takes away again.
last_screen() {
	python3 - "$1" <<'PY'
import sys, xml.etree.ElementTree as tree
for group in tree.parse(sys.argv[1]).getroot().iter('{http://www.w3.org/2000/svg}g'):
    if group.get('class') is None:
        print(''.join(group.itertext()))
PY
}

recorded() {
	printf '%s\n' '# two commands' "printf 'one\\r\\033[1mtwo\\033[0m & <3\\n'" 'echo end' >"$work/commands"
	"$top/tools/record" --columns 60 "$work/commands" "$work/tour.svg" 2>"$work/err" &&
		[ "$(last_screen "$work/tour.svg" | sed '/^\$/d')" = "$(printf '%s\n' 'two & <3' end)" ] &&
		grep -q '<tspan class="b">two</tspan>' "$work/tour.svg"
}

fails_on_failure() {
	echo false >"$work/commands"
	! "$top/tools/record" "$work/commands" "$work/none.svg" 2>"$work/err" && grep -q 'status 1: false' "$work/err" &&
		[ ! -e "$work/none.svg" ]
}

if command -v python3 >/dev/null; then
	ok "record: the picture ends with what stands on the terminal" recorded
	ok "record: a command that fails makes no picture" fails_on_failure
else
	skip "record" "no python3"
fi

tap_done
