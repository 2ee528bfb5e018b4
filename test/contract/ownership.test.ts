/**
 * Who owns a setting, and instances that are left out: on a host of this process, by what its files show.
 */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createProvider } from "../../src/core/create-provider.ts";
import type { Provider } from "../../src/core/provider.ts";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { createDriver, type Driver } from "../../src/kind/testing/harness.ts";
import { schemaType } from "../../src/schema/schema.ts";
import { HostError } from "../../src/ssh/host-error.ts";
import type { Session, SessionPool } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { formatPath } from "../../src/values/path.ts";
import { fromPlain, type PlainObject, toPlain } from "../../src/values/plain.ts";
import { isUnknown, Unknown, type Value } from "../../src/values/value.ts";

let host: DemoHost;
let provider: Provider;
let keys: string;
let path: string;
let driver: Driver;

beforeAll(async () => {
  host = await startDemoHost();
  keys = mkdtempSync(join(tmpdir(), "conn3x-ownership-"));
  writeFileSync(join(keys, "key"), host.privateKey, { mode: 0o600 });
  provider = createProvider({ sessions: createSessionPool() });
  driver = createDriver(provider, "conn3x_file");
});
afterAll(async () => {
  await provider.close();
  await host.close();
  rmSync(keys, { recursive: true, force: true });
});
beforeEach(() => {
  path = join(mkdtempSync(join(host.root, "case-")), "file");
});

const settings = (more: PlainObject = {}): PlainObject => ({
  path,
  content: "ours\n",
  mode: "0640",
  ssh: {
    bastion: [],
    address: host.address,
    port: host.port,
    user: host.user,
    private_key_file: join(keys, "key"),
    host_key: host.hostKey,
    agent: false,
  },
  ...more,
});
const field = (value: Value, name: string) => toPlain((value.data as ReadonlyMap<string, Value>).get(name)!);
const modeOf = () => (statSync(path).mode & 0o7777).toString(8);

describe("drift { ignore }", () => {
  const drift = { ignore: ["mode"] };

  test("D2: is seeded on create, then neither compared nor written", async () => {
    const made = await driver.apply(undefined, settings({ drift }));
    expect(modeOf()).toBe("640");
    chmodSync(path, 0o600);
    const read = await driver.read(made);
    const planned = await driver.plan(read, settings({ drift }));
    expect(planned.decision.action).toBe("none");
    expect(planned.decision.drift.map((change) => formatPath(change.path))).toEqual(["mode"]);
  });

  test("D3: updating a sibling does not revert its owner's value", async () => {
    const made = await driver.apply(undefined, settings({ drift }));
    chmodSync(path, 0o600);
    const changed = await driver.apply(await driver.read(made), settings({ drift, content: "newer\n" }));
    expect(changed.diagnostics).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe("newer\n");
    expect(modeOf()).toBe("600");
    expect(changed.decision.reasons).toMatchObject([{ kind: "config", paths: [[{ attribute: "content" }]] }]);
    expect(
      (await driver.plan(await driver.read(changed), settings({ drift, content: "newer\n" }))).decision
        .action,
    ).toBe("none");
  });

  test("D5: what its owner wrote after the plan stands, and the planned value is returned", async () => {
    const made = await driver.apply(undefined, settings({ drift }));
    const edited = settings({ drift, content: "newer\n" });
    const planned = await driver.plan(await driver.read(made), edited);
    chmodSync(path, 0o444);
    const type = schemaType(provider.schema.resources.get("conn3x_file")!);
    const applied = await provider.applyResource({
      type: "conn3x_file",
      prior: made.state,
      config: fromPlain(edited, type),
      planned: planned.planned,
      plannedPrivate: planned.private,
    });
    expect(applied.diagnostics).toEqual([]);
    expect(modeOf()).toBe("444");
    expect(field(applied.state, "mode")).toBe("0640");
  });

  test.each<[string, string, PlainObject, PlainObject, (value: string) => void, () => string]>([
    [
      "conn3x_link",
      "target",
      { target: "ours" },
      { force: true },
      (target) => {
        rmSync(path);
        symlinkSync(target, path);
      },
      () => readlinkSync(path),
    ],
    [
      "conn3x_line",
      "line",
      { regexp: "^key = ", line: "key = ours", create: true },
      { backup: true },
      (value) => writeFileSync(path, `key = ${value}\n`),
      () => readFileSync(path, "utf8").slice("key = ".length, -1),
    ],
  ])(
    "D5: %s, whose kind needs %s as it is: what stands is from apply's own look, not from the plan's",
    async (...row) => {
      const [name, setting, given, beside, write, read] = row;
      const kind = createDriver(provider, name);
      const { ssh } = settings();
      const config = { path, ...given, drift: { ignore: [setting] }, ssh: ssh! };
      const edited = { ...config, ...beside };
      const made = await kind.apply(undefined, config);
      expect(made.diagnostics).toEqual([]);
      write("seen by the plan");
      const stored = await kind.read(made);
      const planned = await kind.plan(stored, edited);
      expect(planned.decision.action).toBe("update");
      write("written after the plan");
      const applied = await provider.applyResource({
        type: name,
        prior: stored.state,
        config: fromPlain(edited, schemaType(provider.schema.resources.get(name)!)),
        planned: planned.planned,
        plannedPrivate: planned.private,
      });
      expect(applied.diagnostics).toEqual([]);
      expect(read()).toBe("written after the plan");
      expect(field(applied.state, setting)).toEqual(field(planned.planned, setting));
    },
  );

  test("content can be somebody else's, and with it the hash", async () => {
    const theirs = { ignore: ["content"] };
    const made = await driver.apply(undefined, settings({ drift: theirs }));
    writeFileSync(path, Buffer.from([0xff, 0xfe, 0]));
    const changed = await driver.apply(await driver.read(made), settings({ drift: theirs, mode: "0600" }));
    expect(changed.diagnostics).toEqual([]);
    expect(readFileSync(path)).toEqual(Buffer.from([0xff, 0xfe, 0]));
    expect(modeOf()).toBe("600");
  });

  test("what is ignored and not set is nobody's: a file with a source is written", async () => {
    const source = join(keys, "source");
    writeFileSync(source, "ours\n");
    const given = settings({ content: null, source, drift: { ignore: ["content"] } });
    const made = await driver.apply(undefined, given);
    writeFileSync(path, "by hand\n");
    writeFileSync(source, "newer\n");
    const changed = await driver.apply(await driver.read(made), given);
    expect(changed.diagnostics).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe("newer\n");
    expect((await driver.plan(await driver.read(changed), given)).decision.action).toBe("none");
  });

  test.each([
    ["path", /says which object it is/],
    ["sha256", /found out, not configured/],
    ["on_remove", /not read from the host/],
    ["mdoe", /Did you mean "mode"/],
  ])("D4: %s is rejected with the reason", (name, reason) => {
    const type = schemaType(provider.schema.resources.get("conn3x_file")!);
    const found = provider.validateResourceConfig(
      "conn3x_file",
      fromPlain(settings({ drift: { ignore: ["mode", name] } }), type),
    );
    expect(found).toMatchObject([{ severity: "error", detail: expect.stringMatching(reason) }]);
    expect(formatPath(found[0]!.attribute!)).toBe("drift.ignore[1]");
  });
});

describe("drift { mode }", () => {
  const warn = settings;

  test("D1: warn reports and leaves, again and again, also after something else was applied", async () => {
    const watched = (more: PlainObject = {}) => warn({ drift: { mode: "warn" }, ...more });
    const type = schemaType(provider.schema.resources.get("conn3x_file")!);
    const made = await driver.apply(undefined, watched());
    chmodSync(path, 0o600);
    const plan = async (stored: { state: Value; private: Uint8Array }, config: PlainObject) =>
      provider.planResource({
        type: "conn3x_file",
        prior: stored.state,
        priorPrivate: stored.private,
        config: fromPlain(config, type),
      });
    const read = await driver.read(made);
    const first = await plan(read, watched());
    expect(first.decision.action).toBe("none");
    expect(first.diagnostics).toMatchObject([{ severity: "warning", attribute: [{ attribute: "mode" }] }]);

    const edited = watched({ content: "newer\n" });
    const second = await plan(read, edited);
    const applied = await provider.applyResource({
      type: "conn3x_file",
      prior: read.state,
      config: fromPlain(edited, type),
      planned: second.planned,
      plannedPrivate: second.private,
    });
    expect(applied.diagnostics).toEqual([]);
    expect([readFileSync(path, "utf8"), modeOf()]).toEqual(["newer\n", "600"]);
    const third = await plan(await driver.read(applied), edited);
    expect(third.decision.action).toBe("none");
    expect(third.diagnostics).toHaveLength(1);

    const fourth = await plan(await driver.read(applied), watched({ content: "newer\n", mode: "0444" }));
    expect(fourth.decision).toMatchObject({
      action: "update",
      reasons: [{ kind: "config" }, { kind: "drift" }],
    });
  });

  const large = "x".repeat(2 * 1024 * 1024);
  const filePlan = async (stored: { state: Value; private: Uint8Array }, config: PlainObject) => {
    const type = schemaType(provider.schema.resources.get("conn3x_file")!);
    return provider.planResource({
      type: "conn3x_file",
      prior: stored.state,
      priorPrivate: stored.private,
      config: fromPlain(config, type),
    });
  };

  test("warn leaves content that is too large to be shown", async () => {
    const watched = settings({ drift: { mode: "warn" } });
    const made = await driver.apply(undefined, watched);
    writeFileSync(path, large);
    const planned = await filePlan(await driver.read(made), watched);
    expect(planned.decision.action).toBe("none");
    expect(planned.diagnostics).toMatchObject([{ severity: "warning" }]);
  });

  test("ignored content that is too large to be shown converges, and a sibling is written beside it", async () => {
    const ignoring = settings({ drift: { ignore: ["content"] } });
    const made = await driver.apply(undefined, ignoring);
    writeFileSync(path, large);
    const read = await driver.read(made);
    expect((await driver.plan(read, ignoring)).decision.action).toBe("none");
    const changed = await driver.apply(read, { ...ignoring, mode: "0600" });
    expect(changed.diagnostics).toEqual([]);
    expect([statSync(path).size, modeOf()]).toEqual([large.length, "600"]);
    expect(
      (await driver.plan(await driver.read(changed), { ...ignoring, mode: "0600" })).decision.action,
    ).toBe("none");
  });

  test("warn leaves the content of a file from the controller until that file is edited", async () => {
    const source = join(keys, "source");
    writeFileSync(source, "ours\n");
    const watched = settings({ content: null, source, drift: { mode: "warn" } });
    const made = await driver.apply(undefined, watched);
    writeFileSync(path, "by hand\n");
    const read = await driver.read(made);
    const planned = await filePlan(read, watched);
    expect(planned.decision.action).toBe("none");
    expect(planned.diagnostics).toHaveLength(1);
    writeFileSync(source, "newer\n");
    const edited = await filePlan(read, watched);
    expect(edited.decision.action).toBe("update");
  });

  test("D1: disabled does not look", async () => {
    const blind = settings({ drift: { mode: "disabled" } });
    const made = await driver.apply(undefined, blind);
    chmodSync(path, 0o600);
    const read = await driver.read(made);
    expect(read.state).toEqual(made.state);
    expect((await driver.plan(read, blind)).decision.action).toBe("none");
  });
});

describe("when", () => {
  test("a step that is left out does nothing, stays quiet, and is made when it is wanted", async () => {
    const made = await driver.apply(undefined, settings({ when: false }));
    expect(existsSync(path)).toBe(false);
    expect(toPlain(made.state)).toMatchObject({ skipped: true, sha256: null, owner: null, id: path });
    const revision = field(made.state, "revision");
    const again = await driver.apply(await driver.read(made), settings({ when: false, content: "other\n" }));
    expect(field(again.state, "revision")).toBe(revision);
    expect((await driver.plan(again, settings({ when: false, content: "other\n" }))).decision.action).toBe(
      "none",
    );

    const wanted = await driver.apply(again, settings({ when: true }));
    expect(wanted.diagnostics).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe("ours\n");
    expect(field(wanted.state, "revision")).not.toBe(revision);
    expect(field(wanted.state, "skipped")).toBe(false);
    expect((await driver.plan(await driver.read(wanted), settings())).decision.action).toBe("update");
  });

  test("turning it off removes what was made, and keeps what was there before", async () => {
    const made = await driver.apply(undefined, settings());
    const off = await driver.apply(made, settings({ when: false }));
    expect(off.diagnostics).toEqual([]);
    expect(existsSync(path)).toBe(false);
    expect(field(off.state, "revision")).not.toBe(field(made.state, "revision"));
    expect((await driver.apply(off, undefined)).diagnostics).toEqual([]);

    writeFileSync(path, "ours\n");
    const adopted = await driver.apply(undefined, settings());
    await driver.apply(adopted, settings({ when: false }));
    expect(existsSync(path)).toBe(true);
  });

  test("one that is not known yet leaves open all that would be found out", async () => {
    const planned = await driver.plan(undefined, settings({ when: new Unknown() }));
    const fields = planned.planned.data as ReadonlyMap<string, Value>;
    for (const name of ["skipped", "sha256", "owner", "revision"])
      expect(isUnknown(fields.get(name)!)).toBe(true);
    expect(planned.decision.action).toBe("create");
  });
});

describe("a create", () => {
  test("says what is on the host already, and keeps that when it is removed", async () => {
    expect((await driver.plan(undefined, settings())).decision).toMatchObject({ action: "create" });
    expect((await driver.plan(undefined, settings())).decision).not.toHaveProperty("found");
    writeFileSync(path, "theirs\n", { mode: 0o640 });
    expect((await driver.plan(undefined, settings())).decision.found).toBe("different");
    writeFileSync(path, "ours\n");
    chmodSync(path, 0o640);
    const planned = await driver.plan(undefined, settings());
    expect(planned.decision.found).toBe("as_wanted");
  });

  test("one that was cut off is ours, although what it made is there now", async () => {
    const cutOff = await driver.plan(undefined, settings());
    writeFileSync(path, "ours\n");
    const type = schemaType(provider.schema.resources.get("conn3x_file")!);
    const config = fromPlain(settings(), type);
    const prior = fromPlain(null, type);
    const again = await provider.planResource({
      type: "conn3x_file",
      prior,
      config,
      priorPrivate: cutOff.private,
    });
    const applied = await provider.applyResource({
      type: "conn3x_file",
      prior,
      config,
      planned: again.planned,
      plannedPrivate: again.private,
    });
    expect(applied.diagnostics).toEqual([]);
    await driver.apply(applied, undefined);
    expect(existsSync(path)).toBe(false);
  });

  test("a replacement that lands on somebody else's object does not take it for ours", async () => {
    const other = `${path}.theirs`;
    writeFileSync(other, "theirs\n");
    const made = await driver.apply(undefined, settings());
    const moved = await driver.apply(made, settings({ path: other }));
    expect(moved.decision).toMatchObject({ action: "replace" });
    expect([existsSync(path), readFileSync(other, "utf8")]).toEqual([false, "ours\n"]);
    await driver.apply(moved, undefined);
    expect(existsSync(other)).toBe(true);
  });

  test("tells already in the plan that the key of a host has changed", async () => {
    const ssh = settings().ssh as PlainObject;
    const hostKey = `SHA256:${"A".repeat(43)}`;
    const type = schemaType(provider.schema.resources.get("conn3x_file")!);
    const response = await provider.planResource({
      type: "conn3x_file",
      prior: fromPlain(null, type),
      config: fromPlain(settings({ ssh: { ...ssh, host_key: hostKey } }), type),
      priorPrivate: new Uint8Array(),
    });
    expect(response.diagnostics).toMatchObject([{ severity: "warning", summary: "Host key has changed" }]);
    expect(response.unseen).toBe(true);
  });
});

describe("an update that was cut off", () => {
  const planAgain = async (stored: { state: Value; private: Uint8Array }, unsettled: boolean) => {
    const type = schemaType(provider.schema.resources.get("conn3x_file")!);
    return provider.planResource({
      type: "conn3x_file",
      prior: stored.state,
      priorPrivate: stored.private,
      config: fromPlain(settings(), type),
      unsettled,
    });
  };

  test("renews the revision although the host looks as wanted, once", async () => {
    const made = await driver.apply(undefined, settings());
    expect((await planAgain(made, false)).decision.action).toBe("none");
    const again = await planAgain(made, true);
    expect(again.decision).toMatchObject({ action: "update", reasons: [{ kind: "last_apply_failed" }] });
    expect(isUnknown((again.planned.data as ReadonlyMap<string, Value>).get("revision")!)).toBe(true);
  });

  test("as one that failed half-way does: drift was put back, and then the connection was lost", async () => {
    const made = await driver.apply(undefined, settings());
    chmodSync(path, 0o600);
    const drifted = await driver.read(made);
    const planned = await driver.plan(drifted, settings());
    const losing = createProvider({ sessions: losingAfter(/chmod/) });
    const type = schemaType(provider.schema.resources.get("conn3x_file")!);
    const failed = await losing.applyResource({
      type: "conn3x_file",
      prior: drifted.state,
      config: fromPlain(settings(), type),
      planned: planned.planned,
      plannedPrivate: planned.private,
    });
    await losing.close();
    expect(failed.diagnostics).toMatchObject([{ summary: "Connection to the host was lost" }]);
    expect(modeOf()).toBe("640");

    const repaired = await driver.apply(await driver.read(failed), settings());
    expect(repaired.decision).toMatchObject({ action: "update", reasons: [{ kind: "last_apply_failed" }] });
    expect(field(repaired.state, "revision")).not.toBe(field(made.state, "revision"));
    expect((await driver.plan(await driver.read(repaired), settings())).decision.action).toBe("none");
  });
});

/** Sessions whose connection is lost right after a script that matches was carried out. */
function losingAfter(pattern: RegExp): SessionPool {
  const pool = createSessionPool();
  let lost = false;
  return {
    ...pool,
    session(login) {
      const session = pool.session(login);
      const losing =
        (carry: Session["ask"]): Session["ask"] =>
        async (script) => {
          if (lost) throw new HostError("lost", login.host, "the connection was lost", "", true);
          lost = pattern.test(script.text);
          return carry(script);
        };
      return { ...session, ask: losing(session.ask), act: losing(session.act) };
    },
  };
}

describe("addresses", () => {
  const type = () => schemaType(provider.schema.resources.get("conn3x_file")!);
  const withAddress = (address: string | null) =>
    settings({ ssh: { ...(settings().ssh as PlainObject), address } });

  test.each([
    ["", /must not be empty/],
    ["deploy@10.0.0.1", /set user, and address to "10.0.0.1"/],
    ["10.0.0.1:2222", /set port = 2222, and address to "10.0.0.1"/],
    ["10.0.0.1\n", /white space or control characters/],
    ["-oProxyCommand=x", /must not start with "-"/],
  ])("%j is refused without a host", (address, reason) => {
    const found = provider.validateResourceConfig("conn3x_file", fromPlain(withAddress(address), type()));
    expect(found).toMatchObject([{ severity: "error", detail: expect.stringMatching(reason) }]);
  });

  test.each(["10.0.0.1", "host.example", "2001:db8::1", "web1"])("%j is fine", (address) => {
    expect(provider.validateResourceConfig("conn3x_file", fromPlain(withAddress(address), type()))).toEqual(
      [],
    );
  });

  test("none at all fails the plan", async () => {
    const response = await provider.planResource({
      type: "conn3x_file",
      prior: fromPlain(null, type()),
      config: fromPlain(withAddress(null), type()),
      priorPrivate: new Uint8Array(),
    });
    expect(response.diagnostics).toMatchObject([{ severity: "error", summary: "Host cannot be reached" }]);
  });
});
