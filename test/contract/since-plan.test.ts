/**
 * P5: a host that changed between plan and apply. Before the first write on it nothing is done there; after that, apply
 * converges. The same in the embedded engine, which looks at all of a host's instances at once, and in the provider
 * alone, as OpenTofu calls it.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createProvider } from "../../src/core/create-provider.ts";
import type { Provider } from "../../src/core/provider.ts";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { asConfigured, createDriver, type Stored } from "../../src/kind/testing/harness.ts";
import { schemaType } from "../../src/schema/schema.ts";
import type { SessionPool } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { fromPlain, type PlainObject } from "../../src/values/plain.ts";
import { nullValue } from "../../src/values/value.ts";
import { type Embedded, openEmbedded } from "./embedded.ts";

const changedSince = "Host has changed since the plan";

describe("in the provider", () => {
  let host: DemoHost;
  let keys: string;
  let root: string;
  let provider: Provider;
  const providers: Provider[] = [];

  beforeAll(async () => {
    host = await startDemoHost();
    keys = mkdtempSync(join(tmpdir(), "conn3x-since-"));
    writeFileSync(join(keys, "key"), host.privateKey, { mode: 0o600 });
  });
  beforeEach(() => {
    root = mkdtempSync(join(host.root, "case-"));
    provider = newProcess();
  });
  afterAll(async () => {
    for (const one of providers) await one.close();
    await host.close();
    rmSync(keys, { recursive: true, force: true });
  });

  /** The provider's memory is that of its process. */
  function newProcess(): Provider {
    const one = createProvider({ sessions: createSessionPool() });
    providers.push(one);
    return one;
  }
  const settings = (name: string, more: PlainObject): PlainObject => ({
    path: join(root, name),
    ...more,
    ssh: {
      address: host.address,
      port: host.port,
      user: host.user,
      private_key_file: join(keys, "key"),
      host_key: host.hostKey,
      agent: false,
    },
  });
  const create = (name: string, more: PlainObject): Promise<Stored> =>
    createDriver(provider, "conn3x_file").apply(undefined, settings(name, more));
  /** Applies in a process of its own what another one planned, after something happened in between. */
  async function applyLater(
    stored: Stored | undefined,
    wanted: PlainObject | undefined,
    between: () => void,
    more: { readonly checked?: boolean; readonly by?: Provider } = {},
  ): Promise<readonly string[]> {
    const schema = provider.schema.resources.get("conn3x_file")!;
    const type = schemaType(schema);
    const planned = await createDriver(provider, "conn3x_file").plan(stored, wanted);
    between();
    const { diagnostics } = await (more.by ?? newProcess()).applyResource({
      type: "conn3x_file",
      prior: stored?.state ?? nullValue(type),
      planned: planned.planned,
      config: wanted === undefined ? nullValue(type) : fromPlain(asConfigured(schema, wanted), type),
      plannedPrivate: planned.private,
      ...(more.checked === undefined ? {} : { checked: more.checked }),
    });
    return diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`);
  }
  const content = (name: string) => readFileSync(join(root, name), "utf8");

  test("P5: what is neither as planned nor as wanted stops the host, and nothing is written there", async () => {
    const a = await create("a", { content: "one" });
    const by = newProcess();
    const said = await applyLater(
      a,
      settings("a", { content: "two" }),
      () => writeFileSync(join(root, "a"), "by hand"),
      { by },
    );
    expect(said).toEqual([expect.stringContaining(`${changedSince}: ${join(root, "a")}: content, sha256`)]);
    expect(content("a")).toBe("by hand");
    // Neither is anything else of this run.
    const { diagnostics } = await createDriver(by, "conn3x_file").apply(
      undefined,
      settings("b", { content: "new" }),
    );
    expect(diagnostics.map(({ summary }) => summary)).toEqual([changedSince]);
    expect(existsSync(join(root, "b"))).toBe(false);
    // Another plan, which reads, starts over.
    const read = await createDriver(by, "conn3x_file").read(a);
    await createDriver(by, "conn3x_file").apply(read, settings("a", { content: "two" }));
    expect(content("a")).toBe("two");
  });

  test("P5: an instance that is still looking is stopped by what another one finds", async () => {
    const a = await create("a", { content: "one" });
    const pool = createSessionPool();
    let go = () => {};
    let arrived = () => {};
    const isLooking = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const isHeldUp = new Promise<void>((resolve) => {
      go = resolve;
    });
    const slowly: SessionPool = {
      ...pool,
      session(login) {
        const session = pool.session(login);
        const ask: typeof session.ask = async (script) => {
          if (script.text.includes(join(root, "b"))) {
            arrived();
            await isHeldUp;
          }
          return session.ask(script);
        };
        return { ...session, login, ask };
      },
    };
    const by = createProvider({ sessions: slowly });
    providers.push(by);
    const b = applyLater(undefined, settings("b", { content: "new" }), () => undefined, { by });
    await isLooking;
    const change = () => writeFileSync(join(root, "a"), "by hand");
    expect(await applyLater(a, settings("a", { content: "two" }), change, { by })).toHaveLength(1);
    go();
    expect(await b).toEqual([expect.stringContaining(changedSince)]);
    expect(existsSync(join(root, "b"))).toBe(false);
  });

  test("P5: what is gone stops it, and what is to be deleted and changed", async () => {
    const a = await create("a", { content: "one" });
    expect(await applyLater(a, settings("a", { content: "two" }), () => unlinkSync(join(root, "a")))).toEqual(
      [expect.stringContaining("it is gone")],
    );
    expect(existsSync(join(root, "a"))).toBe(false);
    const b = await create("b", { content: "one" });
    expect(await applyLater(b, undefined, () => writeFileSync(join(root, "b"), "by hand"))).toEqual([
      expect.stringContaining(changedSince),
    ]);
    expect(content("b")).toBe("by hand");
    expect(await applyLater(b, undefined, () => unlinkSync(join(root, "b")))).toEqual([]);
  });

  test("P5: what is as wanted already does not", async () => {
    const a = await create("a", { content: "one" });
    expect(
      await applyLater(a, settings("a", { content: "two" }), () => writeFileSync(join(root, "a"), "two")),
    ).toEqual([]);
  });

  test("P5: after the first write on the host, apply converges from what it finds", async () => {
    const a = await create("a", { content: "one" });
    const by = newProcess();
    const write = () => writeFileSync(join(root, "a"), "by hand");
    await createDriver(by, "conn3x_file").apply(undefined, settings("b", { content: "new" }));
    expect(await applyLater(a, settings("a", { content: "two" }), write, { by })).toEqual([]);
    expect(content("a")).toBe("two");
  });

  test("P5: what is to be made is made over what came meanwhile: a plan leaves other engines nothing to compare it with", async () => {
    const wanted = settings("new", { content: "ours" });
    expect(await applyLater(undefined, wanted, () => writeFileSync(join(root, "new"), "theirs"))).toEqual([]);
    expect(content("new")).toBe("ours");
  });

  test("P5: an engine that has looked is believed", async () => {
    const a = await create("a", { content: "one" });
    const write = () => writeFileSync(join(root, "a"), "by hand");
    expect(await applyLater(a, settings("a", { content: "two" }), write, { checked: true })).toEqual([]);
    expect(content("a")).toBe("two");
  });

  test("D5: what somebody else owns may move meanwhile, and stays as they left it", async () => {
    const owned = (text: string) =>
      settings("a", { content: text, mode: "0600", drift: { mode: null, ignore: ["mode"] } });
    const a = await createDriver(provider, "conn3x_file").apply(undefined, owned("one"));
    expect(await applyLater(a, owned("two"), () => chmodSync(join(root, "a"), 0o640))).toEqual([]);
    expect([content("a"), statSync(join(root, "a")).mode & 0o777]).toEqual(["two", 0o640]);
  });

  test("what one object has written another one does not delete", async () => {
    const a = await create("a", { content: "one" });
    const by = newProcess();
    // As create_before_destroy does it: the new one is made, then the old one deleted.
    const made = await createDriver(by, "conn3x_file").apply(undefined, settings("a", { content: "two" }));
    expect(await applyLater(a, undefined, () => undefined, { by })).toEqual([
      expect.stringContaining(`Object on the host is not deleted: ${join(root, "a")} on 127.0.0.1`),
    ]);
    expect(content("a")).toBe("two");
    // It deletes what it has written itself.
    expect(
      await applyLater(made, settings("a", { content: "two", on_remove: "delete" }), () => undefined, { by }),
    ).toEqual([]);
    const read = await createDriver(by, "conn3x_file").read(made);
    await createDriver(by, "conn3x_file").apply(
      await createDriver(by, "conn3x_file").apply(
        read,
        settings("a", { content: "two", on_remove: "delete" }),
      ),
      undefined,
    );
    expect(existsSync(join(root, "a"))).toBe(false);
  });
});

describe("in the embedded engine", () => {
  let embedded: Embedded;
  beforeEach(async () => {
    embedded = await openEmbedded();
    return () => embedded.remove();
  });
  const path = (name: string) => join(embedded.host.root, name);
  const circuit = (text: string, more = "") => `
  step "a" {
    file {
      path    = "${path("a")}"
      content = "${text}"
    }
  }
  step "b" {
    file {
      path    = "${path("b")}"
      content = "${text}"
    }
  }
${more}`;

  test("P5: one instance that changed stops its host before another one is written", async () => {
    await embedded.apply(circuit("one"));
    const { failed, notDone } = await embedded.apply(circuit("two"), {
      between: () => writeFileSync(path("b"), "by hand"),
    });
    expect(failed).toMatchObject([{ address: 'conn3x_file.web__b["h1"]', reason: changedSince }]);
    expect(notDone).toEqual(['conn3x_file.web__a["h1"]']);
    expect([readFileSync(path("a"), "utf8"), readFileSync(path("b"), "utf8")]).toEqual(["one", "by hand"]);
  });

  test("P5: so does something in the place of what is to be made that the plan did not show", async () => {
    const { failed } = await embedded.apply(circuit("one"), {
      between: () => writeFileSync(path("b"), "by hand"),
    });
    expect(failed).toMatchObject([{ address: 'conn3x_file.web__b["h1"]', reason: changedSince }]);
    expect(existsSync(path("a"))).toBe(false);
    // Now the plan shows it.
    const { plan, failed: none } = await embedded.apply(circuit("one"));
    expect(plan.changes[1]!.decision.found).toBe("different");
    expect(none).toEqual([]);
    expect(readFileSync(path("b"), "utf8")).toBe("one");
  });

  test("P5: so does what came into a directory that is to be purged, and the plan did not show", async () => {
    const purging = `
  step "d" {
    directory {
      path  = "${path("d")}"
      purge = true
    }
  }`;
    mkdirSync(path("d"));
    writeFileSync(join(path("d"), "shown"), "");
    const { failed } = await embedded.apply(purging, {
      between: () => writeFileSync(join(path("d"), "late"), ""),
    });
    expect(failed).toMatchObject([{ address: 'conn3x_directory.web__d["h1"]', reason: changedSince }]);
    expect(readdirSync(path("d")).sort()).toEqual(["late", "shown"]);
    expect((await embedded.apply(purging)).failed).toEqual([]);
    expect(readdirSync(path("d"))).toEqual([]);
  });

  test("P5: something that is already as wanted does not, nor does what an earlier step of the run makes", async () => {
    const early = `
  step "c" {
    command {
      run = "echo made >'${path("d")}'"
    }
  }
  step "d" {
    file {
      path    = "${path("d")}"
      content = "wanted"
    }
  }`;
    const { failed } = await embedded.apply(circuit("one", early), {
      between: () => writeFileSync(path("b"), "one"),
    });
    expect(failed).toEqual([]);
    expect(readFileSync(path("d"), "utf8")).toBe("wanted");
  });
});
