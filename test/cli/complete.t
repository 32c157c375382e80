## SPDX-License-Identifier: GPL-3.0-or-later
## What a shell asks at the cursor; the last word is the one that is being typed.
$ foretime --complete '' | grep -c "$(printf '\t')"; foretime --complete '' | sed -n '1p;$p'
<<2\d|3\d>>
build measure a program at a few sizes, and make its models
--version
$ foretime import in/cubic.csv --name cubic --here >/dev/null; foretime --complete predict ''
cubic
$ foretime --complete predict cubic --re | grep resource
--resource resource to predict: wall_s (default), peak_rss_bytes, ...; or all
$ foretime --complete predict -r '' | head -1; foretime --complete predict --resource w | grep -x time
wall_s
time
$ foretime --complete predict --json ''
cubic
$ foretime --complete build x --method '' | sort
adaptive
gbbp
gbbp_naive
naive
naive_bisect
rand
$ foretime --complete build x -- ''; foretime --complete build x -- ./x ''; foretime --complete predict --sizes ''
:commands
:files
:files
$ foretime --complete plan '' | cut -f 1 | tr '\n' ' '
partition rank map schedule revise export pack
$ foretime --complete plan partition --li | cut -f 1 | grep links; foretime --complete plan schedule --li | cut -f 1 | grep -x -- --links
--links
$ foretime --complete surrogate predict --solver '' | head -2
ols
robust
$ foretime --complete largest cubic ''
:open
time=
memory=
cpu_s=
peak_rss_bytes=
$ foretime --complete import --from '' | grep -c .; foretime --complete verify --format '' | tr '\n' ' '; foretime --complete request --risk ''; foretime --complete nosuch ''
<<\d\d?>>
text json github junit least
foretime: unknown command 'nosuch'
hint: foretime --help lists them
? 2

## what stands behind = of an option is told with it; the shells themselves: complete-typed
$ foretime --complete predict cubic --resource=pe | grep peak_r; foretime --complete predict cubic --sizes=x
--resource=peak_rss_bytes
:files
## what another word excludes is not offered
$ for w in --pieces -k --csv '--start=best'; do foretime --complete trace fit x.csv $w 3 -- | cut -f 1 | grep -cx -e --tolerance -e --json; done; foretime --complete predict cubic --json=1 --manager -- | cut -f 1 | grep -x -e --csv -e --price -e --load
1
1
2
2
--load
