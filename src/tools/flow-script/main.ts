// The script of the generic flow [2.flow.path]: runs steps with orch's local backend on the worker of a flow engine.
// build.ts bundles it and its imports into the single file that an engine accepts (D-098).
import { isAbsolute } from "node:path";
import type { TaskContract } from "../../domain/contract.ts";
import { DEFAULT_MAX_MINUTES } from "../../domain/duration.ts";
import { isDeeperThan, isRecord, isTexts, type JsonFields } from "../../domain/json-values.ts";
import { percentDecode } from "../../domain/percent-decode.ts";
import type { BeforeLook } from "../../domain/proof.ts";
import type { FlowOutput } from "../../domain/run-request.ts";
import type { Step } from "../../domain/step.ts";
import { flowOutput, pauses, printedBefore } from "../../domain/step-run.ts";
import { readTraceparent } from "../../domain/trace-mark.ts";
import {
  createLaunch,
  createLocalBackend,
  createLook,
  createRunCommand,
  type ShellCommand,
} from "../../execution/execution.ts";
import type { ToolServerConfig } from "../../mcp-client/exchange.ts";
import { createToolServers } from "../../mcp-client/tool-servers.ts";
import type { StepObserver } from "../../ports.ts";
import { createRedactor } from "../../redact/find-secrets.ts";
import { createGuard } from "./guard.ts";

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
    runCommand: createRunCommand({ launch: createLaunch({ noteGroup: guard.noteGroup, first: FIRST }) }),
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

/** As the process that runs commands on a server has it: no core files, and others can read what a step deploys. */
const FIRST = "ulimit -c 0; umask 022\n";

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

// Checks the arguments of the flow before a step runs [2.flow_input.task_contract] [2.flow_input.steps]. The server of orch sends
// valid arguments; another caller gets a message. No message repeats a value.

type FlowPlan = {
  readonly task_contract: TaskContract;
  readonly steps: readonly Step[];
  readonly servers: ReadonlyMap<string, ToolServerConfig>;
  /** The checks to look at before the first step, and what others printed before an earlier job, by index. */
  readonly look_at: readonly number[];
  readonly before: ReadonlyMap<number, string>;
  /** The steps of whose pipelines only the last part counts, as `decidedKey` says. */
  readonly last_part_decides: ReadonlySet<string>;
  readonly traceparent: string | null;
};

/** The plan, or what is wrong with the arguments. */
function planOf(task_contract: unknown, steps: unknown, context: unknown): FlowPlan | string {
  if (isDeeperThan([task_contract, steps, context], MAX_DEPTH)) return "the arguments are nested too deep";
  if (!isRecord(task_contract)) return "task_contract is not an object";
  const given = isRecord(context) ? context : {};
  // Target and payload are those of the context where it has them [2.flow_input.context_target] [2.flow_input.context_payload].
  const { target = task_contract["target"], payload = task_contract["payload"] } = given;
  const contract = withDefaults({ ...task_contract, target, payload });
  const fault = faultOf(contract);
  if (fault !== null)
    return `${Object.hasOwn(given, fault.field) ? "context" : "task_contract"}.${fault.field} ${fault.why}`;
  if (!Array.isArray(steps) || steps.length === 0) return "steps is not a list of at least one step";
  const odd = steps.findIndex((step) => !isStep(step));
  if (odd !== -1) return `steps[${odd}] is not a step`;
  const {
    mcp_servers = {},
    look_at = [],
    before = "{}",
    last_part_decides = [],
  } = isRecord(context) ? context : { mcp_servers: null };
  const servers = serversIn(mcp_servers);
  if (typeof servers === "string") return servers;
  if (!isChecks(look_at, steps)) return "context.look_at is not a list of indexes of checks";
  const decided = shellTextsAt(last_part_decides, steps);
  if (decided === null) return "context.last_part_decides is not a list of indexes of commands and checks";
  const printed = printedIn(before);
  if (printed === null) return "context.before is not the JSON of an object of texts";
  return {
    task_contract: contract as TaskContract,
    steps: steps.map(withArguments),
    servers,
    look_at: [...new Set(look_at)],
    before: printed,
    last_part_decides: decided,
    traceparent: readTraceparent(given["traceparent"]),
  };
}

const isChecks = (given: unknown, steps: readonly Step[]): given is readonly number[] =>
  Array.isArray(given) && given.every((index) => typeof index === "number" && isCheck(steps[index]));

const decidedKey = (kind: "cmd" | "check", text: string): string => `${kind} ${text}`;

function shellTextsAt(given: unknown, steps: readonly Step[]): ReadonlySet<string> | null {
  if (!Array.isArray(given)) return null;
  const texts = given.map((index: unknown) => {
    const step = typeof index === "number" ? steps[index] : undefined;
    return step?.kind === "cmd" || step?.kind === "check" ? decidedKey(step.kind, step.value) : null;
  });
  return texts.includes(null) ? null : new Set(texts.filter((text) => text !== null));
}

const isCheck = (step: Step | undefined): boolean =>
  step?.kind === "check" || (step?.kind === "mcp_call" && step.expect !== undefined);

function printedIn(given: unknown): Map<number, string> | null {
  try {
    const texts: unknown = typeof given === "string" ? JSON.parse(given) : null;
    return isTexts(texts) ? new Map(Object.entries(texts).map(([index, text]) => [Number(index), text])) : null;
  } catch {
    return null;
  }
}

const MAX_DEPTH = 64;

const withDefaults = ({ payload = {}, constraints = {}, ...contract }: JsonFields): JsonFields => ({
  ...contract,
  payload,
  constraints: isRecord(constraints) ? { max_minutes: DEFAULT_MAX_MINUTES, ...constraints } : {},
});

function faultOf({ task_id, target, payload, constraints }: JsonFields): { field: string; why: string } | null {
  if (typeof task_id !== "string") return { field: "task_id", why: "is not text" };
  if (!isTexts(target)) return { field: "target", why: "is not an object of texts" };
  if (!isRecord(payload)) return { field: "payload", why: "is not an object" };
  const { max_minutes } = isRecord(constraints) ? constraints : {};
  const isLimit = typeof max_minutes === "number" && max_minutes > 0 && max_minutes <= 1440;
  return isLimit ? null : { field: "constraints.max_minutes", why: "is not a number of minutes, at most 1440" };
}

function isStep(step: unknown): boolean {
  if (!isRecord(step)) return false;
  const { kind, value, server, tool, arguments: args, params, expect, within } = step;
  if (within !== undefined && (kind !== "check" || typeof within !== "string")) return false;
  if (kind === "mcp_call") return isTexts({ server, tool }) && isRecord(args ?? params ?? {}) && isExpectation(expect);
  return (
    (kind === "cmd" || kind === "check" || (typeof kind === "string" && pauses(kind))) && typeof value === "string"
  );
}

function isExpectation(expect: unknown): boolean {
  if (expect === undefined) return true;
  if (!isRecord(expect)) return false;
  const { path = "", equals, contains = "" } = expect;
  return isTexts({ path, contains }) && (equals === undefined) === (contains !== "");
}

/** `params` is an alias [2.step.arguments]. */
function withArguments(step: Step & { readonly params?: unknown }): Step {
  if (step.kind !== "mcp_call") return step;
  const { params, expect, ...call } = step;
  const expected = expect === undefined ? {} : { expect: { ...expect, path: expect.path ?? "" } };
  return { ...call, ...expected, arguments: call.arguments ?? params ?? {} } as Step;
}

function serversIn(given: unknown): ReadonlyMap<string, ToolServerConfig> | string {
  if (!isRecord(given)) return "context.mcp_servers is not an object";
  const servers = new Map<string, ToolServerConfig>();
  for (const [id, server] of Object.entries(given)) {
    const { url = "", token } = isTexts(server) ? server : {};
    const isAddress = /^https?:/i.test(url) && URL.canParse(url);
    if (!isAddress || token === undefined)
      return `context.mcp_servers.${id.slice(0, 64)} has no URL or no token of a server`;
    servers.set(id.toLowerCase(), { url, token: token === "" ? null : token });
  }
  return servers;
}

/** The secrets of the servers, for redaction. */
const secretsIn = (servers: FlowPlan["servers"]): string[] =>
  [...servers.values()].flatMap(({ url, token }) => {
    const { username, password } = new URL(url);
    const secret = password || username;
    return [token ?? "", secret, percentDecode(secret)].filter((text) => text !== "");
  });
