/**
 * @module The table that the contract suite goes through: for every kind, an object to make, an edit of it, and how a
 * person would change it by hand. A new kind gets a row here and with it the whole suite.
 */
import type { PlainObject } from "../../src/values/plain.ts";

export interface ContractCase {
  readonly type: string;
  /** Settings of an object below `root`, a directory on the host that is the test's own. */
  readonly settings: (root: string) => PlainObject & { readonly path: string };
  /** The same object edited. */
  readonly edited: (root: string) => PlainObject;
  /** POSIX sh that changes the object on the host, and which attributes a read then finds different. */
  readonly drift: { readonly script: (root: string) => string; readonly paths: readonly string[] };
  /** POSIX sh that succeeds when the object is as `settings` say. */
  readonly proof: (root: string) => string;
  /** POSIX sh that removes the object by hand. */
  readonly vanish: (root: string) => string;
}

export const contractCases: readonly ContractCase[] = [
  {
    type: "conn3x_file",
    settings: (root) => ({ path: `${root}/a b/it's`, content: "one\ntwo\n", mode: "0640" }),
    edited: (root) => ({ path: `${root}/a b/it's`, content: "one\nthree", mode: "0640" }),
    drift: { script: (root) => `echo by hand >>'${root}/a b/it'"'"s`, paths: ["content", "sha256"] },
    proof: (root) =>
      `[ "$(cat '${root}/a b/it'"'"s; echo x)" = "$(printf 'one\\ntwo\\nx')" ] && [ -n "$(find '${root}/a b' -name 'it*' -perm 640)" ]`,
    vanish: (root) => `rm '${root}/a b/it'"'"s`,
  },
  {
    type: "conn3x_directory",
    settings: (root) => ({ path: `${root}/parent/dir`, mode: "2750" }),
    edited: (root) => ({ path: `${root}/parent/dir`, mode: "0700" }),
    drift: { script: (root) => `chmod 0711 '${root}/parent/dir'`, paths: ["mode"] },
    proof: (root) => `[ -n "$(find '${root}/parent' -name dir -type d -perm 2750)" ]`,
    vanish: (root) => `rmdir '${root}/parent/dir'`,
  },
];
