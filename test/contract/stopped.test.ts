/**
 * A run that is asked to end, while something is only waited for.
 */
import { expect, test } from "vitest";
import { openEmbedded } from "./embedded.ts";

test("ends at once, and says what it waited for", async () => {
  const embedded = await openEmbedded();
  const stop = new AbortController();
  const step = `
  step "never" {
    wait_for {
      path     = "${embedded.host.root}/never"
      interval = 60
      timeout  = 600
    }
  }`;
  const begin = performance.now();
  setTimeout(() => stop.abort(), 3000);
  const { failed } = await embedded.apply(step, { signal: stop.signal });
  expect(failed).toMatchObject([{ address: 'conn3x_wait_for.web__never["h1"]', reason: "Stopped" }]);
  expect(performance.now() - begin).toBeLessThan(30_000);
  await embedded.remove();
}, 60_000);
