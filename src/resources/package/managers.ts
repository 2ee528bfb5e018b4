/**
 * @module All package managers, and which of them a host has.
 */
import { raw, type Script, script } from "../../script/script.ts";
import { dispatch } from "../dispatch.ts";
import { apk } from "./apk/apk.ts";
import { apt } from "./apt/apt.ts";
import { dnfLike } from "./dnf/dnf.ts";
import type { PackageManager } from "./manager.ts";
import { pacman } from "./pacman/pacman.ts";
import { zypper } from "./zypper/zypper.ts";

export const managers: readonly PackageManager[] = [apt, dnfLike("dnf"), dnfLike("yum"), zypper, apk, pacman];

/** Prints one word. A manager is recognised by its own tool: a Debian host may have `dnf` installed for others' sake. */
export const detect = raw(`c3x_manager() {
  if command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; then echo apt
  elif command -v zypper >/dev/null 2>&1; then echo zypper
  elif command -v dnf >/dev/null 2>&1; then echo dnf
  elif command -v yum >/dev/null 2>&1; then echo yum
  elif command -v apk >/dev/null 2>&1; then echo apk
  elif command -v pacman >/dev/null 2>&1; then echo pacman
  else echo none
  fi
}`);

/** Runs what belongs to the host's manager, after a line with its name. */
export const withManager = (scripts: ReadonlyMap<string, Script>): Script => script`${detect}
m=$(c3x_manager)
echo "$m"
${dispatch(raw("$m"), scripts)}`;
