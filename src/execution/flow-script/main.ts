// The script of the flow (spec section 2, Flow-engine execution contract): orch's own way of running steps, on the worker
// of a flow engine. build.ts puts it and all it needs into the one file that an engine takes.
import { isAbsolute } from "node:path";
import type { FlowOutput } from "../../domain/flow.ts";
import { createToolServers } from "../../mcp-client/tool-servers.ts";
import type { StepObserver } from "../../ports.ts";
import { createRedactor } from "../../redact/redact.ts";
import { flowOutput } from "../flow-output.ts";
import { createGroupContainment } from "../local/containment/group-containment.ts";
import { createLocalBackend } from "../local/local-backend.ts";
import { createRunCommand } from "../local/run-command.ts";
import { createGuard } from "./guard.ts";
import { type Plan, planOf, secretsIn } from "./plan.ts";

/** Never rejects for what a step does, nor for what is no plan. Told to end, it ends the running step and reports. */
export async function main(task_contract: unknown, steps: unknown, context: unknown): Promise<FlowOutput> {
  const plan = planOf(task_contract, steps, context);
  if (typeof plan === "string") return { ...flowOutput([], 0), summary: `nothing was run: ${plan}` };
  const told = new AbortController();
  const stop = () => told.abort();
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, stop);
  try {
    return await runPlan(plan, told.signal);
  } finally {
    for (const signal of ["SIGTERM", "SIGINT"]) process.off(signal, stop);
  }
}

async function runPlan({ task_contract, steps, servers }: Plan, abort: AbortSignal): Promise<FlowOutput> {
  const guard = createGuard();
  const toolServers = createToolServers({ servers, version: "flow" });
  const backend = createLocalBackend({
    ...account(),
    clock: () => new Date(),
    // A command of the same account can read what the engine has given the script.
    redact: createRedactor([...secretsIn(servers), process.env["WM_TOKEN"] ?? ""]),
    runCommand: createRunCommand({ containment: createGroupContainment(guard.noteGroup, guard.spawn) }),
    toolServers,
  });
  try {
    return await backend.run({ task_contract, steps, first_index: 0, attempt: 1 }, progress(steps), abort);
  } finally {
    await Promise.all([guard.close(), toolServers.close()]);
  }
}

/** Of the worker's own environment a command gets these three only: among the rest is the token of the job. */
function account() {
  const { HOME = "", USER: user, TZ: tz } = process.env;
  return { home: isAbsolute(HOME) && HOME !== "/" ? HOME : "/tmp", user, tz };
}

/** The log of a job is for everyone who may see the job: which step, and how it ended, and nothing of what it says. */
const progress = (steps: Plan["steps"]): StepObserver => ({
  started: async (index) => {
    process.stdout.write(`orch: step ${index} ${steps[index]?.kind} started\n`);
    return true;
  },
  finished: ({ index, kind, status, exit_code, duration_ms }) => {
    process.stdout.write(
      `orch: step ${index} ${kind} ${status} exit_code=${exit_code ?? "none"} duration_ms=${duration_ms}\n`,
    );
  },
  taken: async () => {},
  progressed: async () => {},
  ended: () => {},
  leaving: () => false,
});
