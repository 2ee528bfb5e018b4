/**
 * @module A repository of small packages, made on a lab host: a library that others need, a newer one, a rival.
 */

/** Shell text that makes it, and has apt fetch its lists. More can be added with `c3x_pk` and `c3x_index` of the same text. */
export const makePackages = `set -e
c3x_pk() {
  n=$1 v=$2; shift 2; r=/tmp/x-pk; rm -rf $r; mkdir -p $r/DEBIAN /srv/x-apt
  { printf 'Package: %s\\nVersion: %s\\nArchitecture: all\\nMaintainer: x <x@localhost>\\n' $n $v
    for f in "$@"; do printf '%s\\n' "$f"; done; echo 'Description: x'; } >$r/DEBIAN/control
  dpkg-deb --root-owner-group --build $r /srv/x-apt >/dev/null; rm -r $r
}
c3x_index() {
  cd /srv/x-apt
  for d in *.deb; do
    dpkg-deb -f $d; echo "Filename: ./$d"; echo "Size: $(stat -c %s $d)"
    echo "SHA256: $(sha256sum $d | cut -d' ' -f1)"; echo
  done >Packages
}
`;

export const xPackages = `${makePackages}
c3x_pk x-lib 1.0; c3x_pk x-lib 2.0
for i in 1 2 3 4; do c3x_pk x-use$i 1.0 'Depends: x-lib'; done
c3x_pk x-new 1.0 'Depends: x-lib (>= 2.0), x-extra'; c3x_pk x-extra 1.0
c3x_pk x-rival 1.0 'Conflicts: x-use1'
c3x_index
echo 'deb [trusted=yes] copy:/srv/x-apt ./' >/etc/apt/sources.list.d/x.list
apt-get -q update >/dev/null
apt-get -q -y install x-lib=1.0 x-use1 x-use2 x-use3 x-use4 >/dev/null 2>&1`;
