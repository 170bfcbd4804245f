// The local backend keeps the contract of every execution backend, with commands of its own and through the runner, in
// process groups and in pid namespaces; where none can be made these are shown as skipped.

import { afterAll, describe } from "vitest";
import { createLocalBackend, type LocalBackendOptions } from "../../src/execution/local/local-backend.ts";
import { createLook, createReconcile } from "../../src/execution/local/looks.ts";
import { createCommandRunner } from "../../src/execution/local/runner/command-runner.ts";
import { abilityHere } from "../../src/execution/sandbox/machine.ts";
import { NO_LIMITS } from "../../src/execution/sandbox/sandbox.ts";
import { createToolServers } from "../../src/mcp-client/tool-servers.ts";
import { aRunnerSetup } from "../support/sandboxes.ts";
import { executionBackendSuite, type Given } from "./execution-backend.ts";
import { executionBackendLooks } from "./execution-backend-looks.ts";
import { executionBackendPolling } from "./execution-backend-polling.ts";
import { executionBackendReconcile } from "./execution-backend-reconcile.ts";

const clock = () => new Date();
const { sandboxed: canSandbox } = await abilityHere("auto", NO_LIMITS);

const toolServersOf = ({ tool_servers: servers }: Given) => createToolServers({ servers, version: "1" });

const withLook = (options: LocalBackendOptions) => ({ ...createLocalBackend(options), look: createLook(options) });

executionBackendLooks("local", () => withLook({ clock, home: "/tmp" }));
executionBackendReconcile("local", () => ({
  ...createLocalBackend({ clock, home: "/tmp" }),
  reconcile: createReconcile({ clock, home: "/tmp" }),
}));

executionBackendPolling("local", () => createLocalBackend({ clock, home: "/tmp" }));

executionBackendSuite("local", {
  create: (given) => createLocalBackend({ clock, home: "/tmp", toolServers: toolServersOf(given) }),
});

describe.each([false, true])("sandboxed: %s", (sandboxed) => {
  describe.skipIf(sandboxed && !canSandbox)("", () => {
    const runner = createCommandRunner({}, aRunnerSetup({ sandboxed, hidden: ["/srv"] }));
    afterAll(() => runner.close());
    executionBackendLooks("local, through the command runner", () =>
      withLook({ clock, home: "/tmp", runCommand: runner.runCommand }),
    );
    executionBackendSuite("local, through the command runner", {
      create: (given) =>
        createLocalBackend({ clock, home: "/tmp", runCommand: runner.runCommand, toolServers: toolServersOf(given) }),
    });
  });
});
