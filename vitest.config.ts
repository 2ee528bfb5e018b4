import { defineConfig } from "vitest/config";

/** Drive OpenTofu and Terraform, which takes its time. */
const engineTests = [
  "provider/{engine,host}.test.ts",
  "test/contract/engines.test.ts",
  "test/engines/**/*.test.ts",
  "test/cli/{engines,engines-json}.test.ts",
  "test/differential/{compiled-circuits,compiled-plans,expressions,generated-circuits,type-constraints}.test.ts",
];

/** Real hosts and other programs have their own pace: in CI a failure counts when it happens twice. The report says so. */
const retry = process.env.CI === "true" ? 1 : 0;

/**
 * Files of both run side by side: a file on hosts waits for them half of its time, and each has hosts of its own. More
 * than two at once would measure the machine and not us.
 */
const together = { maxWorkers: 3, sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "{src,provider}/**/*.test.ts",
            "test/{unit,contract,differential,cli}/**/*.test.ts",
            "test/attacks/servers/**/*.test.ts",
          ],
          exclude: engineTests,
          globalSetup: ["test/unit/left-out.ts"],
          setupFiles: ["test/unit/setup.ts"],
          testTimeout: 20_000,
          // Many wait for a process that they started: the core that is left free by default would be idle.
          maxWorkers: "100%",
        },
      },
      {
        test: {
          name: "engines",
          include: engineTests,
          setupFiles: ["test/unit/setup.ts"],
          testTimeout: 60_000,
          retry,
          ...together,
        },
      },
      {
        test: {
          name: "lab",
          include: ["test/e2e/**/*.test.ts", "test/lab/**/*.test.ts", "test/attacks/**/*.test.ts"],
          exclude: ["test/attacks/servers/**"],
          globalSetup: ["test/lab/global-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          retry,
          ...together,
        },
      },
    ],
  },
});
