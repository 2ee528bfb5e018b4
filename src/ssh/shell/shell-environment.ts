/**
 * @module What in a host's environment would change what our own scripts read: taken away before the first of them runs.
 * PATH, HOME, the user's name, proxies and the time zone stay; the user's commands keep everything.
 */

/** Variables that change a tool's output, options or files, by who reads them. */
const oddities: Readonly<Record<string, readonly string[]>> = {
  "environ(7), gettext(3): the language": ["LANGUAGE"],
  "sh(1): words, start-up files, where `cd` looks and what it prints": [
    "IFS",
    "ENV",
    "BASH_ENV",
    "CDPATH",
    "GLOBIGNORE",
    "POSIXLY_CORRECT",
    "POSIX_ME_HARDER",
    "_POSIX2_VERSION",
  ],
  "coreutils: colours, sizes, quotes, times, temporary files": [
    "LS_COLORS",
    "LS_OPTIONS",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "LINES",
    "TABSIZE",
    "QUOTING_STYLE",
    "TIME_STYLE",
    "BLOCK_SIZE",
    "BLOCKSIZE",
    "DF_BLOCK_SIZE",
    "DU_BLOCK_SIZE",
    "LS_BLOCK_SIZE",
    "TMPDIR",
  ],
  "grep(1), tar(1), gzip(1), less(1): options": [
    "GREP_OPTIONS",
    "GREP_COLOR",
    "GREP_COLORS",
    "TAR_OPTIONS",
    "GZIP",
    "PAGER",
    "LESS",
    "LESSOPEN",
  ],
  "systemctl(1), systemd(1)": [
    "SYSTEMD_COLORS",
    "SYSTEMD_EMOJI",
    "SYSTEMD_URLIFY",
    "SYSTEMD_PAGER",
    "SYSTEMD_LESS",
    "SYSTEMD_LOG_LEVEL",
    "SYSTEMD_LOG_TARGET",
    "SYSTEMD_LOG_LOCATION",
    "SYSTEMD_OFFLINE",
    "SYSTEMD_IGNORE_CHROOT",
    "SYSTEMD_UNIT_PATH",
    "SYSTEMCTL_FORCE_BUS",
    "SYSTEMCTL_SKIP_SYSV",
    "SYSTEMCTL_SKIP_REDIRECT",
    "SYSTEMCTL_INSTALL_CLIENT_SIDE",
  ],
  "dpkg(1), apt.conf(5)": ["DPKG_COLORS", "DPKG_ROOT", "DPKG_ADMINDIR", "DPKG_FORCE", "APT_CONFIG"],
};

export const unsetOddities = `unset ${Object.values(oddities).flat().join(" ")}`;

/**
 * Options that a bash takes from SHELLOPTS and BASHOPTS, which it lets nobody unset: tracing would repeat each script on
 * standard error, the others end a shell or change its patterns.
 */
export const shellOptions =
  'set +vx +aefuC; [ -z "$BASH_VERSION" ] || { set +o pipefail; shopt -u nullglob failglob dotglob nocasematch nocaseglob xpg_echo; } 2>/dev/null';
