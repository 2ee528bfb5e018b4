# The managed file is replaced by a link to where no file is: root would make one there.
rm -f "$1"
ln -s "$2.made" "$1"
