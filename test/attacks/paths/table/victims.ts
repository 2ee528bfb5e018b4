/**
 * @module What root manages in a directory of the attacker: each kind that has a path, with each setting that makes it do
 * something of its own there.
 */

export interface Victim {
  readonly name: string;
  /** Type of the resource without `conn3x_`. */
  readonly kind: "file" | "line" | "directory" | "link";
  /** What is at the path when all is well. */
  readonly holds: "file" | "directory" | "link";
  /** Settings beside the path, as HCL. */
  readonly settings: string;
  /** Whether it is tried by sudo as well, and not only by root's own login: the same scripts, once for each kind. */
  readonly bySudo: boolean;
  /** Whether it can be imported by its path. */
  readonly imports: boolean;
}

const file = (name: string, more = ""): Victim => ({
  name,
  kind: "file",
  holds: "file",
  settings: `content = "wanted\\n"\nowner = "plain"\nmode = "0604"${more}`,
  bySudo: more === "",
  imports: more === "",
});
const line = (name: string, more = ""): Victim => ({
  name,
  kind: "line",
  holds: "file",
  settings: `line = "wanted = 1"\ncreate = true${more}`,
  bySudo: more === "",
  imports: false,
});
const directory = (name: string, more = ""): Victim => ({
  name,
  kind: "directory",
  holds: "directory",
  settings: `owner = "plain"\nmode = "0705"\non_remove = "delete"${more}`,
  bySudo: !more.includes("purge"),
  imports: more === "",
});
const link = (name: string, settings: string): Victim => ({
  name,
  kind: "link",
  holds: "link",
  settings: `${settings}\nforce = true`,
  bySudo: true,
  imports: name === "link",
});

export const victims: readonly Victim[] = [
  file("file"),
  file("file_backup", "\nbackup = true"),
  file("file_validate", '\nvalidate = "grep -q wanted %s"'),
  file("file_in_place", "\nunsafe_write = true"),
  line("line"),
  line("line_backup", "\nbackup = true"),
  line("line_in_place", "\nunsafe_write = true"),
  directory("directory"),
  directory("directory_recurse", "\nrecurse = true"),
  directory("directory_purge", "\npurge = true"),
  {
    ...file("file_of_root"),
    settings: 'content = "only for root\\n"\nmode = "0640"',
    imports: false,
  },
  {
    ...directory("directory_mode"),
    settings: 'mode = "0705"\nrecurse = true',
    bySudo: false,
    imports: false,
  },
  {
    ...file("file_secret"),
    settings: 'secret_content = "only for root\\n"\nowner = "root"\nmode = "0600"\nbackup = true',
    bySudo: false,
    imports: false,
  },
  {
    ...file("file_secret_kept"),
    settings: 'secret_content = "only for root\\n"\nmode = "0600"',
    bySudo: false,
    imports: false,
  },
  {
    ...directory("directory_of_root"),
    settings: 'mode = "0750"\non_remove = "delete"',
    imports: false,
  },
  link("link", 'target = "/srv/wanted"'),
  link("link_hard", 'target = "/srv/wanted"\nkind = "hard"'),
];
