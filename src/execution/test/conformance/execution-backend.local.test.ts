// The local backend keeps the contract of every execution backend, with commands of its own and through the runner, in
// process groups and in pid namespaces; where none can be made these are shown as skipped.
import { afterAll, describe } from "vitest";
import { aRunnerSetup } from "../../../../test/support/sandboxes.ts";
import { createToolServers } from "../../../mcp-client/tool-servers.ts";
import type { RunCommand } from "../../execution.ts";
import { abilityHere } from "../../execution.ts";
import { createLocalBackend, createLook, createReconcile } from "../../local/local-backend.ts";
import { createCommandRunner } from "../../local/runner/command-runner.ts";
import { NO_LIMITS } from "../../sandbox/sandbox.ts";
import { executionBackendSuite, type Given } from "./execution-backend.ts";

const { sandboxed: canSandbox } = await abilityHere("auto", NO_LIMITS);

const backendWith = ({ tool_servers }: Given, runCommand?: RunCommand) => {
  const toolServers = createToolServers({ servers: tool_servers, version: "test" });
  const commands = runCommand === undefined ? {} : { runCommand };
  const options = { clock: () => new Date(), home: "/tmp", toolServers, ...commands };
  const { close } = toolServers;
  return { ...createLocalBackend(options), look: createLook(options), reconcile: createReconcile(options), close };
};

executionBackendSuite("local", { create: (given) => backendWith(given) });

describe.each([false, true])("sandboxed: %s", (sandboxed) => {
  describe.skipIf(sandboxed && !canSandbox)("", () => {
    const runner = createCommandRunner({}, aRunnerSetup({ sandboxed, hidden: ["/srv"] }));
    afterAll(() => runner.close());
    executionBackendSuite("local, through the command runner", {
      create: (given) => backendWith(given, runner.runCommand),
    });
  });
});
