/** Engines say whether they keep write-only settings out of what they store: one that does not is given none. */
import { expect, test } from "vitest";
import { createProvider } from "../src/core/create-provider.ts";
import { schemaType } from "../src/schema/schema.ts";
import { createSessionPool } from "../src/ssh/session-pool.ts";
import { fromPlain, type PlainObject } from "../src/values/plain.ts";
import { validateResourceConfig } from "./rpc/validate-resource-config.ts";
import { toWireValue } from "./wire/values.ts";

const typeName = "conn3x_file";

/** What is wrong with a file, for an engine that can or cannot, or that does not say. */
async function said(content: PlainObject, can: boolean | undefined) {
  const provider = createProvider({ sessions: createSessionPool() });
  const schema = provider.schema.resources.get(typeName)!;
  const nothing = Object.fromEntries(Object.keys(schema.attributes).map((name) => [name, null]));
  const blocks = Object.fromEntries(Object.keys(schema.blocks ?? {}).map((name) => [name, null]));
  const config = { ...nothing, ...blocks, path: "/srv/key", ...content };
  const { diagnostics } = await validateResourceConfig.handle(
    {
      typeName,
      config: toWireValue(fromPlain(config, schemaType(schema)), schemaType(schema)),
      clientCapabilities: can === undefined ? undefined : { writeOnlyAttributesAllowed: can },
    },
    { provider, log: () => undefined },
  );
  await provider.close();
  return diagnostics.map(({ severity, summary, detail }) => [severity, summary, detail]);
}

const error = 1;

test.each([false, undefined])(
  "secret_content is refused where an engine would store it (%s)",
  async (can) => {
    const [problem, ...others] = await said({ secret_content: "hidden-4711" }, can);
    expect(problem).toEqual([
      error,
      "Engine would store a secret",
      expect.stringMatching(/^secret_content is write-only/),
    ]);
    expect(others).toEqual([]);
    expect(String(problem)).not.toContain("hidden-4711");
  },
);

test("it is taken where the engine does not store it, and other content by any", async () => {
  expect(await said({ secret_content: "hidden-4711" }, true)).toEqual([]);
  expect(await said({ content: "open" }, undefined)).toEqual([]);
});
