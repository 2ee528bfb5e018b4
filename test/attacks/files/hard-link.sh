# The managed file is replaced by another name of the victim (the kernel's protection is off).
rm -f "$1"
ln "$2" "$1"
