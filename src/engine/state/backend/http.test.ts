/** A state on an HTTP server: what the server is asked, and what becomes of what it answers. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HttpStateServer, startHttpStateServer } from "../../testing/http-state-server.ts";
import { keysIn, lockTerms, storeAt, storedInstance } from "../../testing/store-at.ts";
import { pushState } from "../edit.ts";
import { openStore } from "../open-store.ts";
import { peekState } from "../peek.ts";
import { BackendError, type StateBackend } from "../state-backend.ts";
import { httpBackend } from "./http-server.ts";
import { httpSettings } from "./http-settings.ts";
import type { Settings } from "./settings.ts";

let server: HttpStateServer;
let folder: string;
const before = process.cwd();
beforeEach(async () => {
  server = await startHttpStateServer();
  folder = mkdtempSync(join(tmpdir(), "conn3x-http-state-"));
  process.chdir(folder);
});
afterEach(async () => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
  await server.close();
});

/** Does not wait between tries. */
function backend(more: Settings = {}, timeout = 5000): StateBackend {
  const { address } = server;
  const locks = { lock_address: address, unlock_address: address };
  const settings = httpSettings({ address, ...locks, retry_wait_min: 0, ...more }, (problem) => {
    throw new Error(problem.detail);
  })!;
  return httpBackend({ ...settings, transport: { ...settings.transport, timeout } });
}

const store = (...keys: readonly string[]) => storeAt(backend(), ...keys);

const asked = () => server.seen.map(({ method, path }) => `${method} ${path.replace(/ID=.*/, "ID=…")}`);

describe("what is asked", () => {
  test("state and lock, with sums, and the lock's id where it is written", async () => {
    expect(await store("x")).toEqual([]);
    expect(asked()).toEqual(["LOCK /state", "GET /state", "GET /state", "POST /state?ID=…", "UNLOCK /state"]);
    const [lock, , , post, unlock] = server.seen;
    const { ID, Operation, Who, Path } = JSON.parse(lock!.body);
    expect({ Operation, Path }).toEqual({ Operation: "OperationTypeApply", Path: server.address });
    expect(Who).toMatch(/.@./);
    expect(post!.path).toBe(`/state?ID=${ID}`);
    expect(post!.headers).toMatchObject({ "content-type": "application/json" });
    expect(JSON.parse(unlock!.body).ID).toBe(ID);
    expect(keysIn(server.state)).toEqual(["x"]);
    expect(readdirSync(".conn3x")).toEqual([]);
    expect(existsSync("errored.tfstate")).toBe(false);
  });

  test("with other methods, headers and a login", async () => {
    server.answer = ({ method }) => (method === "GET" ? { status: 404 } : { status: 200 });
    const at = backend({
      update_method: "PUT",
      lock_method: "POST",
      unlock_method: "DELETE",
      username: "me",
      password: "p:w",
      headers: { "X-Team": "a" },
    });
    const { lock } = await at.lock(lockTerms);
    await at.write(at.encode(["{}"]));
    await lock!.release();
    expect(server.seen.map(({ method }) => method)).toEqual(["POST", "PUT", "DELETE"]);
    for (const { headers } of server.seen)
      expect(headers).toMatchObject({
        "x-team": "a",
        authorization: `Basic ${Buffer.from("me:p:w").toString("base64")}`,
      });
  });

  test("each address with the login in it, and with no other address's", async () => {
    const withLogin = (login: string) => server.address.replace("//", `//${login}@`);
    const at = backend({ address: withLogin("me:p%3Aw"), unlock_address: withLogin("you") });
    const { lock } = await at.lock(lockTerms);
    await at.write(at.encode(["{}"]));
    await lock!.release();
    const basic = (login: string) => `Basic ${Buffer.from(login).toString("base64")}`;
    expect(server.seen.map(({ method, headers }) => [method, headers.authorization])).toEqual([
      ["LOCK", undefined],
      ["POST", basic("me:p:w")],
      ["UNLOCK", basic("you:")],
    ]);
  });

  test("nothing to lock with where there is no lock_address", async () => {
    const at = backend({ lock_address: "", unlock_address: "" });
    const { lock } = await at.lock(lockTerms);
    await at.write(at.encode(["{}"]));
    expect(await lock!.release()).toEqual([]);
    expect(asked()).toEqual(["POST /state"]);
  });

  test("a login that stands in the address, which is never shown", async () => {
    const address = server.address.replace("http://", "http://me:secret@");
    const at = backend({ address: `${address}?token=hidden` });
    expect(at.name).toBe(server.address);
    await at.read();
    expect(server.seen[0]).toMatchObject({
      path: "/state?token=hidden",
      headers: { authorization: `Basic ${Buffer.from("me:secret").toString("base64")}` },
    });
  });
});

describe("the lock", () => {
  const other = {
    ID: "abc",
    Operation: "OperationTypePlan",
    Who: "her@there",
    Created: "2026-01-01T00:00:00Z",
  };

  test.each([409, 423])("of somebody else is told (status %d)", async (status) => {
    server.answer = ({ method }) => (method === "LOCK" ? { status, body: JSON.stringify(other) } : undefined);
    const { problem } = await backend().lock(lockTerms);
    expect(problem?.summary).toBe("Error acquiring the state lock");
    for (const part of ["abc", "plan", "her@there", "conn3x force-unlock abc"])
      expect(problem?.detail).toContain(part);
    // Of this machine's own runs, too.
    expect(readdirSync(".conn3x")).toEqual([]);
  });

  test("is waited for", async () => {
    server.lock = JSON.stringify(other);
    setTimeout(() => {
      server.lock = undefined;
    }, 300);
    const { lock } = await backend().lock({ ...lockTerms, timeout: 10_000 });
    expect(JSON.parse(server.lock!).ID).toBe(lock!.info.ID);
  });

  test("keeps out another run of this machine, whatever the server has", async () => {
    const first = await backend({ lock_address: "" }).lock(lockTerms);
    const { problem } = await backend({ lock_address: "" }).lock(lockTerms);
    expect(problem?.summary).toBe("Error acquiring the state lock");
    await first.lock!.release();
  });

  test("is ours where the answer that said so was lost", async () => {
    let lost = false;
    server.answer = ({ method, body }) => {
      if (method !== "LOCK" || lost) return undefined;
      lost = true;
      server.lock = body;
      return { breaks: true };
    };
    const { lock } = await backend().lock(lockTerms);
    expect(lock).toBeDefined();
  });

  test("that cannot be released is told", async () => {
    server.answer = ({ method }) => (method === "UNLOCK" ? { status: 500 } : undefined);
    const { lock } = await backend().lock(lockTerms);
    expect(await lock!.release()).toEqual([
      expect.objectContaining({
        summary: "Error releasing the state lock",
        detail: expect.stringContaining(`conn3x force-unlock ${lock!.info.ID}`),
      }),
    ]);
  });

  test("is ended by force, and only the one that is meant", async () => {
    server.lock = JSON.stringify(other);
    expect(await backend().forceUnlock("x")).toMatchObject({ severity: "error" });
    expect(server.lock).toBeDefined();
    expect(await backend().forceUnlock("abc")).toBeUndefined();
    expect(server.lock).toBeUndefined();
  });
});

describe("an answer that is no state", () => {
  test.each([
    ["a login page", { status: 200, body: "<!doctype html><p>Log in" }, /with a web page/],
    ["something else", { status: 200, body: "hello" }, /not a JSON object/],
    ["no login", { status: 401 }, /status 401: it wants a login/],
    ["a forbidden one", { status: 403 }, /status 403: it does not allow/],
    ["a failure", { status: 500, body: "secret trace" }, /status 500: it has failed itself/],
    ["another sum", { status: 200, body: "{}", headers: { "content-md5": "AAAA" } }, /Content-MD5/],
    ["nothing", { status: 200, body: "" }, undefined],
  ])("%s", async (_, answer, expected) => {
    server.answer = () => answer;
    const { file, problem } = await peekState(backend({ retry_max: 1 }));
    if (expected === undefined) return expect(file).toMatchObject({ serial: 0 });
    expect(`${problem?.summary}: ${problem?.detail}`).toMatch(expected);
    expect(problem?.detail).not.toContain("secret trace");
    expect(server.seen.length).toBe(answer.status === 500 ? 2 : 1);
  });

  test("nothing at all", async () => {
    server.answer = () => ({ silent: true });
    const { problem } = await peekState(backend({ retry_max: 0 }, 200));
    expect(problem).toMatchObject({
      summary: "State cannot be read",
      detail: `${server.address}: it does not answer.`,
    });
  });

  test("nobody there", async () => {
    await server.close();
    const { problem } = await peekState(backend({ retry_max: 0 }));
    expect(problem?.detail).toBe(`${server.address}: it refuses connections.`);
  });

  test("a failure that passes is no failure, after as long as the server wants", async () => {
    server.state = undefined;
    server.answer = () =>
      server.seen.length < 3 ? { status: 503, headers: { "retry-after": "0" } } : undefined;
    expect((await peekState(backend({ retry_max: 2, retry_wait_min: 9 }))).file).toBeDefined();
    expect(server.seen.length).toBe(3);
  });

  test("redirections are followed with the method, and to another server without the login", async () => {
    const login = { username: "me", password: "secret", headers: { "X-Key": "k" } };
    server.answer = ({ path }) =>
      path === "/state" ? { status: 307, headers: { location: "/state?x=1" } } : undefined;
    const at = backend(login);
    await at.write(at.encode(["{}"]));
    expect([server.seen[1]!.method, server.state]).toEqual(["POST", "{}"]);
    expect(server.seen[1]!.headers).toMatchObject({ authorization: expect.anything(), "x-key": "k" });
    const second = await startHttpStateServer();
    server.answer = () => ({ status: 307, headers: { location: `${second.address}?x=1` } });
    expect((await peekState(backend(login))).file).toBeDefined();
    expect(second.seen[0]!.headers).not.toMatchObject({ authorization: expect.anything() });
    expect(second.seen[0]!.headers).not.toMatchObject({ "x-key": expect.anything() });
    await second.close();
  });
});

describe("what cannot be stored", () => {
  const failing = { status: 503 };

  test("is kept here, and the next run stores it", async () => {
    await store("x");
    server.answer = ({ method }) => (method === "POST" ? failing : undefined);
    const said = await store("y");
    expect(said.map(({ summary }) => summary)).toEqual(["State cannot be saved"]);
    expect(said[0]!.detail).toMatch(/errored\.tfstate.*state push errored\.tfstate/s);
    expect(keysIn(readFileSync("errored.tfstate", "utf8"))).toEqual(["x", "y"]);
    expect(statSync("errored.tfstate").mode & 0o777).toBe(0o600);
    expect(server.lock).toBeUndefined();

    server.answer = undefined;
    expect(keysIn(server.state)).toEqual(["x"]);
    const kept = readFileSync("errored.tfstate");
    const { warnings } = await openStore(backend());
    expect(warnings).toMatchObject([
      {
        severity: "warning",
        detail: expect.stringContaining("errored.tfstate is not needed any more: remove it."),
      },
    ]);
    expect(keysIn(server.state)).toEqual(["x", "y"]);
    expect(readdirSync(".conn3x")).toEqual([]);
    expect(readFileSync("errored.tfstate").equals(kept)).toBe(true);
    // Said once: afterwards there is no journal.
    expect((await openStore(backend())).warnings).toEqual([]);
  });

  test("is not called needless where it is another state, or none", async () => {
    await store("x");
    server.answer = ({ method }) => (method === "POST" ? failing : undefined);
    await store("y");
    server.answer = undefined;
    const state = JSON.parse(readFileSync("errored.tfstate", "utf8"));
    const journal = readdirSync(".conn3x").map((name) => `.conn3x/${name}`);
    const before = [server.state, ...journal.map((path) => readFileSync(path))] as const;
    for (const text of [
      { ...state, serial: state.serial + 1 },
      { ...state, lineage: "other" },
    ]
      .map((one) => JSON.stringify(one))
      .concat("")) {
      writeFileSync("errored.tfstate", text);
      server.state = before[0];
      journal.forEach((path, i) => {
        writeFileSync(path, before[i + 1]!);
      });
      expect((await openStore(backend())).warnings).toEqual([]);
      expect(keysIn(server.state)).toEqual(["x", "y"]);
    }
  });

  test("is stored by a push, of whatever engine, and not once more", async () => {
    await store("x");
    server.answer = ({ method }) => (method === "POST" ? failing : undefined);
    await store("y");
    server.answer = undefined;
    // OpenTofu counts the serial up.
    const pushed = JSON.parse(readFileSync("errored.tfstate", "utf8"));
    server.state = JSON.stringify({ ...pushed, serial: pushed.serial + 1 }, undefined, 1);
    expect(await store()).toEqual([]);
    expect(JSON.parse(server.state).serial).toBe(pushed.serial + 1);
    expect(readdirSync(".conn3x")).toEqual([]);
  });

  test("with conn3x state push, too", async () => {
    await store("x");
    server.answer = ({ method }) => (method === "POST" ? failing : undefined);
    await store("y");
    server.answer = undefined;
    const text = readFileSync("errored.tfstate", "utf8");
    expect(
      await pushState({ path: backend(), operation: "state push", lockTimeout: 0 }, text, false),
    ).toEqual([]);
    expect(keysIn(server.state)).toEqual(["x", "y"]);
    expect(await store()).toEqual([]);
  });

  test("is not put over what another program has written meanwhile", async () => {
    await store("x");
    const at = backend();
    const { lock } = await at.lock(lockTerms);
    const { store: mine } = await openStore(at);
    mine!.put("conn3x_file", "a", storedInstance("y"));
    const theirs = JSON.stringify({
      ...JSON.parse(server.state!),
      outputs: { a: { value: "1", type: "string" } },
    });
    server.state = theirs;
    expect((await mine!.close()).map(({ detail }) => detail)).toEqual([
      expect.stringContaining("another program has written the state meanwhile"),
    ]);
    await lock!.release();
    expect(server.state).toBe(theirs);
    // Nor by the next run.
    expect((await store())[0]?.summary).toBe("State journal does not fit the state");
    expect(server.state).toBe(theirs);
  });
});

test("a server that keeps states in another form is understood", async () => {
  await store("x");
  server.answer = ({ method, body }) => {
    if (method !== "POST") return undefined;
    // Members the other way round, laid out otherwise.
    server.state = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse()));
    return { status: 200 };
  };
  expect(await store("y")).toEqual([]);
  expect(await store("z")).toEqual([]);
  expect(keysIn(server.state)).toEqual(["x", "y", "z"]);
});

test("what a killed run did is in the journal, which counts at once and is stored by the next run", async () => {
  await store("x");
  const at = backend();
  const { lock } = await at.lock(lockTerms);
  const { store: killed } = await openStore(at);
  killed!.put("conn3x_file", "a", storedInstance("y"));
  await killed!.durable();
  // Killed: nothing is closed. Its lock goes as after its process.
  await lock!.release();
  expect(keysIn(server.state)).toEqual(["x"]);
  const { file } = await peekState(backend());
  expect([...file!.resources.values()].flatMap(({ instances }) => [...instances.keys()])).toEqual(["x", "y"]);
  expect(await store()).toEqual([]);
  expect(keysIn(server.state)).toEqual(["x", "y"]);
});

test("what is thrown says it all", async () => {
  server.answer = () => ({ status: 403 });
  await expect(backend().read()).rejects.toBeInstanceOf(BackendError);
});
