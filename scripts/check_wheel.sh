#!/usr/bin/env sh
# Builds wheel and sdist, installs the wheel into an empty environment, and uses it as a newcomer would.
set -eu
python=${1:-python3}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

"$python" -m build --no-isolation --outdir "$place" . >/dev/null
"$python" -m venv "$place/env"
"$place/env/bin/python" -m pip install --quiet --disable-pip-version-check "$place"/*.whl
cd "$place"
PATH=$place/env/bin:$PATH

cat > docs.csv <<'CSV'
id,title,text,labels
1,On the green,"A long putt on the green won the golf round",golf
2,A long night,"Votes were counted all night; the golf club waited",elections|golf
3,Recount,"The court ordered a recount of the votes",elections
CSV
printf 'topic,parent\nsport,\ngolf,sport\nelections,\n' > tree.csv
frex prepare docs.csv --tree tree.csv --out corpus --min-docs 1
frex fit corpus --method map --out fit
frex top fit
frex report fit --out page.html
frex demo
test -s page.html && test -s frex-demo.html
echo "the wheel works: $(ls "$place"/*.whl "$place"/*.tar.gz | xargs -n 1 basename | tr '\n' ' ')"
