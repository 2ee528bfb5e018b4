/**
 * What a package operation does besides what it names: shown by the plan, refused where it takes away what nobody named.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";
import { makePackages, xPackages } from "./x-packages.ts";

const program = bundledProgram();

const engines = ["", ...findEngines().map((one) => one.program)];
const nameOf = (engine: string) => (engine === "" ? "embedded" : engine.split("/").at(-1));

/** `step "NAME" { package { … } }` */
const pack = (name: string, settings: string) =>
  `  step "${name}" {\n    package {\n${settings
    .split("; ")
    .map((line) => `      ${line}\n`)
    .join("")}    }\n  }\n`;

describeLab("packages", () => {
  const lab = labHosts(1);
  let directory: string;
  beforeAll(() => lab.hosts[0].must(xPackages));
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-packages-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const write = (...steps: readonly string[]) =>
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "site" {
  hosts = { web1 = { address = "${lab.hosts[0].address}", host_key = "${lab.hosts[0].hostKey}" } }
  ssh {
    user             = "deploy"
    private_key_file = "${lab.lab.keyFile}"
    agent            = false
    become           = true
  }
${steps.join("")}}
`,
    );
  const run = async (...args: readonly string[]) => {
    const { status, output } = await program.run(directory, args);
    return { status, output: output.replace(/\s+/g, " ") };
  };
  const plan = (...options: readonly string[]) => run("plan", "-detailed-exitcode", ...options);
  const apply = (...options: readonly string[]) => run("apply", "-auto-approve", ...options);
  const applies = async (status: number, ...options: readonly string[]) => {
    const done = await apply(...options);
    expect(done.status, done.output).toBe(status);
  };
  const must = (text: string) => lab.hosts[0].must(text);
  /** Names with their versions, of the test's own packages that are installed. */
  const there = async () =>
    (
      await must(
        "dpkg-query -W -f '${Package}=${Version} ${db:Status-Status}\\n' 'x-*' | sed -n 's/ installed$//p' | LC_ALL=C sort",
      )
    )
      .trim()
      .split("\n");
  const users = ["x-use1=1.0", "x-use2=1.0", "x-use3=1.0", "x-use4=1.0"];
  const all = ["x-lib=1.0", ...users];
  const install = (...words: readonly string[]) =>
    must(`apt-get -q -y --allow-downgrades install ${words.join(" ")} >/dev/null 2>&1`);
  const restore = () =>
    must(
      `apt-mark unhold x-lib >/dev/null; apt-get -q -y purge x-new x-extra x-rival >/dev/null 2>&1; apt-get -q -y --allow-downgrades install ${all.join(" ")} >/dev/null 2>&1`,
    );
  const mark = () => must("sleep 1; touch /tmp/mark; sleep 1");
  const written = () =>
    must(
      "find /var/lib/apt /var/lib/dpkg /var/cache/apt /etc -newer /tmp/mark ! -type l 2>/dev/null || true",
    );

  for (const engine of engines)
    test(`removing a library is refused with what would go (${nameOf(engine)})`, {
      timeout: 120_000,
    }, async () => {
      const options = engine === "" ? [] : [`-engine=${engine}`];
      write(pack("lib", 'name = "x-lib"; state = "absent"'));
      await mark();
      const planned = await plan(...options);
      expect(planned.output).toContain("would also remove x-use1, x-use2, x-use3, x-use4.");
      expect(planned.status).toBe(1);
      expect(await written()).toBe("");
      const applied = await apply(...options);
      expect(applied.status).toBe(1);
      expect(await there()).toEqual(all);
    });

  // The other one plans and destroys in the same order.
  for (const engine of engines.slice(0, 2))
    test(`what goes together is destroyed (${nameOf(engine)})`, { timeout: 120_000 }, async () => {
      const options = engine === "" ? [] : [`-engine=${engine}`];
      write(
        pack("users", 'names = ["x-use1", "x-use2", "x-use3", "x-use4"]; on_remove = "delete"'),
        pack("lib", 'name = "x-lib"; on_remove = "delete"'),
      );
      await applies(0, ...options);
      const destroyed = await run("destroy", "-auto-approve", ...options);
      expect(destroyed.status, destroyed.output).toBe(0);
      expect(await there()).toEqual([""]);
      await restore();
    });

  test("what may go is listed and goes, and nothing else", { timeout: 120_000 }, async () => {
    write(pack("lib", 'name = "x-lib"; state = "absent"; allow_removal = ["x-use[1]"]'));
    expect((await run("validate")).output).toContain("allow_removal must have names of packages");
    write(pack("lib", 'name = "x-lib"; state = "absent"; allow_removal = ["x-use1", "x-use2"]'));
    expect((await plan()).output).toContain("would also remove x-use3, x-use4.");
    write(pack("lib", 'name = "x-lib"; state = "absent"; allow_removal = ["x-use*"]'));
    const saved = await plan("-out=saved");
    expect(saved.output).toContain("also removes x-use4 1.0");
    expect((await run("show", "-json", "saved")).output).toContain('"removes x-use4 1.0"');
    // A plan allows what it has shown.
    await must(`${makePackages} c3x_pk x-use5 1.0 'Depends: x-lib'; dpkg -i /srv/x-apt/x-use5_1.0_all.deb`);
    const late = await run("apply", "saved");
    expect(late.output).toContain("nothing was done: it would also remove x-use5");
    expect(await there()).toEqual([...all, "x-use5=1.0"]);
    await applies(0);
    expect(await there()).toEqual([""]);
    expect((await plan()).status).toBe(0);
    await must("rm /srv/x-apt/x-use5*");
    await restore();
  });

  test("what steps of the circuit name may go in any order", { timeout: 120_000 }, async () => {
    write(
      pack("lib", 'name = "x-lib"; state = "absent"'),
      pack("some", 'names = ["x-use1", "x-use2"]; state = "absent"'),
      '  step "more" {\n    for_each = toset(["x-use3", "x-use4"])\n    package {\n      name  = each.key\n      state = "purged"\n    }\n  }\n',
    );
    expect((await plan()).output).not.toContain("would be removed");
    const applied = await apply();
    expect({ status: applied.status, there: await there() }).toEqual({ status: 0, there: [""] });
    expect((await plan()).status).toBe(0);
    await restore();
  });

  test("what is still wanted does not go with a removed step", { timeout: 120_000 }, async () => {
    const lib = pack("lib", 'name = "x-lib"; on_remove = "delete"');
    const users = pack("users", 'names = ["x-use1", "x-use2", "x-use3", "x-use4"]; on_remove = "delete"');
    write(users, lib);
    await applies(0);
    write(users);
    expect((await plan()).output).toContain("would also remove x-use1, x-use2, x-use3, x-use4.");
    await applies(1);
    expect(await there()).toEqual(all);
  });

  test("what else is installed and upgraded is listed", { timeout: 120_000 }, async () => {
    write(pack("new", 'name = "x-new"'));
    const planned = await plan("-format=resources");
    expect(planned.output).toContain("also changes x-lib from 1.0 to 2.0 # also installs x-extra 1.0");
    write(pack("rival", 'name = "x-rival"'));
    const refused = await plan();
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.output).toContain("would also remove x-use1.");
    await applies(1);
    expect(await there()).toEqual(all);
    write(pack("new", 'name = "x-new"'));
    await applies(0);
    // An older one takes back what needs the newer.
    write(pack("lib", 'name = "x-lib"; version = "1.0"'));
    expect((await plan()).output).toContain("would also remove x-new.");
    await applies(1);
    await restore();
  });

  test("a hold is whose it is", { timeout: 120_000 }, async () => {
    await must("apt-mark hold x-lib");
    write(pack("lib", 'name = "x-lib"; version = "2.0"'));
    expect((await plan()).output).toContain("x-lib is held there, and not by Conn3x");
    await applies(1);
    write(pack("new", 'name = "x-new"'));
    await applies(1);
    write(pack("lib", 'name = "x-lib"; state = "absent"; allow_removal = ["*"]'));
    expect((await plan()).output).toContain("Set hold = false");
    await applies(1);
    expect(await must("apt-mark showhold")).toBe("x-lib\n");
    expect(await there()).toEqual(all);
    // Ours, also where it is not said any more.
    write(
      pack(
        "lib",
        'name = "x-lib"; version = "2.0"; hold = true; on_remove = "delete"; allow_removal = ["x-use*"]',
      ),
    );
    await applies(0);
    expect(await must("apt-mark showhold")).toBe("x-lib\n");
    write(pack("lib", 'name = "x-lib"; version = "1.0"; on_remove = "delete"; allow_removal = ["x-use*"]'));
    await applies(0);
    expect(await must("apt-mark showhold")).toBe("x-lib\n");
    expect(await there()).toEqual(all);
    write();
    const removed = await apply();
    expect({ status: removed.status, there: await there() }).toEqual({ status: 0, there: [""] });
    expect(await must("apt-mark showhold")).toBe("");
    await restore();
  });

  test("what is taken over stays when what it came with goes", { timeout: 120_000 }, async () => {
    await must("apt-mark auto x-lib");
    write(pack("lib", 'name = "x-lib"'));
    await mark();
    expect((await plan("-format=resources")).output).toContain("automatic = false");
    expect(await written()).toBe("");
    await applies(0);
    expect(await must("apt-mark showauto x-lib")).toBe("");
    await must("apt-mark auto x-lib");
    const drift = await plan("-format=resources");
    expect(drift).toMatchObject({ status: 2 });
    expect(drift.output).toContain("automatic = true -> false");
    await applies(0);
    await must("apt-get -q -y purge 'x-use*' >/dev/null; apt-get -q -y autoremove >/dev/null");
    expect(await there()).toEqual(["x-lib=1.0"]);
    await restore();
  });

  test("lists count as fetched when all of them were", { timeout: 120_000 }, async () => {
    await must(
      "echo 'deb [trusted=yes] file:/srv/nowhere ./' >/etc/apt/sources.list.d/y.list; rm -f /var/lib/apt/periodic/update-success-stamp",
    );
    write(pack("extra", 'name = "x-extra"'));
    const partly = await apply();
    expect(partly.status).toBe(0);
    expect(partly.output).toContain("Package lists were not fetched without complaints");
    expect(partly.output).toContain("/srv/nowhere");
    expect(await must("ls /var/lib/apt/periodic")).not.toContain("update-success-stamp");
    await must("rm /etc/apt/sources.list.d/y.list; apt-get -q -y purge x-extra >/dev/null");
    expect((await apply()).output).not.toContain("complaints");
    expect(await must("ls /var/lib/apt/periodic")).toContain("update-success-stamp");
    // Another version, or another package, than the lists have that count as fresh.
    await must(`${makePackages} rm /srv/x-apt/x-extra*; c3x_pk x-extra 1.1; c3x_pk x-late 1.0; c3x_index
apt-get -q -y purge x-extra >/dev/null; apt-get clean`);
    write(pack("late", 'name = "x-late"'), pack("extra", 'name = "x-extra"'));
    const late = await apply();
    expect(late.status, late.output).toBe(0);
    expect(await there()).toEqual(["x-extra=1.1", "x-late=1.0", ...all].sort());
    // Nobody is asked who may not be.
    await must(`${makePackages} c3x_pk x-later 1.0; c3x_index`);
    write(pack("later", 'name = "x-later"; update_cache = false'));
    expect((await apply()).output).toContain("no package x-later");
    await install(...all);
  });
});
