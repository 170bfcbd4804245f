import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// One project per tier of test (CONTRIBUTING.md tells which test belongs where).
const tier = (name: string, options: object = {}) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], ...options },
});

export default defineConfig({
  test: {
    // Tests wait for subprocesses and clocks more than they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      tier("unit", { testTimeout: 20_000 }),
      tier("contract", { testTimeout: 20_000 }),
      tier("policy", { testTimeout: 180_000, hookTimeout: 60_000, maxWorkers: 2 }),
      tier("conformance", { globals: true, testTimeout: 30_000, hookTimeout: 60_000 }),
      tier("e2e", { testTimeout: 120_000, hookTimeout: 60_000, maxWorkers: 2 }),
    ],
  },
});
