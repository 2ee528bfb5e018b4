# What looks like a temporary file that a killed run left behind is a link to the victim, and another name of it.
hash=$(printf %s "$1" | sha256sum | cut -c1-12)
ln -s "$2" "${1%/*}/.conn3x-$hash-00000000-00000000-4194303"
ln "$2" "${1%/*}/.conn3x-$hash-00000000-00000001-4194303"
touch "$1"
