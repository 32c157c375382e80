## SPDX-License-Identifier: GPL-3.0-or-later
## The same question through all doors: text, JSON, CSV, the manager, the page. Thirty made programs: laws, levels,
## zeros, sizes that are fractions or huge, one run or many, noise of 0 to 50 %.
$ cat > make.pl <<'END'
> srand(shift);
> for my $p (0 .. 29) {
>   my @law = (sub { 1e-6 * $_[0] }, sub { 1e-9 * $_[0] ** 2 }, sub { 0.3 }, sub { 1e-7 * $_[0] * log(2 + $_[0]) }, sub { 1e-3 + ($_[0] > 700 ? 1e-4 : 1e-6) * $_[0] });
>   my ($scale, $noise, $law, $most) = ((1, 1, 1e-3, 1e9, 1e-9, 1)[$p % 6], (0, 0.02, 0.1, 0.5)[$p % 4], $law[$p % 5], (12, 40, 3)[$p % 3]);
>   open my $f, '>', "p$p.csv";
>   print $f "n,wall_s,peak_rss_bytes,read_bytes,major_faults\n";
>   for my $i (1 .. $most) {
>     my $x = int(100 * 30 ** rand);
>     my $t = $law->($x) * exp($noise * (rand() + rand() + rand() - 1.5) * 2);
>     printf $f "%.6g,%.6g,%d,%d,%d\n", $x * $scale, $t, 4096 * int(2000 + $x * ($p % 2) * exp($noise * rand)), rand() < 0.7 ? 0 : 4096 * int(rand(1000)), rand() < 0.8 ? 0 : 1 + rand(3);
>   }
>   open my $s, '>', "p$p.sizes";
>   print $s join ',', map { sprintf '%.6g', $_ * $scale } 150, 777, 2900, 9000, 200000, 3e7;
> }
> END
> perl make.pl ${FORETIME_TEST_SEED:-20260101}; for p in $(seq 0 29); do foretime import p$p.csv --name p$p --here >/dev/null; done; foretime list --format names | wc -l
30

$ FORETIME_MANAGER=none foretime serve >url 2>said & echo $! >serve.pid; foretime manager --socket m.sock >/dev/null 2>&1 & echo $! >manager.pid; until [ -s url ] && [ -S m.sock ]; do sleep 0.1; done

$ for p in $(seq 0 29); do
>   size=$(cat p$p.sizes); foretime predict p$p n=$size -r all >$p.text 2>/dev/null; foretime predict p$p n=$size -r all --json >$p.json 2>/dev/null; foretime predict p$p n=$size -r all --csv >$p.csv 2>/dev/null
>   for r in $(echo wall_s peak_rss_bytes read_bytes | cut -d ' ' -f $((p / 10 + 1))); do
>     foretime predict p$p n=$size -r $r --json >one.json 2>/dev/null; check-schema predict <one.json
>     FORETIME_MANAGER=m.sock foretime predict p$p n=$size -r $r --manager --json 2>/dev/null | diff - one.json
>     web "$(cat url)" "/api/predict/p$p?n=$(sed s,+,%2B,g p$p.sizes)&resource=$r" | cmp - one.json
>     jq -c --arg r $r '[.predictions[] | select(.resource == $r) | [.n, .value, .accuracy, .lower, .upper]]' $p.json >all; jq -c '[.predictions[] | [.n, .value, .accuracy, .lower, .upper]]' one.json | cmp - all
>   done
> done; kill $(cat serve.pid manager.pid); wait

## a row of the text and of the CSV has the numbers of JSON; no interval is wider, or farther, than a person could use
$ cat > compare.pl <<'END'
> use JSON::PP;
> my (%unit, $rows, $wrong) = (k => 1e3, M => 1e6, G => 1e9, ns => 1e-9, us => 1e-6, ms => 1e-3, s => 1, min => 60, h => 3600, d => 86400, y => 365.25 * 86400, B => 1, KiB => 2**10, MiB => 2**20, GiB => 2**30, TiB => 2**40, PiB => 2**50, EiB => 2**60);
> sub number { my ($t, $sum) = ($_[0], 0); return $t if $t =~ /^[-+.\de]+$/; $sum += $1 * $unit{$2} while $t =~ /([.\d]+) (\w+)/g; return $sum }
> sub near { my ($said, $is) = @_; my $n = number($said); return abs($n - $is) <= 0.006 * abs($is) + 1e-12 || ($is > 60 && abs($n - $is) < 0.02 * $is) || abs($n - $is) <= 0.5 }
> for my $p (0 .. 29) {
>   local $/; open my $j, '<', "$p.json"; my $all = decode_json(<$j>); local $/ = "\n";
>   open my $t, '<', "$p.text"; my @text = grep /^(wall_s|peak_rss_bytes|read_bytes|major_faults) /, <$t>; open my $c, '<', "$p.csv"; my @csv = <$c>; shift @csv;
>   print "p$p: ", scalar @text, ' ', scalar @csv, ' ', scalar @{$all->{predictions}}, " rows\n" if @text != @csv || @csv != @{$all->{predictions}};
>   for my $one (@{$all->{predictions}}) {
>     my ($text, @cell) = (shift @text, split /,/, shift @csv); my @said = split /  +/, $text; my ($low, $high) = $said[3] =~ /^at most (.*)/ ? (0, $1) : $said[3] eq 'not known' ? (0, $said[3]) : split / \.\. /, $said[3];
>     my ($v, $l, $u) = @$one{qw(value lower upper)}; my $most = $one->{unit} eq 's' ? 100 * 365.25 * 86400 : $one->{unit} eq 'bytes' ? 2**60 : 1e300;
>     my $good = near($said[2], $v) && near($low, $l) && (defined $u ? near($high, $u) : $high eq 'not known') && abs($cell[2] - $v) <= 1e-9 * abs $v;
>     $good &&= $l <= $v && (!defined $u || ($v <= $u && $u <= $most && ($l == 0 || $u <= 1000 * $l))) && $v <= $most;
>     $rows++; $wrong++, print "p$p: $text  ", encode_json($one), "\n" if !$good;
>   }
> }
> print $rows > 400 ? 'rows enough' : "$rows rows", ", ", $wrong || 0, " wrong\n";
> END
> perl compare.pl
rows enough, 0 wrong

## each question with its options, of two parameters: what the command prints as JSON is what the manager and the page answer
$ awk 'BEGIN { print "n,m,wall_s,peak_tree_bytes"; for (n = 100; n <= 3200; n *= 2) for (m = 1; m <= 16; m *= 2) for (k = 0; k < 2; k++) printf "%d,%d,%.9g,%d\n", n, m, 1e-2 + 1e-5 * n * m * (1 + 0.01 * k), 1e6 + 800 * n * m }' >two.csv; foretime import two.csv n m --name two --here
imported 60 runs at 30 sizes as 'two'

$ echo 'csv = yes' >own; FORETIME_CONFIG=own foretime serve >url 2>said & echo $! >serve.pid; foretime manager --socket m.sock >/dev/null 2>&1 & echo $! >manager.pid; until [ -s url ] && [ -S m.sock ]; do sleep 0.1; done
$ while read -r question words; do
>   set -- $words; query=$(for word; do printf '%s&' "${word#--}"; done | sed s/%/%25/g)
>   foretime $question two --json "$@" >one.json 2>said; check-schema $question <one.json
>   ask m.sock "/$question/two?$query" | cmp - one.json; web "$(cat url)" "/api/$question/two?$query" | cmp - one.json
> done <<'END'
> predict n=3000 m=7 --confidence=99.9% --resource=peak_tree_bytes
> predict n=3000 m=7 --threads=2 --resource=all
> largest time=0.2s m=4
> largest time=0.2s memory=20MB m=2,4,16 --confidence=99%
> largest time=0.2s
> request n=3000 m=7 --risk=2% --at-least=1GiB --cpus=3
> request n=3000 m=7 --risk=least --retry=2x --overhead=0
> request n=90000 m=7 --at-most=64MB,1h
> fit n=3000 m=7,9 --resource=memory
> fit n=9000 m=4 --confidence=95%
> show --resource=memory --kept=5
> show --asked=3
> list
> END

$ foretime list --traces --json >one.json; ask m.sock '/list?traces=1' | cmp - one.json; web "$(cat url)" '/api/list?traces=1' | cmp - one.json

$ foretime list --limit 3 --search P --json >one.json; ask m.sock '/list?limit=3&search=P' | cmp - one.json; web "$(cat url)" '/api/list?limit=3&search=P' | cmp - one.json; foretime import p1.csv --name one >/dev/null; foretime fit one --class=power --terms 1 --json
foretime: terms are of the class laws only
? 2
$ ask m.sock '/fit/one?class=power&terms=1' | jq -r .error
terms are of the class laws only
$ for options in --class=power --class=polylog --terms=2; do foretime fit one $options n=50,5000 --json >one.json; check-schema fit <one.json; ask m.sock "/fit/one?${options#--}&n=50,5000" | cmp - one.json; web "$(cat url)" "/api/fit/one?${options#--}&n=50,5000" | cmp - one.json; done

## what a server does not reveal, and what it refuses for the sake of others
$ foretime build own n=1:3 --reps 2:2 -- sh -c 'echo {n}' >/dev/null; foretime show own --json >one.json; ask m.sock /show/own | tee told | jq -c .argv; jq -c .argv one.json; jq 'del(.argv)' one.json >a; jq 'del(.argv)' told | cmp - a
null
["sh","-c","echo {n}"]
$ for path in '/fit/two?n=1:4000&m=7' '/show/two?kept=2000' '/show/two?n=3' '/fit/two?terms=2' '/list?bogus=1'; do ask m.sock "$path" | jq -r '.error, .remedy'; done
'n=1:4000' makes more than 32 sizes
give the range a larger stride: n=LEAST:MOST:STRIDE
kept: '2000' is not a whole number in range
write one from 1 to 1000
'n' is no field of show
its fields: resource kept asked device machine
class and terms are for laws of one parameter; these are of 2
null
'bogus' is no field of list
its fields: search after limit traces

## --manager: the manager answers, and what it answers is printed
$ export FORETIME_MANAGER=m.sock; foretime fit two n=3000 m=7 --manager --json >told; foretime fit two n=3000 m=7 --json | cmp - told; foretime list --limit 2 --manager --json >told; foretime list --limit 2 --json | cmp - told; foretime show two --asked 3 --manager --json >told; foretime show two --asked 3 --json | cmp - told
$ FORETIME_MANAGER=m.sock; export FORETIME_MANAGER; foretime list two --manager; foretime fit two n=3000,100 m=7 --manager | sed -n '/^name/p;/fits law/p;/^fits predictions/,$p'; foretime show two --manager | grep -A3 '^sizes'; foretime show two --manager --store x
programs
name  machine  here  runs  folded  failed  sizes  current
two   <<\S+>>  yes     60       0       0     30  yes
name               two
fits law           1.005e-05*n*m + 0.01
fits predictions
   n  m    value   median    lower    upper  predicted  predicted_lower  predicted_upper
3000  7   221 ms   221 ms  <<.*>>
 100  7  17.0 ms  17.0 ms  <<.*>>
sizes
   n   m  runs   median    least     most  failed
 100   1     2  11.0 ms  11.0 ms  11.0 ms       0
 100   2     2  12.0 ms  12.0 ms  12.0 ms       0
foretime: --manager does not go with --store
hint: leave out --manager: the store answers the rest
? 2
$ FORETIME_MANAGER=m.sock foretime predict two n=3000 m=7 --manager --threads 2 --confidence 99% --json >one.json; foretime predict two n=3000 m=7 --threads 2 --confidence 99% --json | cmp - one.json
$ FORETIME_MANAGER=m.sock foretime predict two n=3000 m=7 --manager --device gpu
foretime: 'two' has no device 'gpu'
hint: its devices: (none)
? 2

$ ask m.sock '/largest/two?time=0.2s&m=1:1000' | jq -r '.error, .remedy'; foretime largest two time=0.2s m=1:20000
'm=1:1000' makes more than 32 sizes
give the range a larger stride: n=LEAST:MOST:STRIDE
foretime: 'm=1:20000' makes more than 10000 sizes
hint: give the range a larger stride: n=LEAST:MOST:STRIDE
? 2

## the range of a field is the same at each door
$ foretime predict two n=3000 m=7 --confidence=99.99%; for door in "ask m.sock /predict" "web $(cat url) /api/predict"; do $door/two?n=3000\&m=7\&confidence=99.99%25 | jq -r '.error, .remedy'; done; kill $(cat serve.pid manager.pid); wait
foretime: option --confidence: '99.99%' is not between 50 % and 99.95 %
hint: write a share as in 5% or 0.05, from 50 % to 99.95 %
confidence: '99.99%' is not between 50 % and 99.95 %
write a share as in 5% or 0.05, from 50 % to 99.95 %
option --confidence: '99.99%' is not between 50 % and 99.95 %
write a share as in 5% or 0.05, from 50 % to 99.95 %
