# Another name of a symbolic link that root made: it belongs to root, and leads to the victim.
rm -f "$1"
ln -P "$2.link" "$1"
