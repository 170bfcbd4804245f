// The local backend keeps the contract of every execution backend, with commands of its own and through the runner.
import { afterAll } from "vitest";
import { createCommandRunner } from "../../src/execution/command-runner.ts";
import { createLocalBackend } from "../../src/execution/local-backend.ts";
import { executionBackendSuite } from "./execution-backend.ts";

const clock = () => new Date();

executionBackendSuite("local", { create: () => createLocalBackend({ clock, home: "/tmp" }) });

const runner = createCommandRunner({});
afterAll(() => runner.close());
executionBackendSuite("local, through the command runner", {
  create: () => createLocalBackend({ clock, home: "/tmp", runCommand: runner.runCommand }),
});
