// The script of the generic flow [2.flow.path]: runs steps with orch's local backend on the worker of a flow engine.
// build.ts bundles it and its imports into the single file that an engine accepts (D-098).
import { isAbsolute } from "node:path";
import type { FlowOutput } from "../../domain/flow.ts";
import type { BeforeLook } from "../../domain/proof.ts";
import { flowOutput, printedBefore } from "../../domain/step-run.ts";
import { createToolServers } from "../../mcp-client/tool-servers.ts";
import type { StepObserver } from "../../ports.ts";
import { createRedactor } from "../../redact/redact.ts";
import { createGroupContainment } from "../local/containment/group-containment.ts";
import { createLocalBackend } from "../local/local-backend.ts";
import { createLook } from "../local/look.ts";
import { createRunCommand, type ShellCommand } from "../local/run-command.ts";
import { createGuard } from "./guard.ts";
import { decidedKey, type FlowPlan, planOf, secretsIn } from "./plan.ts";

/** Never rejects because of a step or an invalid plan. On SIGTERM or SIGINT it ends the running step and reports. */
export async function main(task_contract: unknown, steps: unknown, context: unknown): Promise<FlowOutput> {
  const plan = planOf(task_contract, steps, context);
  if (typeof plan === "string") return { ...flowOutput([], 0), summary: `nothing was run: ${plan}` };
  const ended = new AbortController();
  const stop = () => ended.abort();
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, stop);
  try {
    return await runPlan(plan, ended.signal);
  } finally {
    for (const signal of ["SIGTERM", "SIGINT"]) process.off(signal, stop);
  }
}

async function runPlan(plan: FlowPlan, abort: AbortSignal): Promise<FlowOutput> {
  const { task_contract, steps, servers, traceparent } = plan;
  const guard = createGuard();
  const toolServers = createToolServers({ servers, version: "flow" });
  const options = {
    ...account(),
    clock: () => new Date(),
    // A command of the same account can read the secrets that the engine passes to the script.
    redact: createRedactor([...secretsIn(servers), process.env["WM_TOKEN"] ?? ""]),
    runCommand: createRunCommand({ containment: createGroupContainment(guard.noteGroup, guard.launch) }),
    toolServers,
    prepare: async (command: ShellCommand): Promise<ShellCommand> =>
      plan.last_part_decides.has(decidedKey(command.strict ? "cmd" : "check", command.script))
        ? { ...command, last_part_decides: true }
        : command,
  };
  try {
    const looks = await lookBefore(plan, createLook(options), abort);
    const printed = printedBefore(new Map(looks.map((look) => [look.step_index, look])), steps);
    const before = new Map([...plan.before, ...printed]);
    const request = {
      task_contract,
      steps,
      first_index: 0,
      attempt: 1,
      before,
      ...(traceparent !== null && { traceparentOf: () => traceparent }),
    };
    const output = await createLocalBackend(options).run(request, progress(steps), abort);
    return looks.length === 0 ? output : { ...output, before_looks: looks };
  } finally {
    await Promise.all([guard.close(), toolServers.close()]);
  }
}

/** The looks of a job that is stopped meanwhile count for nothing. */
async function lookBefore(
  { task_contract, steps, look_at }: FlowPlan,
  look: ReturnType<typeof createLook>,
  abort: AbortSignal,
): Promise<BeforeLook[]> {
  const checks = look_at.flatMap((step_index) => {
    const step = steps[step_index];
    return step === undefined ? [] : [{ step_index, step }];
  });
  const looks = await look({ task_contract, checks }, abort);
  if (abort.aborted) return [];
  for (const { step_index, answer, duration_ms } of looks)
    process.stdout.write(`orch: check ${step_index} ${answer} before the first step duration_ms=${duration_ms}\n`);
  return looks;
}

/** A command gets only these three variables of the worker's environment: the rest includes the token of the job. */
function account() {
  const { HOME = "", USER: user, TZ: tz } = process.env;
  return { home: isAbsolute(HOME) && HOME !== "/" ? HOME : "/tmp", user, tz };
}

/** Everyone who may see the job can read its log, so it contains the step and its end, and no output. */
const progress = (steps: FlowPlan["steps"]): StepObserver => ({
  started: async (index) => {
    process.stdout.write(`orch: step ${index} ${steps[index]?.kind} started\n`);
    return true;
  },
  finished: ({ index, kind, status, exit_code, duration_ms }) => {
    process.stdout.write(
      `orch: step ${index} ${kind} ${status} exit_code=${exit_code ?? "none"} duration_ms=${duration_ms}\n`,
    );
  },
  accepted: async () => {},
  progressed: async () => {},
  ended: () => {},
});
