// The local backend keeps the contract of every execution backend, with commands of its own and through the runner, in
// process groups and in pid namespaces; where none can be made these are shown as skipped.
import { afterAll, describe } from "vitest";
import { chooseSandbox } from "../../src/execution/local/containment/choose-sandbox.ts";
import { createLocalBackend } from "../../src/execution/local/local-backend.ts";
import { createCommandRunner } from "../../src/execution/local/runner/command-runner.ts";
import { NO_LIMITS } from "../../src/execution/local/step-limits.ts";
import { createToolServers } from "../../src/mcp-client/tool-servers.ts";
import { executionBackendSuite, type Given } from "./execution-backend.ts";

const clock = () => new Date();
const { sandboxed: canSandbox } = await chooseSandbox("auto", NO_LIMITS);

const toolServersOf = ({ tool_servers: servers }: Given) => createToolServers({ servers, version: "1" });

executionBackendSuite("local", {
  create: (given) => createLocalBackend({ clock, home: "/tmp", toolServers: toolServersOf(given) }),
});

describe.each([false, true])("sandboxed: %s", (sandboxed) => {
  describe.skipIf(sandboxed && !canSandbox)("", () => {
    const runner = createCommandRunner({}, { sandboxed, limits: NO_LIMITS, running_dir: null });
    afterAll(() => runner.close());
    executionBackendSuite("local, through the command runner", {
      create: (given) =>
        createLocalBackend({ clock, home: "/tmp", runCommand: runner.runCommand, toolServers: toolServersOf(given) }),
    });
  });
});
