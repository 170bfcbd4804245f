import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { COMPILE_CACHE } from "./test/support/orch-process.ts";

// For the workers and for every process that they start.
process.env["NODE_COMPILE_CACHE"] ??= COMPILE_CACHE;

// What takes minutes, and says of one kind of work what others say of all: every night (.ci/nightly), and with ORCH_TESTS=all.
const LONG = `agent/killed cli/eval-agent notes/killed recovery/flow-engine recovery/kill-done recovery/shutdown
  recovery/version-kill`;
const exclude = process.env["ORCH_TESTS"] === "all" ? [] : LONG.split(/\s+/).map((name) => `test/e2e/${name}.test.ts`);

// One project per tier of test (see CONTRIBUTING.md). A worker runs all its files in one process:
// to load their shared modules for each file would take longer than many of the tests.
const tier = (name: string, options: object = {}) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], isolate: false, ...options },
});

export default defineConfig({
  test: {
    // Tests wait for subprocesses and clocks more than they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      tier("unit", { testTimeout: 20_000, setupFiles: ["test/unit/forbid-processes.ts"] }),
      tier("integration", { testTimeout: 20_000 }),
      tier("contract", { testTimeout: 20_000 }),
      tier("guard", { testTimeout: 180_000, hookTimeout: 60_000, maxWorkers: 2 }),
      tier("conformance", { globals: true, testTimeout: 30_000, hookTimeout: 60_000 }),
      tier("e2e", { exclude, testTimeout: 120_000, hookTimeout: 60_000, maxWorkers: 2 }),
    ],
  },
});
