/**
 * @module The table of settings that can be left to somebody else: for each one of every kind, how somebody changes it by
 * hand, and an edit of another setting beside it. A setting without a row fails the suite.
 */
import type { PlainObject } from "../../src/values/plain.ts";

/** Scripts are POSIX sh that somebody independent of the product runs on the host. */
export interface OwnedCase {
  readonly type: string;
  readonly setting: string;
  readonly prepare?: (root: string) => string;
  /** Settings of an object that sets it, below `root` where it has a path. */
  readonly settings: (root: string) => PlainObject;
  /** What somebody does to it on the host. */
  readonly byHand: (root: string) => string;
  /** Succeeds while it is as they left it. */
  readonly theirs: (root: string) => string;
  /** An edit of other settings. */
  readonly beside: PlainObject;
  /** Succeeds when that edit has been made; unset: it changes nothing on the host. */
  readonly done?: (root: string) => string;
  /** Whether it takes a host with a package manager. */
  readonly lab?: boolean;
  /** Whether only root can do it. */
  readonly needsRoot?: boolean;
}

const file = (root: string): PlainObject => ({
  path: `${root}/file`,
  content: "ours\n",
  mode: "0640",
});
const directory = (root: string): PlainObject => ({
  path: `${root}/directory`,
  mode: "0750",
});
const service = (): PlainObject => ({ name: "web", running: true, enabled: true, masked: false });
const units = (root: string): string => `${root}/../run/units/web.service`;

const withoutPackage = () => "apt-mark unhold conn3x-demo; apt-get -y purge conn3x-demo";

export const ownedCases: readonly OwnedCase[] = [
  {
    type: "conn3x_file",
    setting: "content",
    settings: file,
    byHand: (root) => `echo theirs >'${root}/file'`,
    theirs: (root) => `[ "$(cat '${root}/file')" = theirs ]`,
    beside: { mode: "0600" },
    done: (root) => `[ "$(stat -c %a '${root}/file')" = 600 ]`,
  },
  {
    type: "conn3x_file",
    setting: "content_base64",
    settings: (root) => ({ ...file(root), content: null, content_base64: "b3Vycwo=" }),
    byHand: (root) => `echo theirs >'${root}/file'`,
    theirs: (root) => `[ "$(cat '${root}/file')" = theirs ]`,
    beside: { mode: "0600" },
    done: (root) => `[ "$(stat -c %a '${root}/file')" = 600 ]`,
  },
  ...metadata(
    "conn3x_file",
    file,
    "file",
    { content: "newer\n" },
    (path) => `[ "$(cat '${path}')" = newer ]`,
  ),
  ...metadata("conn3x_directory", directory, "directory", { on_remove: "keep" }, undefined),
  {
    type: "conn3x_directory",
    setting: "recurse",
    prepare: (root) => `mkdir -p '${root}/directory'; touch '${root}/directory/in'`,
    settings: (root) => ({ ...directory(root), recurse: true }),
    byHand: (root) => `chmod 0604 '${root}/directory/in'`,
    theirs: (root) => `[ -n "$(find '${root}/directory/in' -perm 604)" ]`,
    beside: { mode: "0711" },
    done: (root) => `[ -n "$(find '${root}/directory' -prune -perm 711)" ]`,
  },
  {
    type: "conn3x_link",
    setting: "target",
    settings: (root) => ({ path: `${root}/link`, target: "ours" }),
    byHand: (root) => `ln -sfn theirs '${root}/link'`,
    theirs: (root) => `[ "$(readlink '${root}/link')" = theirs ]`,
    beside: { force: true },
  },
  {
    type: "conn3x_link",
    setting: "kind",
    prepare: (root) => `: >'${root}/file'`,
    settings: (root) => ({ path: `${root}/link`, target: `${root}/file`, kind: "hard" }),
    byHand: (root) => `ln -sfn '${root}/file' '${root}/link'`,
    theirs: (root) => `[ -L '${root}/link' ]`,
    beside: { force: true },
  },
  {
    type: "conn3x_line",
    setting: "line",
    settings: (root) => ({
      path: `${root}/conf`,
      regexp: "^Port ",
      line: "Port 2222",
      create: true,
      backup: false,
    }),
    byHand: (root) => `echo 'Port 22' >'${root}/conf'`,
    theirs: (root) => `[ "$(cat '${root}/conf')" = 'Port 22' ]`,
    beside: { backup: true },
  },
  {
    type: "conn3x_line",
    setting: "state",
    prepare: (root) => `printf 'a\\nb\\n' >'${root}/conf'`,
    settings: (root) => ({ path: `${root}/conf`, line: "c", state: "absent" }),
    byHand: (root) => `echo c >>'${root}/conf'`,
    theirs: (root) => `[ "$(tr '\\n' ' ' <'${root}/conf')" = 'a b c ' ]`,
    beside: { backup: true },
  },
  {
    type: "conn3x_service",
    setting: "running",
    settings: service,
    byHand: (root) => `rm '${units(root)}/active'`,
    theirs: (root) => `[ ! -e '${units(root)}/active' ]`,
    beside: { enabled: false },
    done: (root) => `[ ! -e '${units(root)}/enabled' ]`,
  },
  {
    type: "conn3x_service",
    setting: "enabled",
    settings: service,
    byHand: (root) => `rm '${units(root)}/enabled'`,
    theirs: (root) => `[ ! -e '${units(root)}/enabled' ]`,
    beside: { running: false },
    done: (root) => `[ ! -e '${units(root)}/active' ]`,
  },
  {
    type: "conn3x_service",
    setting: "masked",
    settings: () => ({ ...service(), enabled: null }),
    byHand: (root) => `: >'${units(root)}/masked'`,
    theirs: (root) => `[ -e '${units(root)}/masked' ]`,
    beside: { running: false },
    done: (root) => `[ ! -e '${units(root)}/active' ]`,
  },
  {
    type: "conn3x_package",
    setting: "version",
    prepare: withoutPackage,
    settings: () => ({ name: "conn3x-demo", version: "1.0", hold: false }),
    byHand: () => "apt-get -y install conn3x-demo=2.0",
    theirs: () => `[ "$(dpkg-query -W -f '\${Version}' conn3x-demo)" = 2.0 ]`,
    beside: { hold: true },
    done: () => "apt-mark showhold | grep -q conn3x-demo",
    lab: true,
  },
  {
    type: "conn3x_package",
    setting: "hold",
    prepare: withoutPackage,
    settings: () => ({ name: "conn3x-demo", version: "1.0", hold: false }),
    byHand: () => "apt-mark hold conn3x-demo",
    theirs: () => "apt-mark showhold | grep -q conn3x-demo",
    beside: { lock_timeout: 9 },
    lab: true,
  },
  {
    type: "conn3x_package",
    setting: "state",
    prepare: withoutPackage,
    settings: () => ({ name: "conn3x-demo", state: "present" }),
    byHand: () => "apt-get -y --allow-change-held-packages remove conn3x-demo",
    theirs: () => "! dpkg-query -W -f '${db:Status-Abbrev}' conn3x-demo | grep -q ^.i",
    beside: { lock_timeout: 9 },
    lab: true,
  },
  {
    type: "conn3x_package",
    setting: "names",
    settings: () => ({ names: ["tree", "jq"] }),
    byHand: () => "apt-get -y remove jq",
    theirs: () => "! command -v jq && command -v tree",
    beside: { lock_timeout: 9 },
    lab: true,
  },
];

/** Mode, owner and group of what is at a path. */
function metadata(
  type: string,
  settings: (root: string) => PlainObject,
  name: string,
  beside: PlainObject,
  done: ((path: string) => string) | undefined,
): readonly OwnedCase[] {
  const at = (root: string) => `${root}/${name}`;
  const proof = done === undefined ? {} : { done: (root: string) => done(at(root)) };
  const row = (setting: string, byHand: (path: string) => string, theirs: (path: string) => string) => ({
    type,
    setting,
    settings: (root: string) => (setting === "mode" ? settings(root) : { ...settings(root), [setting]: "0" }),
    needsRoot: setting !== "mode",
    byHand: (root: string) => byHand(at(root)),
    theirs: (root: string) => theirs(at(root)),
    beside,
    ...proof,
  });
  return [
    row(
      "mode",
      (path) => `chmod 0711 '${path}'`,
      (path) => `[ "$(stat -c %a '${path}')" = 711 ]`,
    ),
    row(
      "owner",
      (path) => `chown 4321 '${path}'`,
      (path) => `[ "$(stat -c %u '${path}')" = 4321 ]`,
    ),
    row(
      "group",
      (path) => `chgrp 4321 '${path}'`,
      (path) => `[ "$(stat -c %g '${path}')" = 4321 ]`,
    ),
  ];
}
