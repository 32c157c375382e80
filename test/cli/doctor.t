## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime doctor
machine
  host         <<.+>>
  fingerprint  <<[0-9a-f]{16}>>
  processor    <<.+>>
  cores        <<\d+ sockets?, \d+ cores?, \d+ threads?>>
...
  memory       <<[\d.]+ GiB>>
  system       <<.+>>
...
  batch system <<.+>>
prior of growth beyond the largest size measured: the built-in one
probe     works  what it measures
child     yes    wall_s cpu_s <<.*>>
...

## what does not work says why, and what to do
$ foretime doctor --json | tee told.json | check-schema doctor; jq -e '[.probes[] | select(.works | not) | (.why | length > 0) and (.remedy | length > 0)] | all' told.json >/dev/null

$ foretime doctor now
foretime: 'machine info' takes no 'now'
? 2
