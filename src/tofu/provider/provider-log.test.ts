import { describe, expect, test } from "vitest";
import type { ApplyRequest, Provider } from "../../core/provider.ts";
import type { Decision } from "../../revision/decision.ts";
import { fromPlain } from "../../values/plain.ts";
import { objectOf, stringType } from "../../values/type.ts";
import { nullValue, Unknown, type Value } from "../../values/value.ts";
import { createProviderLog } from "./provider-log.ts";

const type = objectOf({ path: stringType, content: stringType });
const object = (path: string, content: string | Unknown) => fromPlain({ path, content }, type);
const none = nullValue(type);
const noBytes = new Uint8Array();
const decision: Decision = {
  action: "update",
  reasons: [{ kind: "drift" }],
  edits: [],
  drift: [{ path: [{ attribute: "content" }], before: fromPlain("a", stringType), after: undefined }],
  requiresReplace: [],
};
let deleted = 0;
const provider = {
  schema: { resources: new Map() },
  readResource: async ({ current }: { current: unknown }) => ({
    state: current,
    private: noBytes,
    diagnostics: [{ severity: "warning", summary: "Host does not answer", detail: "no" }],
    unread: true,
  }),
  planResource: async () => ({ planned: object("/a", new Unknown()), decision, diagnostics: [] }),
  applyResource: async ({ planned }: ApplyRequest) => {
    deleted++;
    return { state: planned, private: noBytes, diagnostics: [], kept: true };
  },
} as unknown as Provider;
const request = { type: "t", current: object("/a", "a"), private: noBytes };

describe("what the provider said", () => {
  test("is found again by the objects, also after it was in a file", async () => {
    const log = createProviderLog();
    const { planResource, readResource } = log.watch(provider);
    await planResource({ type: "t", prior: object("/a", "a"), config: none, priorPrivate: noBytes });
    expect(log.wasRead("t", object("/a", "a"))).toBe(false);
    await readResource(request);
    expect(log.wasRead("t", object("/a", "a"))).toBe(true);
    log.keep("t", object("/a", "a"), "shared");
    const saved = JSON.parse(JSON.stringify(log.texts()));
    for (const each of [log, createProviderLog(saved)]) {
      expect(each.decision("t", object("/a", "a"), object("/a", new Unknown()))).toEqual(decision);
      expect(each.decision("t", object("/b", "a"), object("/a", new Unknown()))).toBeUndefined();
      expect(each.decision("u", object("/a", "a"), object("/a", new Unknown()))).toBeUndefined();
      expect(each.wasUnread("t", object("/a", "a"))).toBe(true);
      expect(each.wasRead("t", object("/a", "a"))).toBe(true);
      expect(each.wasUnread("t", object("/a", "b"))).toBe(false);
      expect(each.keeps("t", object("/a", "a"))).toBe("shared");
      expect(each.keeps("t", object("/a", "b"))).toBeUndefined();
    }
    expect(log.isOfRead({ severity: "warning", summary: "Host does not answer", detail: "no\n" })).toBe(true);
    expect(log.isOfRead({ severity: "error", summary: "Host does not answer", detail: "no" })).toBe(false);
  });

  test("includes no host that answered and was warned of", async () => {
    const log = createProviderLog();
    const warned = {
      ...provider,
      readResource: async () => ({ ...(await provider.readResource(request)), unread: undefined }),
    };
    await log.watch(warned as unknown as Provider).readResource(request);
    expect(log.wasUnread("t", request.current)).toBe(false);
  });

  test("includes that a host did not answer where something is to be made", async () => {
    const planned = object("/new", new Unknown());
    const down = {
      ...provider,
      planResource: async () => ({ planned, decision, diagnostics: [], unseen: true }),
    };
    const log = createProviderLog();
    const { planResource } = log.watch(down as unknown as Provider);
    await planResource({ type: "t", prior: none, config: none, priorPrivate: noBytes });
    expect(log.wasUnread("t", planned)).toBe(true);
    expect(log.wasUnread("t", object("/other", new Unknown()))).toBe(false);
  });

  test("includes what it left on the host", async () => {
    const log = createProviderLog();
    const { applyResource } = log.watch(provider);
    const deletion = { type: "t", planned: none, config: none, plannedPrivate: noBytes };
    await applyResource({ ...deletion, prior: object("/a", "a") });
    expect(log.wasKept("t", object("/a", "a"))).toBe(true);
    expect(log.wasKept("t", object("/b", "a"))).toBe(false);
    expect(deleted).toBe(1);
  });
});

test("what is to be kept is not deleted, and is not asked about", async () => {
  const log = createProviderLog();
  const { applyResource } = log.watch(provider);
  const before = deleted;
  log.keep("t", object("/a", "a"), "shared");
  const answer = await applyResource({
    type: "t",
    prior: object("/a", "a"),
    planned: none,
    config: none,
    plannedPrivate: noBytes,
  });
  expect(answer).toMatchObject({ state: none, kept: true, diagnostics: [] });
  expect(deleted).toBe(before);
  // Changing it is another thing.
  await applyResource({
    type: "t",
    prior: object("/a", "a"),
    planned: object("/a", "b"),
    config: object("/a", "b"),
    plannedPrivate: noBytes,
  });
  expect(deleted).toBe(before + 1);
});

test("a login is for what is deleted, and for nothing else", async () => {
  const asked: (Value | undefined)[] = [];
  const hearing = {
    ...provider,
    applyResource: async ({ planned, login }: ApplyRequest) => {
      asked.push(login);
      return { state: planned, private: noBytes, diagnostics: [] };
    },
  } as unknown as Provider;
  const log = createProviderLog();
  const { applyResource } = log.watch(hearing);
  const login = fromPlain("new", stringType);
  log.logIn("t", object("/a", "a"), login);
  const apply = (path: string, planned: Value) =>
    applyResource({ type: "t", prior: object(path, "a"), planned, config: planned, plannedPrivate: noBytes });
  await apply("/a", object("/a", "b"));
  await apply("/b", none);
  await apply("/a", none);
  expect(asked).toEqual([undefined, undefined, login]);
});
