import type { Attack } from "./table/attack.ts";

/** What is root's is mounted in the directory, on the same file system: recursion, purge and removal stay outside of it. */
export const bindMount: Attack = {
  name: "bind_mount",
  against: ({ kind }) => kind === "directory",
  arranged: ({ object, prize }) =>
    `mkdir -p ${object}/in/mounted; chown -R plain ${object}
mountpoint -q ${object}/in/mounted || mount --bind ${prize}/tree ${object}/in/mounted`,
  strike: ({ object }) => `chmod 0777 ${object}; touch ${object}/theirs`,
  undo: ({ object }) => `umount ${object}/in/mounted 2>/dev/null`,
};
