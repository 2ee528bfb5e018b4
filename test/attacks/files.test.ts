/**
 * Files and lines in directories of an unprivileged user, who turns every name there against root: see README.md.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledProgram } from "../e2e/bundled.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import type { LabHost } from "../lab/host.ts";

const program = bundledProgram();
const attackers = join(import.meta.dirname, "files");
const attacks = readdirSync(attackers)
  .filter((name) => name.endsWith(".sh"))
  .map((name) => name.slice(0, -3));

/** In each victim, with the name of the target. */
const secret = "SECRET-OF-ROOT-";
/** Where `follow` matters; elsewhere it is left out. */
const byLinks = ["final-link", "dangling-link", "link-of-root"];
const bodies = {
  file: 'content = "new\\n"\n owner = "plain"\n mode = "0600"',
  line: 'regexp = "^(new|root)"\n line = "new"\n create = true',
};
/** The second is as `/tmp` is, on the file system that the victims are on. */
const places = { home: "/home/plain", sticky: "/srv/sticky" };

/** Those that make hard links of what is root's. */
const byRoot = ["hard-link", "kept-hard-link", "leftover-name", "link-of-root"];

interface Target {
  readonly name: string;
  readonly attack: string;
  readonly path: string;
  readonly victim: string;
  readonly body: string;
}

const targets: readonly Target[] = attacks.flatMap((attack) =>
  Object.entries(bodies).flatMap(([kind, body]) =>
    (byLinks.includes(attack) ? [false, true] : [false]).flatMap((follow) =>
      Object.entries(places).map(([place, directory]) => {
        const name = `${attack}-${kind}-${place}${follow ? "-follow" : ""}`;
        // In the sticky directory itself, where nothing is moved; else in the user's own tree, under names that a line end is in.
        const isOwn = place === "home" || attack.includes("parent");
        const inside = isOwn ? `${directory}/${name}/a\nb` : directory;
        return {
          name,
          attack,
          path: `${inside}/${isOwn ? "app" : name}`,
          victim: `/etc/victims/${name}/a\nb/${isOwn ? "app" : name}`,
          body: `${kind} {\n path = ${JSON.stringify(`${inside}/${isOwn ? "app" : name}`)}\n ${body}${follow ? "\n follow = true" : ""}\n backup = true\n validate = "test -r %s"\n }`,
        };
      }),
    ),
  ),
);

const isSticky = (path: string): boolean => /^\/srv\/sticky\/[^/]*$/.test(path);
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
describeLab.each(["sudo", "root"])("with %s, a user", (login) => {
  const lab = labHosts(1);
  let directory: string;
  const host = (): LabHost => lab.hosts[0];

  const write = (steps: readonly (readonly [name: string, body: string])[]) => {
    const hosts = `hosts = { h = { address = "${host().address}", host_key = "${host().hostKey}" } }`;
    const user = login === "root" ? '"root"' : '"deploy"\n become = true';
    // A circuit each: what one refuses holds up no other.
    const circuits = steps.map(
      ([name, body]) =>
        `circuit "${name}" {\n ${hosts}\n ssh {\n user = ${user}\n private_key_file = "${lab.lab.keyFile}"\n agent = false\n }\n step "s" {\n ${body}\n }\n}\n`,
    );
    writeFileSync(join(directory, "main.circuit.hcl"), circuits.join(""));
  };
  /** By target: everything that there is of root's. */
  const victims = async (): Promise<ReadonlyMap<string, string>> => {
    const all = await host().must(
      "cd /etc/victims && for v in *; do (cd \"$v\"; find . -printf '%p %y %m %U %G %l\\n' | sort; find . -type f -exec sha256sum {} + | sort; printf '\\0%s\\0' \"$v\"); done",
    );
    const parts = all.split("\0");
    return new Map(parts.flatMap((part, i) => (i % 2 === 1 ? [[part, parts[i - 1]!] as const] : [])));
  };
  /** Runs a command. @returns the targets whose victims it harmed, or whose secrets it printed or stored */
  const harmed = async (...args: readonly string[]): Promise<readonly string[]> => {
    const before = await victims();
    const { output } = await program.run(directory, args);
    const stored = readdirSync(directory).filter((one) => one.includes("tfstate"));
    const reported = [output, ...stored.map((name) => readFileSync(join(directory, name), "utf8"))].join(
      "\n",
    );
    const after = await victims();
    return [...before.keys()].filter(
      (name) => after.get(name) !== before.get(name) || reported.includes(`${secret}${name}.`),
    );
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-attacks-"));
    await host().must(
      "mkdir -p /etc/victims /home/third/open /srv/sticky && chmod 1777 /srv/sticky && useradd -M third && chown third /home/third/open && chmod 777 /home/third/open && chmod 755 /home/plain; rm -rf /home/plain/.cache",
    );
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const makeVictims = (some: readonly Target[]) =>
    host().must(
      some
        .map(({ victim, name }) => {
          const at = quoted(victim);
          const dir = quoted(victim.replace(/\/[^/]*$/, ""));
          return `mkdir -p ${dir} && echo 'root: ${secret}${name}.' >${at} && cp ${at} ${at}.old && chmod 600 ${at} ${at}.old && ln -s ${at} ${at}.link`;
        })
        .join("\n"),
    );

  test("gets nothing of root's by links, other names and names that can be foretold", async () => {
    await makeVictims(targets);
    await host().must(
      "su -s /bin/sh plain -c 'exec sh -s'",
      targets
        .filter(({ path }) => !isSticky(path))
        .map(({ path }) => `mkdir -p ${quoted(path.replace(/\/[^/]*$/, ""))}`)
        .join("\n"),
    );
    write(targets.map(({ name, body }) => [name, body]));
    const run = (...args: string[]) => program.run(directory, args);
    const first = await run("apply", "-auto-approve");
    expect(first.status, first.output).toBe(0);
    expect((await run("plan", "-detailed-exitcode")).status).toBe(0);

    // In the sticky directory the first apply's files are root's own and nobody else's to remove.
    await host().must("rm -f /srv/sticky/* 2>/dev/null; true");
    const script = (some: readonly Target[]): string =>
      some
        .map(
          ({ attack, path, victim }) =>
            `(\nset -e -- ${quoted(path)} ${quoted(victim)}\n${readFileSync(join(attackers, `${attack}.sh`), "utf8")}) || exit\n`,
        )
        .join("");
    // A hard link has no maker: root makes those that the user could where the kernel does not protect them.
    const isByRoot = ({ attack }: Target): boolean => byRoot.includes(attack);
    await host().must("su -s /bin/sh plain -c 'exec sh -s'", script(targets.filter((one) => !isByRoot(one))));
    await host().must("exec sh -s", script(targets.filter(isByRoot)));
    await host().must("find /etc/victims -name '*.old' -delete");
    const commands =
      login === "sudo"
        ? ["plan", "drift", "refresh", "apply -auto-approve", "apply -auto-approve", "destroy -auto-approve"]
        : ["apply -auto-approve", "destroy -auto-approve"];
    const found: Record<string, readonly string[]> = {};
    for (const command of commands) {
      const names = await harmed(...command.split(" "));
      if (names.length > 0) found[command] = [...(found[command] ?? []), ...names];
    }
    expect(found).toEqual({});
  });
});
