/**
 * @module The files that the lab adds to Debian: who may log in, the services that tests play with, and the script that
 * finishes the base inside it.
 */

export interface BaseFile {
  /** Absolute path on the host. */
  readonly path: string;
  readonly mode: number;
  readonly content: string;
}

/**
 * A daemon that serves what its configuration said when it was last read, so that a test can tell a file that changed
 * from a service that noticed. `/run/lab-web/log` gets one line for each start, reload and stop.
 */
const labWeb = `#!/bin/sh
log() { echo "$1" >>/run/lab-web/log; }
load() {
  if grep -q '^broken' /etc/lab-web/config; then
    echo "lab-web: /etc/lab-web/config is broken" >&2
    return 1
  fi
  cp /etc/lab-web/config /run/lab-web/served
}
load || exit 1
log started
trap 'load && log reloaded' HUP
trap 'log stopped; kill $!; exit 0' TERM
while :; do
  sleep 3600 &
  wait $!
  kill $! 2>/dev/null
done
`;

const labWebUnit = `[Unit]
Description=Lab web daemon: reads /etc/lab-web/config
# A test may restart it more often than a person would.
StartLimitIntervalSec=0

[Service]
ExecStart=/usr/local/sbin/lab-web
ExecReload=/bin/kill -HUP $MAINPID
RuntimeDirectory=lab-web
RuntimeDirectoryPreserve=yes

[Install]
WantedBy=multi-user.target
`;

const labWorkerUnit = `[Unit]
Description=Lab worker: sleeps and knows no reload
StartLimitIntervalSec=0

[Service]
ExecStart=/bin/sleep infinity

[Install]
WantedBy=multi-user.target
`;

const sshdConfig = `HostKey /etc/ssh/ssh_host_ed25519_key
PermitRootLogin prohibit-password
UseDNS no
`;

/** Files of every host. Which key may log in, the host's name, address and keys come with the host itself. */
export const baseFiles: readonly BaseFile[] = [
  { path: "/etc/lab-web/config", mode: 0o644, content: "greeting=hello\n" },
  { path: "/usr/local/sbin/lab-web", mode: 0o755, content: labWeb },
  { path: "/etc/systemd/system/lab-web.service", mode: 0o644, content: labWebUnit },
  { path: "/etc/systemd/system/lab-worker.service", mode: 0o644, content: labWorkerUnit },
  { path: "/etc/ssh/sshd_config.d/lab.conf", mode: 0o644, content: sshdConfig },
  { path: "/etc/sudoers.d/deploy", mode: 0o440, content: "deploy ALL=(ALL:ALL) NOPASSWD: ALL\n" },
  // One of doas' rules has to exist for doas to start at all.
  { path: "/etc/doas.conf", mode: 0o600, content: "permit nopass deploy\n" },
];

/** Makes one package of the lab's own: `package NAME VERSION DEPENDS`, its files already below `$root`. */
const packageFunction = `
package() {
  mkdir -p "$root/DEBIAN"
  {
    echo "Package: $1"
    echo "Version: $2"
    echo "Architecture: all"
    echo "Maintainer: Conn3x lab <lab@localhost>"
    if [ -n "$3" ]; then echo "Depends: $3"; fi
    echo "Description: package of the Conn3x lab"
  } >"$root/DEBIAN/control"
  dpkg-deb --root-owner-group --build "$root" /srv/lab-apt >/dev/null
  rm -r "$root"
}
`;

/**
 * conn3x-lib and conn3x-demo at 1.0 and 2.0; the demo has a configuration file that differs between its versions, so
 * that an upgrade over a changed one asks. conn3x-broken cannot be configured: its postinst fails.
 */
const labPackages = `
root=/tmp/lab-package
for version in 1.0 2.0; do
  mkdir -p $root/usr/share/conn3x-lib
  echo $version >$root/usr/share/conn3x-lib/version
  package conn3x-lib $version ''

  mkdir -p $root/usr/bin $root/etc $root/DEBIAN
  printf '#!/bin/sh\\necho conn3x-demo %s\\n' $version >$root/usr/bin/conn3x-demo
  chmod 755 $root/usr/bin/conn3x-demo
  echo "made for $version" >$root/etc/conn3x-demo.conf
  echo /etc/conn3x-demo.conf >$root/DEBIAN/conffiles
  package conn3x-demo $version conn3x-lib
done
mkdir -p $root/DEBIAN
printf '#!/bin/sh\\necho "conn3x-broken cannot be configured" >&2\\nexit 1\\n' >$root/DEBIAN/postinst
chmod 755 $root/DEBIAN/postinst
package conn3x-broken 1.0 ''
`;

/** A repository in apt's flat form (sources.list(5)): Packages, and a Release that names its hash. */
const repositoryIndex = `
cd /srv/lab-apt
for deb in *.deb; do
  dpkg-deb -f "$deb"
  echo "Filename: ./$deb"
  echo "Size: $(stat -c %s "$deb")"
  echo "SHA256: $(sha256sum "$deb" | cut -d' ' -f1)"
  echo
done >Packages
{
  echo "Origin: conn3x-lab"
  echo "Label: conn3x-lab"
  echo "Suite: lab"
  echo "Date: Sat, 01 Jan 2022 00:00:00 UTC"
  echo "SHA256:"
  echo " $(sha256sum Packages | cut -d' ' -f1) $(stat -c %s Packages) Packages"
} >Release
`;

/**
 * The script that finishes the base, run by its own sh as root within it, while its apt still knows the mirror.
 * @param offered packages that hosts can install from the lab's repository, with all that they need
 * @param unpacked packages whose files are there although dpkg does not know them
 */
export function finishScript(offered: readonly string[], unpacked: readonly string[]): string {
  const apt = "apt-get -q -o Acquire::Check-Valid-Until=false -o Acquire::Check-Date=false";
  return `set -e
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
mkdir -p /srv/lab-apt /tmp/unpacked

apt-get clean
${apt} update
${apt} -y --no-install-recommends --download-only install ${offered.join(" ")}
mv /var/cache/apt/archives/*.deb /srv/lab-apt/
cd /tmp/unpacked
${apt} download ${unpacked.join(" ")}
for deb in *.deb; do dpkg-deb -x "$deb" /; done
cd /
rm -r /tmp/unpacked
for shell in /usr/bin/fish /usr/bin/busybox; do
  if [ -x $shell ]; then echo $shell >>/etc/shells; fi
done
${packageFunction}${labPackages}${repositoryIndex}
cd /
rm -rf /etc/apt/sources.list /var/lib/apt/lists/*
echo 'deb [trusted=yes] file:/srv/lab-apt ./' >/etc/apt/sources.list.d/lab.list
apt-get -q update
apt-get clean

useradd --create-home --uid 1000 --shell /bin/bash --password '*' deploy
useradd --create-home --uid 1001 --shell /bin/bash --password '*' plain
rm -f /etc/ssh/ssh_host_* /etc/hostname /etc/resolv.conf
echo '# The lab has no name server: hosts have no way out.' >/etc/resolv.conf
: >/etc/machine-id
systemctl enable systemd-networkd.service
systemctl mask console-getty.service getty@tty1.service systemd-networkd-wait-online.service \\
  apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer
`;
}
