## SPDX-License-Identifier: GPL-3.0-or-later
## Every command explains itself, refuses what it does not know, and has a manual that knows all its options and no other.
$ for c in $(foretime help --format names) "plan pack" "machine load"; do foretime $c --help >/dev/null || echo "$c: --help"; done

$ for c in $(foretime help --format names); do foretime $c --nonsense >/dev/null 2>&1 && echo "$c"; done; :

## The manual page has what the tables have: each option once, with its help; no page names an option that there is not.
$ for c in $(foretime help --format names) "plan pack" "machine load"; do foretime $c --help=man >man; for o in $(foretime $c --help=all | grep -oE '^  (-., |    )--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+'); do [ $(grep -cE "^(\*-.\*, )?\*$o\*" man) = 1 ] || echo "$c: $o"; done; page=$FORETIME_TEST_SOURCE/man/foretime-$(echo $c | tr " " -).1.scd; [ "$(grep -xc '@HEAD@\|@OPTIONS@' $page)" = 2 ] || echo "$c: its page"; done

$ for c in $(foretime help --format names) "plan pack" "machine load"; do foretime $c --help=all; done | grep -oE -- '(--|,)[a-z][a-z0-9-]*' | sort -u >known; printf '%s\n' -- --mount --user --version --color >>known; grep -ohE -- '\*--[a-z][a-z0-9-]*' $FORETIME_TEST_SOURCE/man/*.scd | tr -d '*' | sort -u | grep -vxFf known
? 1

$ grep -rhoE 'not_with = *"[^"]*"' $FORETIME_TEST_SOURCE/src/cli $FORETIME_TEST_SOURCE/src/tell | cut -d '"' -f 2 | tr ' ' '\n' | sort -u >excluded; sed 's/^[-,]*//' known | grep -vxFf - excluded
when

$ foretime predict --help=man | sed -n '/^# NAME/,/^$/p; /--threads/,/^$/p'
# NAME
*--threads* _K_
	Processors that the run keeps busy; default: from its processor time.

$ printf 'foretime-list(1)\n\n@HEAD@\n\n# DESCRIPTION\n\nHere.\n\n@OPTIONS@\n*--search*\n\tOf either case.\n' >foretime-list.1.scd; $FORETIME_TEST_SOURCE/man/page foretime cat foretime-list.1.scd | sed -n '1,6p; /search/,/^$/p'
foretime-list(1)
# NAME
foretime-list - list the programs in the store
*--search* _TEXT_
	Programs with TEXT in their names.
	Of either case.

## what is added to an option that there is not is a mistake
$ printf '@OPTIONS@\n*--serach*\n\tOf either case.\n' >foretime-list.1.scd; $FORETIME_TEST_SOURCE/man/page foretime cat foretime-list.1.scd; printf '@OPTIONS@\nAs above.\n' >foretime-list.1.scd; $FORETIME_TEST_SOURCE/man/page foretime cat foretime-list.1.scd
foretime-list.1.scd:3: there is no --serach
foretime-list.1.scd:2: behind @OPTIONS@ stand names, *--name*, and indented lines
? 1

$ for c in $(foretime help --format names); do [ -f $FORETIME_TEST_SOURCE/man/foretime-$c.1.scd ] || echo "$c: no manual page"; ls $FORETIME_TEST_SOURCE/test/cli/$c.t >/dev/null; [ $c = serve ] || { s=$c; [ $c != set ] || s=program; grep -qE "foretime-$s-[0-9]+" $FORETIME_TEST_SOURCE/doc/schema/$s.json; } || echo "$c: no schema"; done

$ foretime list --names=yes
foretime: option --names takes no value
? 2

$ foretime list --store
foretime: option --store needs a value: PATH
? 2

$ foretime list --store=
foretime: option --store: it is empty
? 2

$ foretime predict x n=1 --confidnce 0.5
foretime: unknown option '--confidnce' of 'predict'
hint: the nearest one is --confidence
? 2

$ foretime predict x n=1 --confidence 200
foretime: option --confidence: '200' is not between 50 % and 99.95 %
hint: write a share as in 5% or 0.05, from 50 % to 99.95 %
? 2

$ foretime predict -q
foretime: unknown option '-q' of 'predict'
hint: foretime predict --help lists them; options of the program stand behind --
? 2

$ foretime import in/cubic.csv --store=s.db --name=c >/dev/null; foretime list --format names --store s.db; foretime list --store=s.db --format names
c
c

$ foretime export -o- c --store s.db | wc -l
35

## Of a command with several actions each takes the options that its help tells, and refuses those of the others.
$ cat > strays.sh <<'END'
> options() {
> 	foretime "$@" --help=all | sed -nE 's/^ +(-., )?--([a-z-]+)( [^ ]+)?( .*)?$/\2\3/p' | grep -v '^help$'
> }
> for c in energy device "machine load" machine surrogate trace; do
> 	for a in $(foretime --complete $c '' | cut -f 1 | grep -v '^load$'); do
> 		options $c $a | sed 's/ .*//' > takes
> 		foretime $c $a --help=all | sed -n '/^usage/,/^$/p' | tr -s '\n' ' ' | sed 's/ \[OPTION.*//' | grep -oE -- '--[a-z-]+' | tr -d - | while read -r o; do
> 			tr -d - < takes | grep -qx "$o" || echo "$c $a: --$o in its usage"
> 		done
> 		options $c | grep -vwFf takes | while read -r o argument; do
> 			for v in 50% 1s 1 text plain; do
> 				foretime $c $a --$o${argument:+=$v} > said 2>&1
> 				grep -q "^foretime: option" said || break
> 			done
> 			grep -q "'$c $a' has no use for --$o" said || echo "$c $a --$o"
> 			echo "$c" >> refused
> 		done
> 	done
> done
> sort -u refused | tr '\n' ' '; echo; [ $(wc -l < refused) -gt 200 ] && echo many
> END
> sh strays.sh
device energy machine machine load surrogate trace
many

## A letter means the same everywhere, and what is common to many has one.
$ for c in $(foretime help --format names) "plan pack" "machine load"; do foretime $c --help=all; done | grep -oE '^  -[rcbtnoq], --[a-z-]+' | sort -u
  -b, --budget
  -c, --confidence
  -n, --runs
  -o, --output
  -q, --quiet
  -r, --resource
  -t, --timeout

$ for c in $(foretime help --format names) "plan pack" "machine load"; do foretime $c --help=all; done | grep -E '^      --(resource|confidence|budget|timeout|runs|output|quiet) '
? 1
