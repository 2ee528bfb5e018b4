import { expect, it } from "vitest";
import { createProvider } from "../src/core/create-provider.ts";
import { kinds as shippedKinds } from "../src/resources/index.ts";
import type { Kind } from "../src/resources/kind.ts";
import { createSessionPool } from "../src/ssh/session-pool.ts";
import { tellingDefects } from "./told-defects.ts";

it("a defect that became a diagnostic is in the log with its trace, and an expected failure is not", async () => {
  const logged: string[] = [];
  const faulty = {
    ...shippedKinds.get("conn3x_file")!,
    imported: () => {
      throw new TypeError("asked to");
    },
  } as Kind;
  const provider = tellingDefects(
    createProvider({ sessions: createSessionPool(), kinds: new Map([["conn3x_file", faulty]]) }),
    (_, message, fields) => logged.push(`${message}: ${fields?.error}`),
  );
  const { diagnostics } = await provider.importResource("conn3x_file", "nonsense");
  expect(diagnostics).toMatchObject([{ summary: "Import id cannot be read" }]);
  expect(logged).toEqual([]);
  const met = await provider.importResource("conn3x_file", "ssh://deploy@192.0.2.1/etc/motd");
  expect(met.diagnostics).toMatchObject([{ summary: "Conn3x has a defect" }]);
  expect(logged).toEqual([expect.stringMatching(/^importing met a defect: TypeError\n +at /)]);
  await provider.close();
});
