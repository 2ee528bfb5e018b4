# The directory of the managed file is replaced by a link to the directory of the victim, where a file has the same name.
mv "${1%/*}" "${1%/*}.away"
ln -s "${2%/*}" "${1%/*}"
