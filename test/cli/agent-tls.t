## SPDX-License-Identifier: GPL-3.0-or-later
## managers over a network: TLS, whose certificate is trusted, and a token
%needs openssl version
$ foretime import in/cubic.csv --name cubic --store a.db >/dev/null; umask 077; openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null; echo a-token-that-is-long >token; echo another-one-of-that >wrong

$ foretime serve --socket a.sock --store a.db --listen 127.0.0.1:0 --certificate cert.pem --key key.pem --token token >/dev/null 2>a.log & echo $! >pid; until grep -qs https a.log; do sleep 0.05; done; sed 's/[0-9]*$//' a.log; sed 's/.*:/https:\/\/localhost:/' a.log >at
foretime manager: answers at a.sock, and at https://127.0.0.1:

$ foretime predict cubic n=300 --ask $(cat at),token=token,certificate=cert.pem | tail -1
300  27.0 ms  <<.* \.\. .*>>  measured

$ foretime predict cubic n=300 --ask $(cat at)/,token=token,certificate=cert.pem --json >told; foretime predict cubic n=300 --store a.db --json | diff - told

$ foretime predict cubic n=300 --ask $(cat at),token=wrong,certificate=cert.pem
foretime: the manager at 'https://localhost:<<\d+>>' does not accept the token
hint: name the file with its token: token=FILE
? 2

$ foretime predict cubic n=300 --ask $(cat at),token=token
foretime: the certificate of 'localhost' is signed by an unknown authority
hint: name the certificate that signed it: certificate=FILE.pem
? 2

$ foretime predict cubic n=300 --ask $(sed s/localhost/127.0.0.1/ at),token=token,certificate=cert.pem
foretime: the certificate of '127.0.0.1' is of another host
hint: write the address with the host name that the certificate has
? 2

$ foretime predict cubic n=300 --ask $(cat at),token=token,certificate=token
foretime: cannot read certificates in token: <<.*>>
hint: name the certificate that signed the server's: certificate=FILE.pem
? 2

$ foretime predict cubic n=300 --ask https://localhost:1,token=token
foretime: no manager answers at 'https://localhost:1': Connection refused
? 2

$ foretime predict cubic n=300 --ask https://nobody.invalid:8443,token=token,timeout=1s
foretime: <<.*>>'https://nobody.invalid:8443'<<.*>>
? 2

$ chmod 644 wrong; foretime predict cubic n=300 --ask $(cat at),token=wrong
foretime: 'wrong' is a secret, and other users may read or write it
hint: chmod 600 'wrong'
? 2

## each its own token; one of the same machine needs none
$ umask 077; echo "https://localhost:1 x" >tokens; echo "$(cat at) a-token-that-is-long" >>tokens; foretime plan rank cubic n=300 --ask unix:a.sock,$(cat at),https://localhost:1,token=tokens,certificate=cert.pem,load=idle --json 2>/dev/null >told; jq -r '(.ranks[], .unanswered[]) | (.name // .manager) | sub(":[0-9]+$"; "")' told
unix:a.sock
https://localhost
https://localhost

$ kill "$(cat pid)"
