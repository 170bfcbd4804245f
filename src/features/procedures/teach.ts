// teach: steps for a task that waits for them, or an SOP that is stored as a candidate and
// asks for its promotion. Bad steps are refused now and the task goes on waiting.
import { checkWarnings, type Warning } from "../../api/operations/check-warnings.ts";
import type { OperationDeps } from "../../api/operations/deps.ts";
import { askedBy, type OperationHandler, PREPARATION_SECONDS, settled } from "../../api/operations/operation.ts";
import { answerTask } from "../../api/operations/resolve-step.ts";
import { intentIssues } from "../../api/operations/submit-task.ts";
import { promotionAsked, taskOf, viewOf } from "../../api/operations/task-view.ts";
import { type Target, type TaskContract, withoutTask } from "../../domain/contract.ts";
import { type FieldIssue, OrchError } from "../../domain/errors.ts";
import { hasEnded } from "../../domain/outcome.ts";
import type { Sop, SopDefinition, SopOrigin } from "../../domain/sop.ts";
import { reconcileOf, type Step } from "../../domain/step.ts";
import type { Task } from "../../domain/task.ts";
import { promotionThread } from "../../domain/thread-id.ts";
import { contextOnDisk } from "../../engine/tasks/judge-on-disk.ts";
import { planContextOf, toolBlocks } from "../../engine/tasks/plan.ts";
import { projection } from "../../engine/tasks/projection.ts";
import { newCandidate, sopChanged } from "../../engine/tasks/sop-versions.ts";
import { asIssue, definitionOf, teachingOf } from "../../engine/tasks/teaching.ts";
import type { ExecutionBackend } from "../../ports.ts";
import type { teach } from "./shapes.ts";

export const handleTeach: OperationHandler<typeof teach> =
  (deps) =>
  async ({ task_id, intent, target, wait_seconds, ...definition }, { signal }) => {
    if (task_id !== undefined && intent === undefined && target === undefined) {
      await teachTask(deps, { task_id, definition, signal });
      const { contract } = await taskOf(deps, task_id);
      const warnings = await checkWarnings(deps, { contract, steps: definition.steps });
      const task = (await settled(deps, task_id, { wait_seconds, signal })) ?? (await taskOf(deps, task_id));
      const asked = hasEnded(task.status) ? await promotionAsked(deps, task_id, signal) : null;
      const sop = asked === null ? null : await deps.store.findSop(asked.sop_id);
      return { task: await viewOf(deps, task), sop, approval_id: asked?.approval_id ?? null, warnings };
    }
    if (task_id === undefined && intent !== undefined) {
      return { task: null, ...(await teachSop(deps, { intent, target: target ?? {}, definition }, signal)) };
    }
    const issues = [{ path: "task_id", message: "give either task_id, or intent and target" }];
    throw new OrchError("input_invalid", "It is not clear what is taught.", { issues });
  };

type Lesson = { readonly task_id: string; readonly definition: SopDefinition; readonly signal: AbortSignal };

async function teachTask(deps: OperationDeps, { task_id, definition, signal }: Lesson): Promise<void> {
  const task = await onceItAsks(deps, task_id, signal);
  const contract = { ...task.contract, execution_backend: task.backend };
  const context = await onDisk(deps, contract, definition);
  const { procedure, issues } = await deps.judge(teachingOf, task.contract, definition, context);
  const isAsked = task.waiting?.kind === "teaching";
  const { steps } = definition;
  if (isAsked)
    refuseIf([
      ...(await syntaxIssues(deps.backendOf(contract), steps)),
      ...issues,
      ...(await toolIssues(deps, task.contract.intent, steps)),
    ]);
  await answerTask(deps, task, { kind: "teaching", procedure });
}

/** A supervisor that knows the steps may teach right after submit_task: the task is given a moment to ask. */
async function onceItAsks(deps: OperationDeps, task_id: string, signal: AbortSignal): Promise<Task> {
  const task = await taskOf(deps, task_id);
  const mayAsk =
    task.status === "accepted" ||
    (task.status === "running" && projection(await deps.store.readJournal(task_id)).procedure === null);
  const asked = mayAsk ? await settled(deps, task_id, { wait_seconds: PREPARATION_SECONDS, signal }) : null;
  return asked ?? task;
}

type TaughtSop = {
  readonly intent: string;
  readonly target: Target;
  readonly definition: SopDefinition;
  readonly origin?: SopOrigin;
  /** Of a copy. */
  readonly proved_on?: string | null;
  /** Of a rollback: what is known of the steps on this target. */
  readonly known?: Pick<Sop, "level" | "trial_left">;
};

const TAUGHT: SopOrigin = { by: "teach" };

export async function teachSop(
  deps: OperationDeps,
  { intent, target, definition, origin = TAUGHT, proved_on = null, known }: TaughtSop,
  signal: AbortSignal,
): Promise<{ sop: Sop; approval_id: string | null; warnings: Warning[] }> {
  // No backend is chosen yet.
  const context = { ...(await onDisk(deps, withoutTask(intent, target), definition)), remote: false };
  const { procedure, issues } = await deps.judge(definitionOf, intent, target, definition, context);
  const by_tools = await toolIssues(deps, intent, definition.steps.map(configuredOr(deps)));
  // A copy, and a version that was taught before, stay what they are.
  const by_bash =
    origin.by === "teach" ? await syntaxIssues(deps.backendOf(withoutTask(intent, target)), definition.steps) : [];
  refuseIf([...intentIssues(deps)({ intent }), ...by_bash, ...issues, ...by_tools]);
  for (;;) {
    const made = await newCandidate(deps, { intent, target, procedure, origin, run: null, proved_on });
    if (made === null) throw new Error("a candidate that is not proved is always created");
    const sop = { ...made, ...known };
    const thread_id = promotionThread(sop.sop_id);
    const events = [sopChanged(sop, "candidate", origin.by === "teach" ? "taught without a task" : sop.origin)];
    const result = await deps.store.commit({ thread_id, after: null, events, changes: [{ on: "sop_created", sop }] });
    // Otherwise another version was stored in between: take the next number.
    if (result.ok) {
      deps.promotions.dispatch(sop.sop_id, { kind: "new", events: result.events });
      const warnings = await checkWarnings(deps, { contract: withoutTask(intent, target), steps: definition.steps });
      return { sop, approval_id: (await askedBy(deps, thread_id, signal))?.approval_id ?? null, warnings };
    }
  }
}

/** With the scripts that the steps run, as a task that runs them is judged. */
function onDisk(deps: OperationDeps, contract: TaskContract, { steps, safety_level }: SopDefinition) {
  const context = planContextOf(deps, contract);
  const plan = { contract, steps, safety_level, intent: contract.intent, context, proved: false };
  return contextOnDisk(deps.judge, plan, deps.backendOf(contract)?.disk);
}

/** The calls of tools that change something, or whose list could not be read, where the step or the intent only looks. */
async function toolIssues({ toolServers }: OperationDeps, intent: string, steps: SopDefinition["steps"]) {
  return (await toolBlocks({ intent, steps }, toolServers)).map(asIssue);
}

/** A version may be taught before its tool server is set up: its tasks are blocked until then. */
const configuredOr =
  ({ toolServers }: OperationDeps) =>
  (step: Step): Step =>
    step.kind === "mcp_call" && !toolServers.names.has(step.server.toLowerCase()) ? NOT_JUDGED : step;

const NOT_JUDGED: Step = { kind: "wait", value: "0s" };

function refuseIf(issues: readonly FieldIssue[]): void {
  const [first] = issues;
  if (first === undefined) return;
  throw new OrchError("sop_steps_invalid", `These steps cannot be taught. ${first.path}: ${first.message}`, { issues });
}

// Refuses taught texts that bash does not accept [4.teach]: a human who was asked about them could only send them back (D-415).

type Text = { readonly path: string; readonly what: string; readonly text: string };

/** Empty where the backend has no bash to ask. */
async function syntaxIssues(backend: ExecutionBackend | null, steps: readonly Step[]): Promise<FieldIssue[]> {
  const issues: FieldIssue[] = [];
  for (const { path, what, text } of steps.flatMap(textsOf)) {
    const fault = (await backend?.syntaxFault?.(text)) ?? null;
    if (fault !== null) issues.push({ path, message: `parse.error: ${what}, ${sayFault(fault, text)}` });
  }
  return issues;
}

function textsOf(step: Step, index: number): Text[] {
  const at = `steps.${index}`;
  const reconcile = reconcileOf(step);
  return [
    ...(step.kind === "cmd" || step.kind === "check" ? [{ path: at, what: `step ${index}`, text: step.value }] : []),
    ...(step.kind === "cmd" && step.preview !== undefined
      ? [{ path: `${at}.preview`, what: `the preview of step ${index}`, text: step.preview }]
      : []),
    ...(reconcile === undefined
      ? []
      : [{ path: `${at}.reconcile`, what: `the reconcile command of step ${index}`, text: reconcile }]),
  ];
}

/** Of a text that ends too early bash names the line after it. */
function sayFault(fault: string, text: string): string {
  const [, line = "1", why = fault] = /line (\d+): ([^\n]*)/.exec(fault) ?? [];
  const last = text.trimEnd().split("\n").length;
  const [placeholder] = PLACEHOLDER.exec(text) ?? [];
  const fix =
    placeholder === undefined
      ? "correct it"
      : `${placeholder} is a placeholder: write the value, or take it from the payload with jq on $ORCH_PAYLOAD`;
  return `line ${Math.min(Number(line), last)}, is not valid bash (${why}); ${fix}`;
}

const PLACEHOLDER = /<[A-Za-z][\w .-]{0,40}>/;
