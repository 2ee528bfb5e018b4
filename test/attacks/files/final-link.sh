# The managed file is replaced by a link to a file of root's.
rm -f "$1"
ln -s "$2" "$1"
