## SPDX-License-Identifier: GPL-3.0-or-later
## what a run costs by the hour: one machine is three times as fast as the other, and five times as dear; two cores are busy
$ for h in fast:1 slow:3; do (echo n,wall_s,cpu_s,peak_rss_bytes; for n in 100 200 400 800 1600; do for i in 1 2 3; do echo "$n,$((n * ${h#*:} + i)),$((2 * n * ${h#*:})),$((n * 100000))"; done; done) > ${h%:*}.csv; foretime import ${h%:*}.csv --name net --machine ${h%:*}; done
imported 15 runs at 5 sizes as 'net'
imported 15 runs at 5 sizes as 'net'

$ foretime predict net n=800 --machine fast --price 0.45EUR/h | sed -n 3p; foretime predict net n=800 --machine fast --price 0.05/core-h --json | tee price.json | check-schema predict; jq -c '[.price.per_core_hour, .price.per_hour, .price.currency, (.predictions[0] | .cost / (.value * 2 * 0.05 / 3600) * 1e6 | round)]' price.json
800  13 min 2<<\d>> s  <<.*>>  measured << *>>0.1
[0.05,null,"",1000000]

$ foretime predict net n=800 --machine fast --price 10.8/d --csv | cut -d, -f1,8; foretime predict net n=800 --machine fast -r all --price 0.45/h | grep -c ' 0.1'
n,cost
800,0.1<<0\d+>>
1

$ foretime predict net n=800 --machine fast --price 0.45/h -r memory
foretime: --price 0.45/h is of time
hint: ask for it: --resource wall_s, or all
? 2

$ foretime predict net n=800 --machine fast --price 0.45/h,co2=400g/kWh; foretime predict net n=800 --machine fast --price 0.45/core-; foretime predict net n=800 --machine fast --price 0/h; foretime predict net n=800 --machine fast --price 0.45/kWh
foretime: --price 0.45/h is of time, and co2 of energy
hint: state a price of energy too, in a call of its own
foretime: --price '0.45/core-' is not a price or a power
hint: write --price 0.30/kWh, 0.10EUR/h, or 0.02/core-h
foretime: --price '0/h' is not a price or a power
hint: write --price 0.30/kWh, 0.10EUR/h, or 0.02/core-h
foretime: --price and --co2 are of energy
hint: ask for it: --resource energy_j, or all
? 2

## the cheapest machine first; with a deadline the cheapest that meets it
$ foretime plan rank net n=800 | awk '{ print $1 }' | xargs; foretime plan rank net n=800 --price fast=0.50/h,slow=0.10/h | awk '{ print $1 }' | xargs; foretime plan rank net n=800 --price fast=0.50/h,slow=0.10/h --deadline 30m
machine fast slow
machine slow fast
machine      done in         time    cost                90 % of runs  first  basis
fast     <<13 min \d\d s  13 min \d\d s>>   0.111  <<.*>>  100 %  measured
slow     <<40 min \d\d s  40 min \d\d s>>  0.0667  <<.*>>      -  measured  over the deadline

$ foretime plan rank net n=800 --price fast=0.50/h,slow=0.10/h --deadline 30m --wait fast=20m --json | tee rank.json | check-schema plan; jq -c '.ranks[] | [.name, .good, .why]' rank.json
foretime: 'net' of that size will do on none of them
hint: slow: over the deadline
hint: fast: over the deadline
["slow",false,"over the deadline"]
["fast",false,"over the deadline"]

$ printf 'host,price\nfast,0.60EUR/h\nslow,0.2\nother,3\n' > prices.csv; foretime plan rank net n=800 --price prices.csv --json | jq -c '.ranks[] | [.name, (.cost * 1000 | round), .tied]'; foretime plan rank net n=800 --price 0.05/core-h --json | jq -c '.ranks[] | [.name, (.cost * 1000 | round)]'
["slow",133,true]
["fast",134,false]
["fast",22]
["slow",67]

## without --price the order is that of time, and prices of the table are shown
$ printf 'host,price\nfast,0.5\nslow,0.1\n' > hosts.csv; foretime plan rank net n=800 --resources hosts.csv --json | jq -c '.ranks[] | [.name, (.cost * 1000 | round)]'; foretime plan rank net n=800 --json | jq -c '[.ranks[].cost]'
["fast",111]
["slow",67]
[null,null]

$ foretime plan rank net n=800 --price fats=0.50/h; foretime plan rank net n=800 --price fast=much; foretime plan rank net n=800 --price no.csv; foretime plan rank net n=800 --price fast.csv; foretime plan rank net n=800 --price fast=1EUR/h,slow=1USD/h; foretime plan rank net n=800 --price co2=400g/kWh; printf 'host,price\nfast,1/h\nslow,-1/h\n' > bad.csv; foretime plan rank net n=800 --price bad.csv
foretime: --price 'fats' is of none of those that are ranked
hint: they are fast, slow
foretime: --price 'much' is not a price of time
hint: write HOST=0.10/h, HOST=0.02EUR/core-h, or the name of a table with the columns host and price
foretime: cannot open 'no.csv': No such file or directory
foretime: 'fast.csv' has no column 'host'
hint: a row is a machine: host and price, as in node1,0.10/h
foretime: --price prices in EUR and in USD cannot be compared
hint: state all in one currency
foretime: --price co2 is of energy, which rank does not plan
hint: foretime plan map --least energy
foretime: bad.csv:3: '-1/h' is not a price of time
hint: write HOST=0.10/h, HOST=0.02EUR/core-h, or the name of a table with the columns host and price
? 2
