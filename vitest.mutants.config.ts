import { defineConfig } from "vitest/config";

// The tests that judge the mutants: the unit tests of the modules that are mutated (stryker.config.json).
const FOLDERS = ["domain", "engine", "api/operations", "graphs", "features"];

export default defineConfig({
  test: {
    include: FOLDERS.map((folder) => `test/unit/${folder}/**/*.test.ts`),
    setupFiles: ["test/unit/forbid-processes.ts"],
    isolate: false,
    // Under the load of its own runs a test takes longer than alone.
    testTimeout: 60_000,
  },
});
