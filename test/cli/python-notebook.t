## SPDX-License-Identifier: GPL-3.0-or-later
## Tables and pictures in a notebook, which nbconvert runs.
%needs /usr/bin/python3 -c "import nbconvert, ipykernel"
$ foretime import in/cubic.csv --name cubic >/dev/null; cat >make.py <<'END'
> import json
> cells = ["import foretime", "foretime.predict('cubic', n=[300, 5000])", "foretime.plot('cubic')"]
> json.dump({"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": [
>     {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": cell} for cell in cells]}, open("n.ipynb", "w"))
> END
> export FORETIME_LIBRARY=$FORETIME_TEST_BUILD/libforetime.so.0 PYTHONPATH=$FORETIME_TEST_SOURCE/python PYTHONDONTWRITEBYTECODE=1
> /usr/bin/python3 make.py; /usr/bin/python3 -m nbconvert --execute --to notebook --output done.ipynb n.ipynb >said 2>&1 || cat said
> jq -r '.cells[].outputs[].data | keys[]' done.ipynb | sort -u; jq -r '.cells[1].outputs[0].data["text/html"] | add' done.ipynb | grep -o '<caption>.*</caption>'
image/svg+xml
text/html
text/plain
<caption>cubic: wall_s</caption>

