## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime doctor
machine
  host         <<.+>>
  fingerprint  <<[0-9a-f]{16}>>
  processor    <<.+>>
  cores        <<\d+ sockets?, \d+ cores?, \d+ threads?>>
...
  memory       <<[\d.]+ GiB>>
  storage      <<[\d.]+ \w+ free of [\d.]+ \w+, in this folder>>
  system       <<.+>>
...
  batch system <<.+>>
prior of growth beyond the largest size measured: the built-in one
probe     works  what it measures
child     yes    wall_s cpu_s <<.*>>
...

## what does not work says why, and what to do
$ foretime doctor --json | tee told.json | check-schema doctor; jq -e '[.probes[] | select(.works | not) | (.why | length > 0) and (.remedy | length > 0)] | all' told.json >/dev/null

$ [ "$(jq '.storage_bytes / 1048576 | floor' told.json)" = "$(($(stat -f -c '%b * %S / 1048576' .)))" ]; jq '.storage_free_bytes >= 0 and .storage_free_bytes <= .storage_bytes' told.json
true

$ foretime doctor now
foretime: 'machine info' takes no 'now'
? 2
