## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime import in/cubic.csv --name cubic --work 'n^3' >/dev/null; foretime plot cubic | sed -n '1p;/work/p'
 cubic: wall_s
 speed (work/s)

$ foretime plot cubic --resource peak_rss_bytes | grep -c 'speed'
0
? 1

$ foretime plot cubic --json | check-schema plot

$ foretime plot cubic -o p.svg && head -c 5 p.svg; ls -A | grep svg
<?xmlp.svg

$ foretime plot cubic -o p.png && head -c 4 p.png | tail -c 3
PNG

$ foretime plot cubic -o p.pdf
foretime: 'p.pdf' ends neither in .svg nor in .png
hint: name the picture FILE.svg or FILE.png
? 2

$ foretime plot cubic -o missing/p.svg
foretime: cannot write 'missing/p.svg': No such file or directory
hint: choose another place for the picture
? 2

$ foretime plot cubic --resource nothing
foretime: no run of 'cubic' has a value of 'nothing'
hint: there are values of wall_s, peak_rss_bytes
? 2

$ foretime plot
foretime: which program? 'plot' needs its NAME
hint: foretime list shows the names, foretime plot --help the usage
? 2

$ foretime plot nothing
foretime: the store '<<.*>>/data/foretime/store.db' has no program 'nothing'
hint: the nearest name is 'cubic'; foretime list tells all
? 2
