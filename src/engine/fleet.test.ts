/** How a circuit goes through its hosts: batches, each host by itself, what a failure stops, what is tried again. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Circuit, Configuration } from "../compiler/model.ts";
import { SourceFile } from "../diagnostics/source.ts";
import { parseExpression } from "../hcl/parse/parse.ts";
import type { Expression } from "../hcl/tree.ts";
import type { RunOptions } from "./run.ts";
import { configurationOf } from "./testing/configuration.ts";
import { actionsOf, type TestEngine, testEngine } from "./testing/engine.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

const expression = (text: string): Expression => parseExpression(new SourceFile("x", text)).expression;

const names = ["h1", "h2", "h3", "h4"];

/** Steps a and b, and a handler of b, on four hosts. */
const steps = (content: string, more = "") => `
resource "test_file" "web__a" {
  for_each = toset(${JSON.stringify(names)})
  path     = "/a"
  content  = "${content}"
  ssh {
    address = each.key
  }
}
${more}
resource "test_file" "web__b" {
  for_each   = toset(${JSON.stringify(names)})
  path       = "/b"
  content    = "${content}"
  depends_on = [test_file.web__a${more === "" ? "" : ", test_file.between"}]
  ssh {
    address = each.key
  }
}
resource "test_action" "web__run" {
  for_each   = toset(${JSON.stringify(names)})
  name       = "run"
  triggers   = [test_file.web__b[each.key].revision]
  depends_on = [test_file.web__b]
  ssh {
    address = each.key
  }
}`;

interface Fleet extends Partial<Pick<Circuit, "order" | "onFailure" | "onHostGone">> {
  readonly batch?: string;
  readonly maxFailures?: string;
  readonly pause?: string;
}

function fleet({ batch, maxFailures, pause, ...settings }: Fleet, text: string): Partial<RunOptions> {
  const configuration = configurationOf(text);
  const rollout =
    batch === undefined
      ? undefined
      : {
          batch: expression(batch),
          maxFailures: maxFailures === undefined ? undefined : expression(maxFailures),
          pause: pause === undefined ? undefined : expression(pause),
        };
  const circuit: Circuit = {
    name: "web",
    range: configuration.resources[0]!.range,
    hosts: expression("{}"),
    steps: [],
    handlers: [],
    facts: undefined,
    moved: [],
    rollout,
    order: "step",
    onFailure: "host",
    onHostGone: "fail",
    ...settings,
  };
  return { configuration: { ...configuration, circuits: [circuit] } };
}

const apply = (settings: Fleet, content = "one") => engine.apply("", fleet(settings, steps(content)));

/** Positions of the first and last thing done on each host. */
function spans(): Record<string, readonly [number, number]> {
  const places = (host: string) =>
    engine.hosts.log.flatMap((line, i) =>
      line.startsWith("forget") || !line.includes(` ${host}:`) ? [] : [i],
    );
  return Object.fromEntries(
    names
      .filter((host) => places(host).length > 0)
      .map((host) => [host, [places(host)[0]!, places(host).at(-1)!]]),
  );
}

describe("a rollout", () => {
  test.each([
    ["1", [["h1"], ["h2"], ["h3"], ["h4"]]],
    ["3", [["h1", "h2", "h3"], ["h4"]]],
    [
      '"50%"',
      [
        ["h1", "h2"],
        ["h3", "h4"],
      ],
    ],
    ['[1, "50%"]', [["h1"], ["h2", "h3"], ["h4"]]],
    ["10", [["h1", "h2", "h3", "h4"]]],
  ])("with batch = %s does all steps and handlers of a batch before the next", async (batch, expected) => {
    expect((await apply({ batch })).failed).toEqual([]);
    expect(engine.hosts.log).toHaveLength(12);
    const found = spans();
    for (const [i, hosts] of expected.slice(1).entries()) {
      const before = Math.max(...expected[i]!.map((host) => found[host]![1]));
      for (const host of hosts) expect(found[host]![0]).toBeGreaterThan(before);
    }
  });

  test("stops when too many hosts failed, the rest stays as it was, and the next apply goes on there", async () => {
    await apply({});
    engine.hosts.failing.set("h2:/a", "wholly");
    const outcome = await apply({ batch: "1" }, "two");
    expect(outcome.failed).toMatchObject([{ host: "h2" }]);
    expect(Object.keys(spans())).toEqual(["h1"]);
    expect(outcome.notDone).toContain('test_file.web__a["h3"]');
    const skipped = engine.events.find(
      (event) => event.kind === "apply_skipped" && event.subject.host === "h3",
    );
    expect(skipped).toMatchObject({ because: "the rollout stopped before batch 3: 1 host failed" });
    engine.hosts.failing.clear();
    await apply({ batch: "1" }, "two");
    expect(Object.keys(spans())).toEqual(["h2", "h3", "h4"]);
  });

  test.each(["too many hosts failed", "it is interrupted"])(
    "leaves later batches alone when %s",
    async (why) => {
      await apply({});
      const interrupted = new AbortController();
      const run = await engine.start("", {
        ...fleet({ batch: "1" }, steps("two")),
        signal: interrupted.signal,
      });
      engine.hosts.logins.length = 0;
      if (why === "it is interrupted") engine.hosts.beforeApply = () => interrupted.abort();
      else engine.hosts.failing.set("h1:/a", "wholly");
      engine.hosts.files.set("h3:/a", "somebody else's");
      const outcome = await run.apply();
      await run.close();
      expect(outcome.failed.filter(({ host }) => host !== "h1")).toEqual([]);
      expect(outcome.notDone).toContain('test_file.web__a["h3"]');
      expect(new Set(engine.hosts.logins)).toEqual(new Set(["h1"]));
    },
  );

  test("goes on when fewer failed than allowed", async () => {
    engine.hosts.failing.set("h1:/a", "wholly");
    const outcome = await apply({ batch: "1", maxFailures: '"25%"' });
    expect(outcome.failed).toHaveLength(1);
    expect(Object.keys(spans())).toEqual(["h2", "h3", "h4"]);
  });

  test.each(["0", '"150%"', '"many"', "[]"])("refuses batch = %s while planning", async (batch) => {
    expect(await engine.problems("", fleet({ batch }, steps("one")))).toEqual([
      expect.stringContaining("It must be a number of hosts"),
    ]);
  });
});

describe('order = "host"', () => {
  test("lets a host go on while another is busy", async () => {
    let release: (() => void) | undefined;
    engine.hosts.beforeApply = (what) =>
      what === "h1:/a" ? new Promise<void>((resolve) => (release = resolve)) : undefined;
    const run = await engine.start("", fleet({ order: "host" }, steps("one")));
    const applied = run.apply();
    while (engine.hosts.log.filter((line) => line.startsWith("run")).length < 3)
      await new Promise((resolve) => setImmediate(resolve));
    expect(engine.hosts.log.some((line) => line.includes("h1:"))).toBe(false);
    release!();
    expect(await applied).toMatchObject({ created: 12, failed: [] });
    await run.close();
  });

  test("is refused where a step refers to other hosts", async () => {
    const text = steps("one").replace('content    = "one"', 'content    = test_file.web__a["h1"].sha');
    expect(await engine.problems("", fleet({ order: "host" }, text))).toEqual([
      expect.stringContaining("A step refers to other hosts"),
    ]);
  });

  test("is refused where something outside would have to wait for all hosts in between", async () => {
    const between = `resource "test_file" "between" {
      path       = "/between"
      content    = "x"
      depends_on = [test_file.web__a]
    }`;
    expect(await engine.problems("", fleet({ batch: "1" }, steps("one", between)))).toEqual([
      expect.stringMatching(/^Hosts would wait for each other: web does not go.*test_file.between/),
    ]);
    expect(actionsOf(await engine.plan("", fleet({ order: "host" }, steps("one", between))))).toBeDefined();
  });
});

test('on_failure = "stop" stops all hosts after the step that failed on one', async () => {
  engine.hosts.failing.set("h2:/a", "wholly");
  const { failed, notDone } = await apply({ onFailure: "stop" });
  expect(failed).toHaveLength(1);
  expect(engine.hosts.log).toEqual(["write h1:/a", "write h3:/a", "write h4:/a"]);
  expect(notDone).toHaveLength(8);
});

describe("a step", () => {
  const withOrigin = (change: object): Partial<RunOptions> => {
    const options = fleet({}, steps("one"));
    const configuration: Configuration = {
      ...options.configuration!,
      resources: options.configuration!.resources.map((resource) =>
        resource.name === "web__a" ? { ...resource, origin: { ...resource.origin!, ...change } } : resource,
      ),
    };
    return { configuration };
  };

  test("with retries is tried until it succeeds, and what an attempt left is its own", async () => {
    const retries = { attempts: expression("3"), interval: expression('"1.5ms"') };
    engine.hosts.failing.set("h1:/a", "partly");
    let tries = 0;
    engine.hosts.beforeApply = (what) => {
      if (what === "h1:/a" && ++tries === 3) engine.hosts.failing.clear();
    };
    expect(await engine.apply("", withOrigin({ retries }))).toMatchObject({ created: 12, failed: [] });
    expect(tries).toBe(3);
    expect(engine.hosts.priorPrivate.get("/a")).toBe("plan of /a");
  });

  test("with retries fails in the end", async () => {
    const retries = { attempts: expression("2"), interval: expression("0") };
    engine.hosts.failing.set("h1:/a", "wholly");
    expect((await engine.apply("", withOrigin({ retries }))).failed).toHaveLength(1);
  });

  test("whose errors are ignored holds back only what refers to it", async () => {
    engine.hosts.failing.set("h1:/a", "wholly");
    const outcome = await engine.apply("", withOrigin({ ignoreErrors: expression("true") }));
    expect(outcome).toMatchObject({ created: 11, failed: [], notDone: [] });
    expect(outcome.diagnostics).toMatchObject([{ severity: "warning", summary: "It failed" }]);
    expect(engine.hosts.log).toContain("run h1:run");
  });
});

describe("a host that was taken out and does not answer", () => {
  const without = (onHostGone: Circuit["onHostGone"]) => {
    const left = steps("one").replaceAll('["h1","h2","h3","h4"]', '["h1","h2","h3"]');
    return fleet({ onHostGone }, left);
  };

  test("fails the apply with three ways out, and plan says so before", async () => {
    await apply({});
    engine.hosts.down.add("h4");
    const { diagnostics } = await engine.plan("", without("fail"));
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ severity: "warning", summary: "Host is gone" }),
    );
    const outcome = await engine.apply("", without("fail"));
    expect(outcome.failed.length).toBeGreaterThan(0);
    const said = outcome.diagnostics.map(({ detail }) => detail).join("\n");
    expect(said).toMatch(/Bring h4 back.*state rm.*removed block.*on_host_gone = "forget" in circuit web/);
    engine.hosts.down.clear();
    await engine.apply("", without("fail"));
    expect(engine.hosts.files.has("h4:/a")).toBe(false);
  });

  test('is dropped with on_host_gone = "forget"', async () => {
    await apply({});
    engine.hosts.down.add("h4");
    const { changes } = await engine.plan("", without("forget"));
    expect(changes.filter(({ host }) => host === "h4").map(({ decision }) => decision.keeps)).toContain(
      "host_gone",
    );
    expect(await engine.apply("", without("forget"))).toMatchObject({ failed: [], deleted: 1, kept: 2 });
    expect(engine.hosts.files.has("h4:/a")).toBe(true);
  });

  test("is cleaned as ever when it answers", async () => {
    await apply({});
    expect(await engine.apply("", without("forget"))).toMatchObject({ failed: [], deleted: 3, kept: 0 });
  });
});
