/**
 * @module Settings of every kind that writes whole files: what must hold before a file takes its place, and what is
 * kept of the one before.
 */
import { bool, string } from "../../schema/schema.ts";

export const validate = string({
  optional: true,
  hostEffect: false,
  describe:
    "A command that checks the new file before it takes its place, such as `visudo -cf %s`. `%s` stands for the path of the new file, quoted already; `%%` for a percent sign. When it fails, the old file stays and the apply fails.",
  check: (command) => {
    const places = command.replaceAll("%%", "");
    if (!places.includes("%s")) return "must contain %s, which stands for the path of the new file";
    if (/["']%s|%s["']/.test(places)) return "must have %s without quotes around it: it is quoted already";
    return undefined;
  },
});

export const backup = bool({
  optional: true,
  hostEffect: false,
  describe:
    "Whether a file that is replaced is kept beside it, as `PATH.YYYY-MM-DDTHHMMSSZ~` with the time in UTC. Nothing removes these. Default false.",
});
