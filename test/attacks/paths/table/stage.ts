/**
 * @module The cells on a host: what is root's and shall stay so, the attackers' processes, and what they have won.
 */
import { createHash } from "node:crypto";
import type { LabHost } from "../../../lab/host.ts";
import { type Attack, attacker, type Cell } from "./attack.ts";
import type { Victim } from "./victims.ts";

const prizes = "/srv/prizes";

/** The parts of what {@link Cell.prize} has that objects are named after. */
const names = { file: "file", directory: "dir", link: "link" } as const;

export function cellsOf(
  attacks: readonly Attack[],
  victims: readonly Victim[],
  logins: readonly Cell["login"][],
): readonly Cell[] {
  return logins.flatMap((login) =>
    attacks.flatMap((attack) =>
      victims
        .filter((victim) => attack.against(victim) && (login === "root" || victim.bySudo))
        .map((victim): Cell => {
          const id = `${attack.name}-${victim.name}-${login}`;
          const home = `${attack.below ?? `/home/${attacker}/at`}/${id}`;
          const directory = `${home}/sub`;
          return {
            id,
            victim,
            attack,
            login,
            home,
            directory,
            object: `${directory}/${names[victim.holds]}`,
            prize: `${prizes}/${id}`,
            secret: `SECRET-${createHash("sha256").update(id).digest("hex").slice(0, 20)}`,
          };
        }),
    ),
  );
}

/** Makes all anew: the prizes, and the attackers' directories without anything in them. */
export async function prepare(host: LabHost, cells: readonly Cell[]): Promise<void> {
  await host.must(
    "sh",
    `${cells.flatMap(({ attack, ...cell }) => attack.undo?.({ attack, ...cell }) ?? []).join("\n")}
rm -rf ${prizes} /home/${attacker}/at /srv/wanted
mkdir -p ${prizes}
echo wanted >/srv/wanted
${cells.map(makePrize).join("\n")}
${cells
  .map(({ home, directory }) => `rm -rf ${home}; mkdir -p ${directory}; chown -R ${attacker}: ${home}`)
  .join("\n")}
chown ${attacker}: /home/${attacker}/at
:`,
  );
}

/** The prizes as they were, whatever has become of them. */
export const renew = (host: LabHost, cells: readonly Cell[]) =>
  host.must("sh", `${cells.map((cell) => `[ -d ${cell.prize} ] || { ${makePrize(cell)}; }`).join("\n")}\n:`);

const makePrize = ({ prize, secret }: Cell): string => `(
umask 027; s=${secret}
mkdir -p ${prize}/tree/deep ${prize}/parent/dir ${prize}/above/sub/dir; cd ${prize}
chmod 755 . tree parent above above/sub
for f in secret tree/secret tree/deep/secret parent/file parent/dir/secret above/sub/file above/sub/dir/secret; do
  printf '%s\\n' "$s" >$f
done
ln -s secret parent/link; ln -s secret above/sub/link
)`;

/** What is to be there by arrangement, and then the attackers, as the user that they are. */
export async function strike(host: LabHost, cells: readonly Cell[]): Promise<void> {
  await host.must(
    "sh",
    `${cells.map(({ attack, ...cell }) => attack.arranged?.({ attack, ...cell }) ?? "").join("\n")}\n:`,
  );
  await host.must(
    `runuser -u ${attacker} -- sh`,
    `cd /
${cells.map(({ attack, ...cell }) => `( ${attack.strike({ attack, ...cell })}\n)`).join("\n")}
:`,
  );
}

/** Lines that tell all there is to see of a prize, by the cell. */
export type Witness = ReadonlyMap<string, string>;

export async function look(host: LabHost): Promise<Witness> {
  const listing = await host.must(
    `cd ${prizes} && find . -mindepth 1 -printf '%P\\t%y %m %u:%g %s %l\\n' && find . -type f -exec sha256sum {} + | sed 's|^\\([^ ]*\\)  ./\\(.*\\)$|\\2\\t\\1|'`,
  );
  const seen = new Map<string, string[]>();
  for (const line of listing.split("\n").toSorted()) {
    const id = line.split(/[/\t]/, 1)[0]!;
    seen.set(id, [...(seen.get(id) ?? []), line]);
  }
  return new Map([...seen].map(([id, lines]) => [id, lines.join("\n")]));
}

/** What the attackers won on the host, by the cell. */
export async function wonOnHost(
  host: LabHost,
  cells: readonly Cell[],
  before: Witness,
): Promise<ReadonlyMap<Cell, string>> {
  const after = await look(host);
  const won = new Map<Cell, string>();
  for (const cell of cells) {
    const [was, is] = [before.get(cell.id) ?? "", after.get(cell.id) ?? ""].map((text) => text.split("\n"));
    if (was!.join() !== is!.join())
      won.set(
        cell,
        [
          ...was!.filter((one) => !is!.includes(one)).map((one) => `- ${one}`),
          ...is!.filter((one) => !was!.includes(one)).map((one) => `+ ${one}`),
        ].join("\n"),
      );
  }
  const more = cells.flatMap((cell) => {
    const script = cell.attack.won?.(cell);
    return script === undefined ? [] : [`( ${script}\n) | sed 's/^/${cell.id} /'`];
  });
  const said = more.length === 0 ? "" : await host.must("sh", `${more.join("\n")}\n:`);
  for (const line of said.split("\n").filter((one) => one !== "")) {
    const cell = cells.find(({ id }) => line.startsWith(`${id} `))!;
    won.set(cell, `${won.get(cell) ?? ""}${line.slice(cell.id.length + 1)}`);
  }
  return won;
}

/** Cells whose secret, or a digest of what holds it, is in texts that left the host. */
export const wonFromText = (cells: readonly Cell[], ...texts: readonly string[]): ReadonlyMap<Cell, string> =>
  new Map(
    cells.flatMap((cell) => {
      const digest = createHash("sha256").update(`${cell.secret}\n`).digest("hex");
      const found = [cell.secret, digest, Buffer.from(`${cell.secret}\n`).toString("base64")].find((secret) =>
        texts.some((text) => text.includes(secret)),
      );
      return found === undefined ? [] : [[cell, `left the host: ${found}`] as const];
    }),
  );
