## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime serve --help | head -1
foretime serve: show the store in a browser, or answer programs (a manager)

$ foretime serve there
foretime: 'serve' takes no 'there'
? 2

## what the server starts ahead waits for words that never come
$ foretime --ahead </dev/null
? 2

$ foretime serve --port 65536
foretime: 65536 is not a port: the last one is 65535
? 2

$ foretime import in/cubic.csv --name cubic >/dev/null; $FORETIME_TEST_SOURCE/test/cli/data/report/make >jobs.txt; FORETIME_MANAGER=$PWD/none foretime serve --report jobs.txt >url 2>said & echo $! >pid; until [ -s url ] || [ -s said ]; do sleep 0.1; done

## files need no token, and say what the page may do; all the rest does
$ web "$(cat url)" / | head -1
<!doctype html>

$ web "$(cat url)" -i / | grep -i -e '^HTTP' -e security
HTTP/1.1 200 OK
Content-Security-Policy: default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'

## it answers as the command does
$ web "$(cat url)" /api/predict/cubic?n=300 >told; foretime predict cubic n=300 --json | diff - told

$ web "$(cat url)" /api/show/cubic >told; foretime show cubic --json | diff - told

$ web "$(cat url)" /api/list/cubic >told; foretime list cubic --json | diff - told

## a report is of the files that the service was started with: no request names one, nor how a file is read
$ web "$(cat url)" '/api/report?by=user&partition=batch' >told; foretime report jobs.txt --by user --partition batch --json | diff - told

$ for q in report/jobs.txt 'report?name=x' 'report?size=n=file:x' 'report?from=csv' 'report?jobs.txt'; do web "$(cat url)" "/api/$q" | cut -c 1-80; done
{"schema":"foretime-error-1","error":"there is no such question","remedy":null}
{"schema":"foretime-error-1","error":"unknown parameter 'name'","remedy":"the pa
{"schema":"foretime-error-1","error":"unknown parameter 'size'","remedy":"the pa
{"schema":"foretime-error-1","error":"unknown parameter 'from'","remedy":"the pa
{"schema":"foretime-error-1","error":"unknown parameter 'jobs.txt'","remedy":"th

$ foretime serve --report missing.txt
foretime: --report: cannot read 'missing.txt': No such file or directory
? 2

$ foretime serve --report jobs.txt --socket m.sock 2>&1 | head -1
foretime: --report and --socket exclude each other

## who has no token, another name, or comes from another site, is told nothing
$ web -n "$(cat url)" /api/list
{"schema":"foretime-error-1","error":"a token is needed","remedy":"send the header 'Authorization: Bearer TOKEN'"}
? 1
$ web -H 'Host: evil.example' "$(cat url)" /
{"schema":"foretime-error-1","error":"this server has another name","remedy":"ask it by the name that it was configured with"}
? 1
$ web -H 'Origin: http://evil.example' "$(cat url)" /api/list
{"schema":"foretime-error-1","error":"a page of another site asks","remedy":"open the address that was printed"}
? 1
$ web -H 'Sec-Fetch-Site: cross-site' "$(cat url)" /api/list
{"schema":"foretime-error-1","error":"a page of another site asks","remedy":"open the address that was printed"}
? 1

## what is asked are values of a table: no path, no option, no other command, no other method
$ for q in predict/-h 'fit/in%2Fcubic.csv' 'predict/cubic?--store=x' 'predict/cubic?store=x' rm/cubic 'plot/cubic?output=x.svg'; do web "$(cat url)" "/api/$q"; echo; done
{"schema":"foretime-error-1","error":"'-h' is not available here","remedy":"ask the command: the page takes no paths and no options"}
{"schema":"foretime-error-1","error":"'in/cubic.csv' is not available here","remedy":"ask the command: the page takes no paths and no options"}
{"schema":"foretime-error-1","error":"unknown parameter '--store'","remedy":"the parameters are: resource confidence device machine load threads niced, and values of parameters"}
...
$ web -m DELETE "$(cat url)" /api/predict/cubic
{"schema":"foretime-error-1","error":"this path takes another method","remedy":"use GET for queries and POST for data"}
? 1

$ web "$(cat url)" '/api/list?search=UB' | grep -o '"name": "[a-z]*"'; web "$(cat url)" '/api/list?search=no' | grep -c '"name"'
"name": "cubic"
0
? 1

## nobody manages here; what comes back with the mark that it has is not sent again
$ web "$(cat url)" /api/manager/queue
null
$ web -i "$(cat url)" /style.css | sed -n 's/^ETag: //p' | tr -d '\r' >mark; web -i -H "If-None-Match: $(cat mark)" "$(cat url)" /style.css | grep HTTP
HTTP/1.1 304 Not Modified

$ kill "$(cat pid)"; while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.1; done; cat said
