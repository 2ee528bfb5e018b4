import type { Attack } from "./table/attack.ts";

/** In a directory that anybody may write to, such as `/tmp`: a link is there before the object. */
export const stickyDirectory: Attack = {
  name: "sticky_directory",
  below: "/tmp",
  // Another file system than the target's: no hard link can be made there.
  against: ({ name }) => name !== "link_hard",
  arranged: ({ directory }) => `mkdir -p ${directory}; chown root:root ${directory}; chmod 1777 ${directory}`,
  strike: ({ victim, object, prize }) => {
    const target = victim.holds === "file" ? `${prize}/secret` : `${prize}/tree`;
    return `rm -rf ${object} 2>/dev/null; ln -sT ${target} ${object} 2>/dev/null || :`;
  },
};
