/**
 * @module The tables that the contract suite goes through: for every kind, an object to make, an edit of it, and how a
 * person would change it by hand. A new kind gets a row here and with it the whole suite.
 */

import type { LifeCase } from "../../src/kind/testing/life-case.ts";

/** An object that has everything: it drifts, vanishes, and goes when it is removed. */
export type ContractCase = LifeCase & Required<Pick<LifeCase, "edited" | "drift" | "proof" | "vanish">>;

/** Kinds with a whole life, on any host. */
export const contractCases: readonly ContractCase[] = [
  {
    type: "conn3x_file",
    settings: (root) => ({ path: `${root}/a b/it's`, content: "one\ntwo\n", mode: "0640" }),
    known: "path",
    edited: (root) => ({ path: `${root}/a b/it's`, content: "one\nthree", mode: "0640" }),
    another: (root) => ({ path: `${root}/other`, content: "one\nthree" }),
    drift: { script: (root) => `echo by hand >>'${root}/a b/it'"'"s`, paths: ["content", "sha256"] },
    proof: (root) =>
      `[ "$(cat '${root}/a b/it'"'"s; echo x)" = "$(printf 'one\\ntwo\\nx')" ] && [ -n "$(find '${root}/a b' -name 'it*' -perm 640)" ]`,
    vanish: (root) => `rm '${root}/a b/it'"'"s`,
  },
  {
    type: "conn3x_directory",
    settings: (root) => ({ path: `${root}/parent/dir`, mode: "2750" }),
    known: "path",
    edited: (root) => ({ path: `${root}/parent/dir`, mode: "0700" }),
    another: (root) => ({ path: `${root}/parent/other`, mode: "0700" }),
    drift: { script: (root) => `chmod 0711 '${root}/parent/dir'`, paths: ["mode"] },
    proof: (root) => `[ -n "$(find '${root}/parent' -name dir -type d -perm 2750)" ]`,
    vanish: (root) => `rmdir '${root}/parent/dir'`,
  },
  {
    type: "conn3x_link",
    settings: (root) => ({ path: `${root}/links/current`, target: "release 1" }),
    known: "path",
    edited: (root) => ({ path: `${root}/links/current`, target: "release 2" }),
    another: (root) => ({ path: `${root}/links/next`, target: "release 2" }),
    drift: {
      script: (root) => `ln -sfn elsewhere '${root}/links/current'`,
      paths: ["target"],
    },
    proof: (root) => `[ "$(readlink '${root}/links/current')" = 'release 1' ]`,
    vanish: (root) => `rm '${root}/links/current'`,
  },
  {
    type: "conn3x_line",
    settings: (root) => ({ path: `${root}/conf`, regexp: "^#?Port ", line: "Port 2222", create: true }),
    known: "path",
    edited: (root) => ({ path: `${root}/conf`, regexp: "^#?Port ", line: "Port 2200", create: true }),
    another: (root) => ({ path: `${root}/other`, regexp: "^#?Port ", line: "Port 2200", create: true }),
    drift: {
      script: (root) =>
        `sed 's/^Port.*/#Port 22/' '${root}/conf' >'${root}/x' && mv '${root}/x' '${root}/conf'`,
      paths: ["line"],
    },
    proof: (root) => `[ "$(grep -c '^Port 2222$' '${root}/conf')" = 1 ]`,
    vanish: (root) => `: >'${root}/conf'`,
  },
];

/** Parts of the suite that do not fit a kind are left out by what its row leaves out. */
export const furtherCases: readonly LifeCase[] = [
  {
    type: "conn3x_file",
    title: "with a secret",
    settings: (root) => ({ path: `${root}/key`, secret_content: "t0ps3cret\n", mode: "0600" }),
    known: "path",
    edited: (root) => ({ path: `${root}/key`, secret_content: "an0ther", mode: "0600" }),
    another: (root) => ({ path: `${root}/other-key`, secret_content: "an0ther", mode: "0600" }),
    drift: { script: (root) => `echo by hand >>'${root}/key'`, paths: ["secret_intact"] },
    proof: (root) => `[ "$(cat '${root}/key'; echo x)" = "$(printf 't0ps3cret\nx')" ]`,
    vanish: (root) => `rm '${root}/key'`,
  },
  {
    type: "conn3x_directory",
    title: "with everything in it",
    prepare: (root) => `mkdir -p '${root}/all/sub'; touch '${root}/all/sub/f'; chmod 600 '${root}/all/sub/f'`,
    settings: (root) => ({ path: `${root}/all`, mode: "0750", recurse: true }),
    known: "path",
    edited: (root) => ({ path: `${root}/all`, mode: "0755", recurse: true }),
    drift: { script: (root) => `chmod 0666 '${root}/all/sub/f'`, paths: ["recurse", "differing[0]"] },
    proof: (root) =>
      `[ -n "$(find '${root}/all' -name sub -perm 750)" ] && [ -n "$(find '${root}/all' -name f -perm 640)" ]`,
    staysWhenRemoved: true,
  },
  {
    type: "conn3x_link",
    title: "that is hard",
    prepare: (root) => `mkdir '${root}/h'; echo one >'${root}/h/one'; echo two >'${root}/h/two'`,
    settings: (root) => ({ path: `${root}/h/link`, target: `${root}/h/one`, kind: "hard" }),
    known: "path",
    edited: (root) => ({ path: `${root}/h/link`, target: `${root}/h/two`, kind: "hard" }),
    another: (root) => ({ path: `${root}/h/next`, target: `${root}/h/two`, kind: "hard" }),
    drift: {
      script: (root) => `cp '${root}/h/one' '${root}/h/new' && mv '${root}/h/new' '${root}/h/one'`,
      paths: ["target"],
    },
    proof: (root) => `[ '${root}/h/link' -ef '${root}/h/one' ]`,
    vanish: (root) => `rm '${root}/h/link'`,
  },
  {
    type: "conn3x_directory",
    title: "without what nobody put there",
    prepare: (root) => `mkdir -p '${root}/conf.d'; touch '${root}/conf.d/ours' '${root}/conf.d/kept'`,
    settings: (root) => ({
      path: `${root}/conf.d`,
      purge: true,
      keep: ["kept"],
      managed: [`${root}/conf.d/ours`],
    }),
    known: "path",
    edited: (root) => ({ path: `${root}/conf.d`, purge: true, managed: [`${root}/conf.d/ours`] }),
    drift: {
      script: (root) => `mkdir '${root}/conf.d/d'; touch '${root}/conf.d/d/theirs'`,
      paths: ["extra[0]"],
    },
    proof: (root) => `[ "$(cd '${root}/conf.d' && find . | sort | tr '\n' ' ')" = ". ./kept ./ours " ]`,
    staysWhenRemoved: true,
  },
  {
    type: "conn3x_line",
    title: "that is not to be there",
    prepare: (root) => `printf 'a\\nPermitRootLogin yes\\nb' >'${root}/sshd'`,
    settings: (root) => ({ path: `${root}/sshd`, regexp: "^PermitRootLogin", state: "absent" }),
    known: "path",
    edited: (root) => ({ path: `${root}/sshd`, regexp: "^a", state: "absent" }),
    drift: { script: (root) => `printf '\\nPermitRootLogin no\\n' >>'${root}/sshd'`, paths: ["state"] },
    proof: (root) => `! grep PermitRootLogin '${root}/sshd' && grep -q '^a$' '${root}/sshd'`,
    staysWhenRemoved: true,
  },
  {
    type: "conn3x_command",
    settings: (root) => ({ run: `echo one >'${root}/run'` }),
    known: "run",
    edited: (root) => ({ run: `rm '${root}/run'` }),
    proof: (root) => `[ "$(cat '${root}/run')" = one ]`,
    staysWhenRemoved: true,
    isNeverRead: true,
  },
  {
    type: "conn3x_command",
    title: "that makes something",
    settings: (root) => ({ run: `mkdir '${root}/db'`, unless: `[ -d '${root}/db' ]` }),
    known: "run",
    edited: (root) => ({ run: `rmdir '${root}/db'` }),
    proof: (root) => `[ -d '${root}/db' ]`,
    vanish: (root) => `rmdir '${root}/db'`,
    staysWhenRemoved: true,
  },
  {
    type: "conn3x_wait_for",
    prepare: (root) => `touch '${root}/there'`,
    settings: (root) => ({ path: `${root}/there`, timeout: 5 }),
    known: "path",
    edited: (root) => ({ path: `${root}/gone`, state: "absent", timeout: 5 }),
    staysWhenRemoved: true,
    isNeverRead: true,
  },
  { type: "conn3x_facts", settings: () => ({}), staysWhenRemoved: true },
  {
    type: "conn3x_command_action",
    settings: (root) => ({ run: `echo run >>'${root}/runs'`, triggers: ["a", { "web1/x": "b" }] }),
    known: "run",
    edited: (root) => ({ run: `echo other >>'${root}/runs'`, triggers: ["a", { "web1/x": "b" }] }),
    another: (root) => ({ run: `echo other >>'${root}/runs'`, triggers: ["a", { "web1/x": "c" }] }),
    anotherBy: "triggers",
    editedRunsNothing: true,
    staysWhenRemoved: true,
    isNeverRead: true,
  },
];

/** Kinds that need services: those of the host in this process are of its own, and called `web`. */
export const serviceCases: readonly LifeCase[] = [
  {
    type: "conn3x_service",
    title: "of a unit",
    settings: () => ({ name: "web", running: true, enabled: true }),
    known: "name",
    edited: () => ({ name: "web", running: false, enabled: true }),
    another: () => ({ name: "worker", running: true }),
    drift: { script: (root) => `rm '${root}/../run/units/web.service/active'`, paths: ["running"] },
    proof: (root) => `[ -e '${root}/../run/units/web.service/active' ]`,
    staysWhenRemoved: true,
  },
  {
    type: "conn3x_service_action",
    settings: () => ({ name: "web", action: "restart", triggers: ["a"] }),
    known: "name",
    edited: () => ({ name: "web", action: "reload", triggers: ["a"] }),
    another: () => ({ name: "web", action: "reload", triggers: ["b"] }),
    anotherBy: "triggers",
    editedRunsNothing: true,
    staysWhenRemoved: true,
    isNeverRead: true,
  },
];

/** Kinds that need a host of their own: they change what there is one of. */
export const labCases: readonly LifeCase[] = [
  {
    type: "conn3x_reboot",
    settings: () => ({ triggers: { config: "a" }, timeout: 60 }),
    known: "timeout",
    edited: () => ({ triggers: { config: "b" }, timeout: 60 }),
    editedBecause: "triggers",
    staysWhenRemoved: true,
    isNeverRead: true,
  },
  {
    type: "conn3x_package",
    settings: () => ({ name: "conn3x-demo", version: "1.0" }),
    known: "name",
    edited: () => ({ name: "conn3x-demo", version: "2.0" }),
    another: () => ({ name: "conn3x-lib" }),
    drift: { script: () => "apt-get -y remove conn3x-demo", paths: ["version", "state"] },
    proof: () => `[ "$(dpkg-query -W -f '\${db:Status-Abbrev}\${Version}' conn3x-demo)" = "ii 1.0" ]`,
    staysWhenRemoved: true,
  },
  {
    type: "conn3x_package",
    title: "list",
    settings: () => ({ names: ["tree", "jq"] }),
    known: "names",
    edited: () => ({ names: ["jq", "tree"], state: "purged" }),
    drift: { script: () => "apt-get -y purge jq", paths: ["names[1]"] },
    proof: () => "command -v tree && command -v jq",
    staysWhenRemoved: true,
  },
  {
    type: "conn3x_service",
    settings: () => ({ name: "lab-worker", running: true, enabled: true }),
    known: "name",
    edited: () => ({ name: "lab-worker", running: false, enabled: true }),
    drift: {
      script: () => "systemctl stop lab-worker && systemctl disable lab-worker",
      paths: ["running", "enabled"],
    },
    proof: () => "systemctl is-active lab-worker && systemctl is-enabled lab-worker",
    staysWhenRemoved: true,
  },
];
