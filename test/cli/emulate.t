## SPDX-License-Identifier: GPL-3.0-or-later
## programs of another processor: what is wrong, and, where qemu-user is, this processor's own emulator
$ foretime run --emulate ../aarch64 -- sh -c :
foretime: '../aarch64' is no architecture of qemu-user
hint: name one, as in aarch64, riscv64, ppc64le, s390x or arm
? 125

$ foretime run --emulate aarch64 --measure working-set -- sh -c :
foretime: under an emulator instructions are counted, and nothing else can be measured
hint: leave out --measure, --meter and --save, or --emulate
? 125

$ foretime run --emulate aarch64 --save x -- sh -c :
<<.+>>
...
? 125

$ PATH=$(dirname "$(command -v foretime)") foretime run --emulate aarch64 -- /bin/sh -c :
foretime: qemu-aarch64 is not installed
hint: apt install qemu-user (qemu-user-static takes no plugins)
? 125

$ command -v "qemu-$(uname -m)" >/dev/null || exit 0

$ printf '%s\n' 'i=0' 'while [ $i -lt $1 ]; do i=$((i + 1)); done' >loop.sh; foretime run --emulate "$(uname -m)" -- sh loop.sh 1000
sh: done
resource value label probe
instructions <<[\d.]+ [kM]>> simulated qemu
wall_s - unavailable qemu: <<under qemu-\w+ it is that of the emulator; measure it on such a machine>>
cpu_s - unavailable qemu: <<.+>>
peak_rss_bytes - unavailable qemu: <<.+>>

$ foretime run --emulate "$(uname -m)" -o /dev/null -- sh -c 'exit 3'
? 3

$ foretime build loop n=1000:9000 --emulate "$(uname -m)" --limit 3 --runs 1:1 -q -- sh loop.sh '{n}' | sed -n 1,2p
model accuracy noise
instructions <<.*%.*>>

$ [ "$(foretime list --json | jq -r '.. | .machine? // empty' | sort -u)" = "$(uname -m)" ] || foretime list --json

$ foretime predict loop n=5000 --machine "$(uname -m)" --resource instructions | sed -n "1,3s/^ *//p"
loop: instructions on <<\w+>>
n typical 90 % of runs basis
5000 <<.+>>
