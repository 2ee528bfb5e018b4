/**
 * @module Init scripts and the links that start them at boot (`/etc/rc?.d`), which systemd and SysV init share.
 */
import { type Script, script } from "../../script/script.ts";

export interface LinkedNames {
  /** Services that have an init script. */
  readonly scripts: ReadonlySet<string>;
  /** Services that are started in one of the run levels 2 to 5. */
  readonly started: ReadonlySet<string>;
}

/** Prints a paragraph for {@link linkedNames}. No process is started. */
export const printLinks = (units: readonly string[]): Script => script`echo links
for u in ${units}; do
  u=\${u%.service}
  if [ -e "/etc/init.d/$u" ]; then echo "script $u"; fi
  for f in /etc/rc[2345].d/S[0-9][0-9]"$u"; do
    if [ -e "$f" ]; then echo "start $u"; break; fi
  done
done
echo`;

/** @param text what {@link printLinks} printed */
export function linkedNames(text: string): LinkedNames {
  const names = (word: string) =>
    new Set(
      text
        .split("\n")
        .filter((line) => line.startsWith(`${word} `))
        .map((line) => line.slice(word.length + 1)),
    );
  return { scripts: names("script"), started: names("start") };
}
