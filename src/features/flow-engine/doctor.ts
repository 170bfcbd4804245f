// Checks whether the flow engine answers and accepts the token [1.A.6.flow_engine], which runs nothing there; and for
// `orch doctor --deep` whether it runs the flow that this release ships.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { broken, type Diagnosis, fallsBack, off, works } from "../../doctor/examination.ts";
import { TaskContract } from "../../domain/contract.ts";
import type { JobEnd } from "../../domain/run-request.ts";
import {
  createEngineApi,
  createExchange,
  createFlowEngineBackend,
  describeFailure,
  type EngineAnswer,
} from "../../execution/execution.ts";
import type { StepObserver } from "../../ports.ts";

const LOOK = { limit_ms: 5_000, max_bytes: 1_048_576 };
/** Of its two requests. */
const LOOK_MS = 2 * LOOK.limit_ms;

/** Whether the engine has the flow shows the first task, or `--deep`. */
export async function examineFlowEngine({ flow_engine, tool_servers }: Config): Promise<Diagnosis> {
  if (flow_engine === null) return off("none: FLOWENGINE_URL is not set, and steps run on this machine");
  const { exchange, close } = createExchange(flow_engine, LOOK);
  const api = createEngineApi(exchange, flow_engine);
  try {
    const version = await api.version();
    if (version.is !== "ok") {
      return broken(answered(version), "Check FLOWENGINE_URL, and whether the engine runs.");
    }
    const who = await api.whoami();
    // 403 means a known token whose rights are limited to the flow.
    if (who.is !== "ok" && !(who.is === "refused" && who.status === 403)) {
      return broken(answered(who), "Check FLOWENGINE_TOKEN and FLOWENGINE_WORKSPACE.");
    }
    const found = `${version.value}; --deep, or the first task, shows whether it has ${flow_engine.flow_path}`;
    const open = [...tool_servers].flatMap(([name, server]) => plainIn(`MCP_${name.toUpperCase()}`, server));
    return open.length === 0 ? works(found) : fallsBack(`${found}; ${open.join(", ")} ${STAYS}`, REFERENCE);
  } finally {
    await close();
  }
}

type ToolServer = Config["tool_servers"] extends ReadonlyMap<string, infer Server> ? Server : never;

/** The variables whose secret a job would receive as plain text. */
const plainIn = (prefix: string, { url, token }: ToolServer): string[] => [
  ...(token === null || token.startsWith("$var:") ? [] : [`${prefix}_TOKEN`]),
  ...(new URL(url).username === "" ? [] : [`${prefix}_URL`]),
];

const STAYS = "would stay as plain text in the history of its jobs";
const REFERENCE = "Store the token in a secret variable of the engine, and set $var:<its path> instead.";

const answered = (answer: Exclude<EngineAnswer, { is: "ok" }>): string =>
  answer.is === "refused" ? `it answers ${describeFailure(answer)}` : answer.message;

// Compares the script of the flow that was pushed with the one that this release ships, and runs the flow with one harmless check, as a
// task would run it. The run stays in the engine's history (D-276).

const SHIPPED = join(import.meta.dirname, "../../execution/flow/f/orch/execute_task_steps.flow/run_steps.ts");
const BOUNDS = { limit_ms: 10_000, max_bytes: 16 * 1024 * 1024 };
/** For the run, and for the cancellation of one that takes longer. */
const RUN_MS = 40_000;
const CANCEL_MS = 5_000;
export const DEEP_MS = LOOK_MS + BOUNDS.limit_ms + RUN_MS + CANCEL_MS + 5_000;

type FlowEngine = NonNullable<Config["flow_engine"]>;

export async function examineFlow(config: Config): Promise<Diagnosis> {
  const { flow_engine } = config;
  if (flow_engine === null) return off("none: FLOWENGINE_URL is not set");
  const { state } = await examineFlowEngine(config);
  if (state === "broken") return off("not run: the flow engine does not work");
  const ran = await run(flow_engine);
  if (ran.state !== "works") return ran;
  const compared = await compare(flow_engine);
  return { ...compared, found: `${ran.found}; ${compared.found}` };
}

async function compare(engine: FlowEngine): Promise<Diagnosis> {
  const { exchange, close } = createExchange(engine, BOUNDS);
  const flow = await createEngineApi(exchange, engine).flow(engine.flow_path);
  await close();
  if (flow.is === "refused" && flow.status === 403)
    return works("whether its script is the shipped one cannot be read with this token (scope flows:read)");
  if (flow.is !== "ok")
    return fallsBack(`its script cannot be read: ${describeFailure(flow)}`, "Check FLOWENGINE_TOKEN.");
  const shipped = await readFile(SHIPPED, "utf8");
  const scripts = flow.value.value.modules.map(({ value }) => value.content);
  if (scripts.includes(shipped)) return works("its script is the one that this release ships");
  return fallsBack(`the script of ${engine.flow_path} is not the one that this release ships`, PUSH);
}

const PUSH =
  "Push the flow again: wmill flow push f/orch/execute_task_steps.flow f/orch/execute_task_steps, in src/execution/flow. Leave it if the flow is your own.";

async function run(engine: FlowEngine): Promise<Diagnosis> {
  const waits: string[] = [];
  const ends: JobEnd[] = [];
  const backend = createFlowEngineBackend({
    engine,
    flow_path: engine.flow_path,
    tool_servers: new Map(),
    before_look: false,
    clock: () => new Date(),
    new_id: () => randomUUID(),
    timing: { poll_ms: engine.poll_ms, submit_ms: BOUNDS.limit_ms, lost_ms: RUN_MS, cancel_ms: CANCEL_MS },
  });
  const limit = AbortSignal.timeout(RUN_MS);
  const began = performance.now();
  const request = { task_contract: contract(), steps: [CHECK], first_index: 0, attempt: 1 };
  const output = await backend.run(request, observer(waits, ends), limit);
  await backend.close();
  const took = `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  if (output.ok) return works(`ran ${engine.flow_path} with one check in ${took}`);
  const [end, wait] = [ends.at(-1), waits.at(-1)];
  if (limit.aborted)
    return broken(`the flow has not run within ${RUN_MS / 1_000} s${wait === undefined ? "" : `: ${wait}`}`, QUEUE);
  return broken(
    `the flow did not run: ${end?.code}: ${end?.message}`,
    FIXES.get(end?.code ?? "") ?? "See the run in the flow engine.",
  );
}

const CHECK = { kind: "check", value: "true" } as const;
const QUEUE = "Start a worker that serves the flow, and see the run in the flow engine.";
const FIXES: ReadonlyMap<string, string> = new Map([
  ["flow_not_found", PUSH],
  ["engine_refused", "Give FLOWENGINE_TOKEN the scope jobs:run:flows: with the path of the flow."],
]);

const contract = (): TaskContract =>
  TaskContract.parse({
    task_id: `doctor-${randomUUID()}`,
    intent: "health_check",
    target: { service: "doctor" },
    delegation_mode: "known_only",
    success_criteria: ["the flow runs"],
    payload: {},
    constraints: { implicit_scope: [], require_approval_for: [], max_minutes: 1 },
    requested_by: "orch doctor --deep",
    requested_at: new Date().toISOString(),
  });

const observer = (waits: string[], ends: JobEnd[]): StepObserver => ({
  started: async () => true,
  finished: () => undefined,
  accepted: async () => undefined,
  progressed: async () => undefined,
  waits: async (_job_id, wait) => void (wait !== null && waits.push(wait.message)),
  ended: (end) => void ends.push(end),
});
