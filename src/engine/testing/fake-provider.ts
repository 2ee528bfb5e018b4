/**
 * @module A provider whose hosts are a map in memory: for tests of the engine.
 *
 * It has two resource types. `test_file` (path, content, mode, secret, an `ssh` block; computed `sha` and `revision`) is
 * an object on a host. `test_action` (name, triggers; computed `revision`) runs when it is created, is replaced when its
 * triggers change, and has nothing on the host.
 */
import type {
  ApplyRequest,
  ApplyResponse,
  PlanRequest,
  PlanResponse,
  Provider,
} from "../../core/provider.ts";
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Decision, ReasonKind } from "../../revision/decision.ts";
import { type BlockSchema, dynamic, type ResourceSchema, schemaType, string } from "../../schema/schema.ts";
import { valuesEqual } from "../../values/equal.ts";
import { fromJson, parseJson } from "../../values/json/json.ts";
import type { Path } from "../../values/path.ts";
import { stringType } from "../../values/type.ts";
import {
  isNull,
  isUnknown,
  nullValue,
  objectValue,
  stringValue,
  unknownValue,
  type Value,
} from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";

const ssh: BlockSchema = {
  describe: "Login.",
  attributes: { address: string({ optional: true, describe: "Address." }) },
  blocks: {},
};

const file: ResourceSchema = {
  version: 0,
  describe: "A file.",
  attributes: {
    path: string({ required: true, identity: true, describe: "Path." }),
    content: string({ optional: true, observed: true, describe: "Content." }),
    secret: string({ optional: true, sensitive: true, describe: "Content nobody sees." }),
    id: string({ computed: true, describe: "The path." }),
    sha: string({ computed: true, observed: true, follows: ["content"], describe: "Of the content." }),
    revision: string({ computed: true, describe: "Revision." }),
  },
  blocks: { ssh },
};

const action: ResourceSchema = {
  version: 0,
  describe: "An action.",
  attributes: {
    name: string({ required: true, describe: "Name." }),
    triggers: dynamic({ optional: true, describe: "Runs again when they change." }),
    revision: string({ computed: true, describe: "Revision." }),
  },
  blocks: { ssh },
};

const resources = new Map([
  ["test_file", file],
  ["test_action", action],
]);

export interface FakeHosts {
  /** Content by `ADDRESS:PATH`. */
  readonly files: Map<string, string>;
  /** Hosts that do not answer. */
  readonly down: Set<string>;
  /** `apply ADDRESS:PATH` and `run ADDRESS:NAME` that fail; with `partly` what was made is returned. */
  readonly failing: Map<string, "wholly" | "partly">;
  /** What was done, in order: `write`, `remove`, `run`, `forget`. */
  readonly log: string[];
  /** Called before each apply. */
  beforeApply: (what: string) => void | Promise<void>;
  /** Login addresses that reads were given. */
  readonly logins: (string | undefined)[];
  /** Applies, by `ADDRESS:PATH` or `ADDRESS:NAME`, whose messages must not quote the host's answers. */
  readonly quiet: Set<string>;
  /** What plans of creates were given as private data, by path. */
  readonly priorPrivate: Map<string, string>;
  /** Revisions so far. */
  minted: number;
}

export const fakeHosts = (): FakeHosts => ({
  files: new Map(),
  down: new Set(),
  failing: new Map(),
  log: [],
  beforeApply: () => undefined,
  logins: [],
  quiet: new Set(),
  priorPrivate: new Map(),
  minted: 0,
});

type Fields = ReadonlyMap<string, Value>;

const fields = (object: Value): Fields => object.data as Fields;
const text = (object: Value, name: string): string => String(fields(object).get(name)?.data ?? "");
const addressOf = (object: Value): string => {
  const block = fields(object).get("ssh");
  return block === undefined || isNull(block) ? "here" : text(block, "address");
};
const none = new Uint8Array();

export function fakeProvider(hosts: FakeHosts): Provider {
  const mint = (): Value => stringValue(`r${++hosts.minted}`);
  return {
    schema: { provider: { describe: "", attributes: {}, blocks: {} }, resources },
    validateProviderConfig: () => [],
    configure: () => [],
    validateResourceConfig: (_type, config) => invalidPath(config),
    upgradeState(type, _version, json) {
      const read = fromJson(parseJson(json), schemaType(resources.get(type)!));
      return "value" in read
        ? { value: objectValue(fields(read.value)), diagnostics: [] }
        : { diagnostics: [errorDiagnostic("Bad object", read.error)] };
    },
    async readResource({ type, current, login, private: secret }) {
      hosts.logins.push(login === undefined ? undefined : text(login, "address"));
      if (type === "test_action") return { state: current, private: secret, diagnostics: [] };
      const host = (login && text(login, "address")) || addressOf(current);
      if (hosts.down.has(host)) {
        const diagnostics = [warningDiagnostic("Host does not answer", `${host} is down.`)];
        return { state: current, private: secret, diagnostics, unread: true };
      }
      const content = hosts.files.get(`${host}:${text(current, "path")}`);
      if (content === undefined) return { state: nullValue(current.type), private: none, diagnostics: [] };
      if (content === text(current, "content")) return { state: current, private: secret, diagnostics: [] };
      return {
        state: withFields(current, { content: stringValue(content), sha: shaOf(content) }),
        private: secret,
        diagnostics: [],
      };
    },
    async planResource(request) {
      const decided = plan(request);
      const isDown = !isNull(request.config) && hosts.down.has(addressOf(request.config));
      const answer = isDown ? { ...decided, unseen: true } : decided;
      if (!isNull(request.prior)) return answer;
      const path = text(request.config, "path");
      hosts.priorPrivate.set(path, Buffer.from(request.priorPrivate).toString());
      return { ...answer, private: Buffer.from(`plan of ${path}`) };
    },
    lookForExisting: async () => ({}),
    async applyResource(request) {
      const object = isNull(request.planned) ? request.prior : request.planned;
      const what = `${addressOf(object)}:${text(object, request.type === "test_file" ? "path" : "name")}`;
      if (request.sensitive === true) hosts.quiet.add(what);
      await hosts.beforeApply(what);
      return request.type === "test_file"
        ? applyFile(hosts, request, what, mint)
        : applyAction(hosts, request, what, mint);
    },
    async importResource(type, id) {
      const [host = "", path = ""] = id.split(":");
      const content = hosts.files.get(id);
      if (content === undefined)
        return { imported: [], diagnostics: [errorDiagnostic("Nothing to import", `There is no ${id}.`)] };
      const block = objectValue({ address: stringValue(host) });
      const state = objectValue({
        path: stringValue(path),
        content: stringValue(content),
        secret: nullValue(stringType),
        id: stringValue(path),
        sha: shaOf(content),
        revision: mint(),
        ssh: block,
      });
      return { imported: [{ type, state, private: Buffer.from("imported") }], diagnostics: [] };
    },
    stop: () => undefined,
    close: async () => undefined,
  };
}

function invalidPath(config: Value): readonly Diagnostic[] {
  const path = fields(config).get("path");
  if (typeof path?.data !== "string" || path.data.startsWith("/")) return [];
  return [
    errorDiagnostic("Path is not absolute", "It must start with a slash.", {
      attribute: [{ attribute: "path" }],
    }),
  ];
}

const shaOf = (content: string): Value => stringValue(`sha(${content})`);

const withFields = (object: Value, changes: Record<string, Value>): Value =>
  objectValue(new Map([...fields(object), ...Object.entries(changes)]));

const decision = (action: Decision["action"], kind?: ReasonKind): Decision => ({
  action,
  reasons: kind === undefined ? [] : [{ kind }],
  edits: [],
  drift: [],
  requiresReplace: [],
});

function plan({ type, prior, config, unsettled = false }: PlanRequest): PlanResponse {
  const answer = (
    planned: Value,
    decided: Decision,
    requiresReplace: readonly Path[] = [],
  ): PlanResponse => ({
    planned,
    decision: decided,
    requiresReplace,
    private: none,
    diagnostics: [],
  });
  if (isNull(config)) return answer(config, decision("delete", "removed"));
  const unknownRevision = unknownValue(stringType);
  const content = fields(config).get("content");
  const computed: Record<string, Value> =
    content === undefined
      ? {}
      : {
          id: fields(config).get("path")!,
          sha: isUnknown(content) ? unknownValue(stringType) : shaOf(text(config, "content")),
        };
  const wanted = withFields(config, computed);
  if (isNull(prior))
    return answer(withFields(wanted, { revision: unknownRevision }), decision("create", "create"));
  const kept = withFields(wanted, { revision: fields(prior).get("revision")! });
  if (valuesEqual(kept, prior) && !unsettled) return answer(prior, decision("none"));
  if (type === "test_action") {
    if (valuesEqual(fields(config).get("triggers")!, fields(prior).get("triggers")!))
      return answer(kept, decision("update", "config"));
    return answer(withFields(wanted, { revision: unknownRevision }), decision("replace", "triggers"), [
      [{ attribute: "triggers" }],
    ]);
  }
  const updated = withFields(wanted, { revision: unknownRevision });
  if (text(config, "path") === text(prior, "path"))
    return answer(updated, decision("update", valuesEqual(kept, prior) ? "last_apply_failed" : "config"));
  return answer(updated, decision("replace", "identity"), [[{ attribute: "path" }]]);
}

const done = (state: Value): ApplyResponse => ({ state, private: new Uint8Array([7]), diagnostics: [] });
const failedApply = (state: Value, what: string): ApplyResponse => ({
  state,
  private: none,
  diagnostics: [errorDiagnostic("It failed", `${what} failed.`)],
});

/** The planned object with nothing unknown in it. */
const complete = (planned: Value, mint: () => Value): Value =>
  isUnknown(fields(planned).get("revision")!) ? withFields(planned, { revision: mint() }) : planned;

function applyFile(
  hosts: FakeHosts,
  { prior, planned }: ApplyRequest,
  what: string,
  mint: () => Value,
): ApplyResponse {
  const failing = hosts.down.has(what.split(":")[0]!) ? "wholly" : hosts.failing.get(what);
  if (failing === "wholly") return failedApply(prior, what);
  if (isNull(planned)) {
    hosts.log.push(`remove ${what}`);
    hosts.files.delete(what);
    return done(planned);
  }
  if (!isWhollyKnown(fields(planned).get("content")!)) throw new Error("unknown content was to be applied");
  hosts.log.push(`write ${what}`);
  hosts.files.set(what, text(planned, "content"));
  const state = complete(planned, mint);
  return failing === "partly" ? failedApply(state, what) : done(state);
}

function applyAction(
  hosts: FakeHosts,
  { prior, planned }: ApplyRequest,
  what: string,
  mint: () => Value,
): ApplyResponse {
  if (isNull(planned)) {
    hosts.log.push(`forget ${what}`);
    return done(planned);
  }
  if (isNull(prior)) {
    if (hosts.failing.has(what)) return failedApply(prior, what);
    hosts.log.push(`run ${what}`);
  }
  return done(complete(planned, mint));
}
