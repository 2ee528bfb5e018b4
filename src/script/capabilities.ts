/**
 * @module Capabilities of a file (capabilities(7)), which the kernel takes away when it is given to another user or written to.
 */
import { lines, raw, type Script, script } from "./script.ts";

/**
 * `c3x_capabilities FILE` remembers them and `c3x_put_back FILE` sets them again, with libcap's tools, or with GNU cp, which
 * copies extended attributes from and to an empty file. Where there is neither, none are known.
 */
export const capabilities: Script = raw(`c3x_caps= c3x_attributes=
c3x_capabilities() {
  if command -v getcap >/dev/null 2>&1 && command -v setcap >/dev/null 2>&1; then
    c3x_caps=$(getcap "$1" 2>/dev/null)
    c3x_caps=\${c3x_caps#"$1"}
    c3x_caps=\${c3x_caps# =}
    c3x_caps=\${c3x_caps# }
  elif c3x_attributes=$(mktemp 2>/dev/null) && ! cp --attributes-only --preserve=xattr -- "$1" "$c3x_attributes" 2>/dev/null; then
    rm -f -- "$c3x_attributes"
    c3x_attributes=
  fi
}
c3x_put_back() {
  [ -z "$c3x_caps" ] || setcap "$c3x_caps" "$1" || return
  [ -n "$c3x_attributes" ] || return 0
  cp --attributes-only --preserve=xattr -- "$c3x_attributes" "$1" || return
  rm -f -- "$c3x_attributes"
}`);

/** @param change gives the file to another user: shell text of one command or list */
export const keepingCapabilities = (path: string, change: Script): Script =>
  lines([
    capabilities,
    script`c3x_capabilities ${path}
${change}
c3x_r=$?
c3x_put_back ${path} && [ $c3x_r -eq 0 ]`,
  ]);
