import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{src,provider}/**/*.test.ts", "test/{unit,contract,differential,cli}/**/*.test.ts"],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "lab",
          include: ["test/e2e/**/*.test.ts", "test/lab/**/*.test.ts"],
          globalSetup: ["test/lab/global-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
