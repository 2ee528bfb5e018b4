/** Wrong settings are found before a host is asked: of a few instances each, and of the rest when they are planned. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Provider } from "../core/provider.ts";
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { fieldsOf } from "../revision/proposal.ts";
import { type TestEngine, testEngine } from "./testing/engine.ts";
import { fakeProvider } from "./testing/fake-provider.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

const resource = (name: string, count: number): string =>
  `resource "test_file" "${name}" {\n count = ${count}\n path = "/${name}/\${count.index}"\n content = "x"\n}\n`;

/** Notes which paths were validated before the first host was asked to plan, and refuses one. */
function watching(refused: string): {
  readonly provider: Provider;
  readonly first: string[];
  asked: boolean;
} {
  const provider = fakeProvider(engine.hosts);
  const watch = {
    first: [] as string[],
    asked: false,
    provider: {
      ...provider,
      validateResourceConfig: (...[type, config]: Parameters<Provider["validateResourceConfig"]>) => {
        const path = String(fieldsOf(config)!.get("path")!.data);
        if (!watch.asked) watch.first.push(path);
        const bad = path === refused ? [errorDiagnostic("Bad path", path)] : [];
        return [...provider.validateResourceConfig(type, config), ...bad];
      },
      planResource: (request) => {
        watch.asked = true;
        return provider.planResource(request);
      },
    } satisfies Provider,
  };
  return watch;
}

test("a hundred are looked at first, shared among resources, and all of small ones", async () => {
  const watch = watching("/b/60");
  const text = resource("a", 3) + resource("b", 80);
  expect(await engine.problems(text, { provider: watch.provider })).toEqual(["Bad path: /b/60"]);
  // What follows is validated again, each before it is planned.
  expect(watch.first.slice(0, 53)).toEqual([
    ...Array.from({ length: 3 }, (_, i) => `/a/${i}`),
    ...Array.from({ length: 50 }, (_, i) => `/b/${i}`),
  ]);
  expect(watch.asked).toBe(true);
});

test("two of each, however many resources there are; what is wrong with one of them asks no host", async () => {
  const names = Array.from({ length: 90 }, (_, i) => `r${i}`);
  const text = names.map((name) => resource(name, 4)).join("");
  const watch = watching("/r89/1");
  expect(await engine.problems(text, { provider: watch.provider })).toEqual(["Bad path: /r89/1"]);
  expect(watch.first).toEqual(names.flatMap((name) => [`/${name}/0`, `/${name}/1`]));
  expect(watch.asked).toBe(false);
});
