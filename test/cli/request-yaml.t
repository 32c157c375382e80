## SPDX-License-Identifier: GPL-3.0-or-later
%needs python3 -c 'import yaml'
$ printf 'n,wall_s,peak_rss_bytes,scratch_bytes\n' > disk.csv; for n in 100 200 400 800 1600; do for i in 1 2 3; do echo "$n,$((n + i)),$((n * 100000 + 1000 * i)),$((n * 1000000))" >> disk.csv; done; done; foretime import disk.csv --name disk --here
imported 15 runs at 5 sizes as 'disk'

$ sed 's/scratch_bytes/gpu_memory_bytes/' disk.csv > net.csv; foretime import net.csv --name net --here
imported 15 runs at 5 sizes as 'net'

$ for f in kubernetes argo tpv; do foretime request net n=800 --format $f --cpus 2 > $f.yml 2>/dev/null; python3 -c 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))' $f.yml; done | sed -E 's/[0-9]{3,}/N/g'
{"activeDeadlineSeconds": N, "containers": [{"name": "net", "resources": {"requests": {"cpu": "2", "memory": "<<\w+>>Mi"}, "limits": {"memory": "<<\w+>>Mi", "nvidia.com/gpu": 1}}}]}
[{"name": "net", "activeDeadlineSeconds": N, "container": {"resources": {"requests": {"cpu": "2", "memory": "<<\w+>>Mi"}, "limits": {"memory": "<<\w+>>Mi", "nvidia.com/gpu": 1}}}}]
{"tools": {"net": {"cores": 2, "gpus": 1, "mem": <<[\d.N]+>>, "params": {"walltime": "<<\w+>>"}}}}

## forms of one size: each is read by a parser of its kind
$ for f in cwl kubernetes argo; do foretime request disk n=800 --format $f --cpus 2 > $f.yml 2>/dev/null; python3 -c 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))' $f.yml; done | sed -E 's/[0-9]{3,}/N/g'
{"requirements": {"ResourceRequirement": {"coresMin": 2, "ramMin": <<\w+>>, "tmpdirMin": N}, "ToolTimeLimit": {"timelimit": N}}}
{"activeDeadlineSeconds": N, "containers": [{"name": "disk", "resources": {"requests": {"cpu": "2", "memory": "<<\w+>>Mi", "ephemeral-storage": "NMi"}, "limits": {"memory": "<<\w+>>Mi"}}}]}
[{"name": "disk", "activeDeadlineSeconds": N, "container": {"resources": {"requests": {"cpu": "2", "memory": "<<\w+>>Mi", "ephemeral-storage": "NMi"}, "limits": {"memory": "<<\w+>>Mi"}}}}]
