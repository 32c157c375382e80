## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime import in/cubic.csv --name cubic --work 'n^3' >/dev/null; foretime plot cubic | sed -n '1p;/per second/p;/extrapolated/p'
cubic: wall time on elsewhere
wall time . 90 % of runs = extrapolated * typical run o runs
speed: n^3 per second

$ foretime plot cubic --resource peak_rss_bytes | sed -n '1p;/MiB/p;/per second/p'
cubic: memory of its largest process on elsewhere
<<.*20 MiB .*>>
<<.*15 MiB .*>>
<<.*10 MiB .*>>
<<.* 5 MiB .*>>

$ foretime plot cubic --json | check-schema plot

## A time without work has no speed.
$ foretime import in/two.csv n m --name two >/dev/null; foretime plot two m=1 | sed -n '1p;/per second/p'
two at m=1: wall time on elsewhere

## a slice says in JSON, too, where it is
$ foretime plot two m=1 --json > slice.json; check-schema plot < slice.json; jq -c '.fixed, (.axes | length)' slice.json
{"m":1}
1

## Bands lie within each other, the line within both.
$ cat > inside <<'E'
> use JSON::PP; local $/; my $p = decode_json(<STDIN>); my $m = $p->{model}; my ($bad, $n) = (0, 0);
> sub flat { map { ref $_ eq 'ARRAY' ? flat(@$_) : $_ } @_ }
> my @part = map { [flat(@{$m->{$_}})] } qw(lower value_least value value_most upper);
> for my $i (0 .. $#{$part[0]}) { my @v = map { $_->[$i] } @part; $n++;
> for my $k (0 .. 3) { $bad++ if !($v[$k] <= $v[$k + 1] * (1 + 1e-12)) } }
> my $beyond = grep { $_ } flat(@{$m->{extrapolated}});
> print "$bad bad; ", $n > 250 ? "fine" : $n, "; ", $beyond > 0 ? "and beyond" : "none beyond", "\n";
> E
> for c in 50% 90% 99%; do foretime plot cubic --confidence $c --json | perl inside; done; foretime plot two --json | perl inside
0 bad; fine; and beyond
0 bad; fine; and beyond
0 bad; fine; and beyond
0 bad; fine; none beyond

$ foretime plot two | sed -n '1p;/wall time:/p'
two: wall time on elsewhere
<<wall time: .*>>

$ foretime plot two --json | check-schema plot

$ foretime plot two -o two.svg && grep -c '<image' two.svg; foretime plot two -o two.svg --json | perl -MJSON::PP -e 'local $/; my $p = decode_json(<STDIN>); print join(" ", map { $_->{parameter} } @{$p->{axes}}), ", ", scalar @{$p->{runs}{y}}, "\n"'
1
n m, <<\d+>>

$ foretime import in/two.csv n m --name worked --work 'n*m' >/dev/null; foretime plot worked | grep -o '^[a-z][^:]*:'; foretime plot worked -o w.svg; grep -o 'n[*]m per second' w.svg; foretime plot worked --json | check-schema plot
worked:
wall time:
n*m per second:
n*m per second
n*m per second

## What makes no sense is left blank; at a slice nobody measured there is a line, and no run.
$ (printf '# foretime: runs 1\n# where: m <= n/10\n'; cat in/two.csv) > where.csv; foretime import where.csv n m --name where >/dev/null
> foretime plot where --json | perl -MJSON::PP -e 'local $/; my $v = decode_json(<STDIN>)->{model}{value}; print defined $v->[0][0] ? "there" : "blank", " ", defined $v->[-1][0] ? "there" : "blank", "\n"'
there blank

## What is drawn of a plane is in the JSON, too, for the page: lines with the labels of the picture, ticks, boxes without sizes.
$ foretime plot where -o where.svg --json | perl -MJSON::PP -e 'local $/; my $p = decode_json(<STDIN>)->{pictures}; open my $f, "<", "where.svg"; my $svg = <$f>; my @l = grep { defined $_->{x} } map { @{$_->{levels}} } @$p;
> my @miss = grep { index($svg, $_->{tick}{label}) < 0 } @l; print @$p > 0 && @l > 2 && !@miss ? "labels" : "@miss", @{$p->[0]{blank}} > 9 ? " blank" : "", " ", scalar(@{$p->[0]{colours}}), "\n"'
labels blank 65

$ (printf '# foretime: runs 1\n# where: n%%2==0\n'; cat in/two.csv) > even.csv; foretime import even.csv n m --name even >/dev/null
> foretime plot even --json | perl -MJSON::PP -e 'local $/; my $v = decode_json(<STDIN>)->{model}{value}; print scalar(grep { !defined $_ } map { @$_ } @$v), " blank\n"'
0 blank

$ foretime plot two m=1.5 | sed -n '1p'
note: no run at m=1.5 to draw
two at m=1.5: wall time on elsewhere

## A range goes beyond, and leaves runs out.
$ foretime plot cubic n=350:1e5 --json | perl -MJSON::PP -e 'local $/; my $p = decode_json(<STDIN>); my $x = $p->{axes}[0]{at}; print "$x->[0] $x->[-1] $p->{axes}[0]{logarithmic} $p->{runs}{x}[0]\n"'
350 100000 1 400

$ foretime plot two n=10 m=1
foretime: nothing of 'two' is left to vary
hint: leave out a value, or give a range, such as n=64:2048
? 2

$ foretime plot two k=3
foretime: 'k=3' is not a value or range of a parameter of 'two'
? 2

## Three parameters.
$ awk 'BEGIN { print "a,b,c,wall_s"; for (a = 1; a < 9; a *= 2) for (b = 1; b < 9; b *= 2) for (c = 1; c < 9; c *= 2) print a "," b "," c "," a * b * c / 1000 }' > abc.csv
> foretime import abc.csv a b c --name abc >/dev/null; foretime plot abc
foretime: 'abc' varies in a, b and c: a picture shows two of them
hint: fix the others: foretime plot abc c=<<[24]>>
? 2

$ foretime plot abc c=2 | sed -n 1p; foretime plot abc c=2 a=4 | sed -n 1p
abc at c=2: wall time on elsewhere
abc at a=4 c=2: wall time on elsewhere

## From some size on runs failed.
$ (printf '# foretime: runs 1\nn,wall_s,outcome,cost_s\n'; sed -n '2,$s/^\([0-9]*\),\([^,]*\),.*/\1,\2,done,\2/p' in/cubic.csv; echo '100000,,out of memory,3') > failing.csv
> foretime import failing.csv --name failing >/dev/null; foretime plot failing | grep 'memory'
 size n (from 100000 on: out of memory)

## A law alone.
$ foretime program set lawful --law wall_s='1e-9*n^3' --param n=64:4096 >/dev/null; foretime plot lawful | sed -n '/law stated/p' | tail -1
wall time * law stated

## Names are drawn, never executed.
$ foretime import in/cubic.csv --name ';touch(evil)&<ä>' >/dev/null; foretime plot ';touch(evil)&<ä>' -o e.svg; foretime plot ';touch(evil)&<ä>' | sed -n 1p; grep -c 'touch(evil)' e.svg; ls evil
;touch(evil)&<ä>: wall time on elsewhere
2
<<.*cannot access .*evil.*>>
? 2

$ foretime plot cubic -o p.svg && head -c 5 p.svg; ls -A | grep '^p.svg'
<?xmlp.svg

$ foretime plot cubic -o p.png && head -c 4 p.png | tail -c 3
PNG

$ foretime plot cubic -o p.pdf && head -c 4 p.pdf
%PDF

$ foretime plot cubic -o p.jpg
foretime: 'p.jpg' does not end in .svg, .png or .pdf
hint: name the picture FILE.svg, FILE.png or FILE.pdf
? 2

## The picture's own title, transparent; the colours of the page, light and dark.
$ foretime plot cubic -o light.svg; foretime plot cubic --dark -o dark.svg; for f in light dark; do grep -o '<title>.*</title>' $f.svg; grep -o '<desc>[^:]*' $f.svg; grep -c 'rgb( 11, 111, 164)\|rgb( 88, 176, 227)' $f.svg >/dev/null && echo blue; grep -c 'rgb( 88, 176, 227)' $f.svg | sed 's/^[1-9].*/some/'; done
<title>cubic: wall time on elsewhere</title>
<desc>wall time by size n
blue
0
<title>cubic: wall time on elsewhere</title>
<desc>wall time by size n
blue
some

## Whole numbers, words on the axes, and hatching where nothing was measured.
$ foretime plot cubic n=400:5000 -o far.svg; grep -o '<text>\(wall time\|size n\|not measured\|typical run\|[0-9][0-9.]*k*\)</text>' far.svg | LC_ALL=C sort -u; grep -c 'url(#gpPat' far.svg | sed 's/^[1-9].*/hatched/'
<text>1000</text>
<text>2000</text>
<text>5000</text>
<text>500</text>
<text>not measured</text>
<text>size n</text>
<text>typical run</text>
<text>wall time</text>
hatched

## No needle: no place of the curve is a measured size, and next to the last one no band is narrower than at it.
$ foretime plot cubic --json | perl -MJSON::PP -e 'local $/; my $p = decode_json(<STDIN>); my ($m, $at) = ($p->{model}, $p->{axes}[0]{at}); my ($most, $n) = (0, 0);
> for my $i (1 .. $#$at - 1) { my @w = map { log($m->{upper}[$_] / $m->{lower}[$_]) } $i - 1 .. $i + 1; my $of = ($w[0] + $w[2]) / 2; $n++ if $w[1] < 0.7 * $of; my @v = map { log $m->{value}[$_] } $i - 1 .. $i + 1; my $t = ($at->[$i] - $at->[$i - 1]) / ($at->[$i + 1] - $at->[$i - 1]); my $off = abs($v[1] - $v[0] - $t * ($v[2] - $v[0])); $most = $off if $off > $most } print "$n needles\n"; print $most < 0.05 ? "smooth\n" : "off by $most\n"'
0 needles
smooth

$ foretime plot cubic -o missing/p.svg
foretime: cannot write 'missing/p.svg': No such file or directory
hint: choose another place for the picture
? 2

$ foretime plot cubic --resource nothing
foretime: no run of 'cubic' has a value of 'nothing'
hint: there are values of time (wall_s), memory (peak_rss_bytes)
? 2

$ foretime plot
foretime: missing NAME; usage: foretime plot NAME [n=64:20000] [m=512] [-o FILE.svg|FILE.png|FILE.pdf] [OPTION...]
hint: foretime list shows the names
? 2

$ foretime plot nothing
foretime: the store '<<.*>>/data/foretime/store.db' has no program 'nothing'
hint: foretime list shows the names that there are
? 2

## an older executable
$ printf '%s\n' '#!/bin/sh' 'sleep 0' >prog.sh; chmod 755 prog.sh; foretime build old n=1:9 --method naive --limit 2 --runs 1:1 -q -- ./prog.sh {n} >/dev/null; echo '# rebuilt' >>prog.sh; foretime build old n=1:9 --method naive --limit 2 --runs 1:1 -q -- ./prog.sh {n} >/dev/null 2>&1; foretime list old --json >told; grep -c '"hash"' told
2

$ hash=$(sed -n '/"hash"/s/.*: "\(.*\)",/\1/p' told | tail -1); foretime plot old --hash "$hash" --json >older; check-schema plot <older; foretime plot old --json | cmp -s - older
? 1

$ foretime plot old --hash zz
foretime: 'old' has no executable whose hash begins with 'zz'
hint: foretime list old --json has them
? 2

## In a terminal no gnuplot is needed; braille where the locale is UTF-8, in the width of the terminal.
$ (PATH=$(dirname "$(command -v foretime)"); LC_ALL=C.UTF-8 foretime plot cubic) > braille; sed -n 3p braille; grep -c '⣀\|⠤\|⠒' braille
wall time ░ 90 % of runs ⠒ extrapolated ⠤ typical run ● runs
<<\d\d>>

$ LC_ALL=C script -q -c 'stty cols 100; foretime plot cubic' /dev/null </dev/null | tr -d '\r' | awk '{ most = length > most ? length : most } END { print most }'
100
