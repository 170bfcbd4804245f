// Judges a whole plan before its first step runs: the guard, the scope, the parameters and the intent, strictest first.
// The categories of `require_approval_for` are not decided here: the gate is asked about them.
import type { z } from "zod";
import { READ_ONLY_INTENTS, type TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import { isPolled } from "../domain/polling.ts";
import { unknownParameters } from "../domain/resolve-arguments.ts";
import type { SafetyLevel } from "../domain/sop.ts";
import { reconcileOf, type Step } from "../domain/step.ts";
import { stepEnvironment } from "../domain/step-run.ts";
import {
  type CommandConsequences,
  type CommandExamination,
  examine,
  type FilesUsed,
  knownText,
  type ShellContext,
  type World,
} from "../guard/guard.ts";
import { withReach } from "./command-reach.ts";
import { engineReferences } from "./engine-references.ts";
import { reconcileFindings } from "./judge-reconcile.ts";
import { inOrder, type Judged } from "./plan-world.ts";
import { checkFindings, intentFindings, polledFindings } from "./read-only.ts";
import { allowedPrograms, programScope, serverScope } from "./scope-findings.ts";
import { standingQuestion } from "./standing-question.ts";
import { unshowable } from "./unshowable.ts";

/** What the rules read of a contract; where a flow engine is sent the whole of it, they search the whole. */
export type PlanContract = Pick<TaskContract, "task_id" | "target" | "payload"> & {
  readonly constraints: Pick<TaskContract["constraints"], "implicit_scope">;
};

/** Nothing else of it, so that a judgement kept of the plan serves again (D-280). */
export const planContract = ({ task_id, target, payload, constraints }: PlanContract): PlanContract => ({
  ...{ task_id, target, payload },
  constraints: { implicit_scope: constraints.implicit_scope },
});

export type Plan = {
  readonly contract: PlanContract;
  readonly steps: readonly Step[];
  readonly safety_level: z.infer<typeof SafetyLevel>;
  readonly intent: string;
  readonly context: PlanContext;
  /** The steps of an active SOP: a supervisor has approved its promotion, so an unknown effect is no question. */
  readonly proved: boolean;
  /** The version is in use and no run has proved it on this target yet. */
  readonly on_trial?: boolean | undefined;
};

/** `remote`: the plan goes to a flow engine, which resolves references in its input. */
export type PlanContext = {
  readonly home: string;
  readonly remote: boolean;
  /** Texts of the scripts on disk that the steps run, by path; a flow engine's are not known here. */
  readonly scripts?: ReadonlyMap<string, string>;
  /** The targets of those that are symbolic links. */
  readonly targets?: ReadonlyMap<string, string>;
  /** What has been left by commands before the plan: the earlier calls of an agent. */
  readonly world?: World | undefined;
};

type StepFinding = Omit<Finding, "step_index" | "category">;
type McpCall = Extract<Step, { kind: "mcp_call" }>;

/** What is known of a step beside what is against it. */
export type JudgedStep = {
  /** The files that it runs, as far as the text shows, with the text that it was judged with, or null. */
  readonly known: ReadonlyMap<string, string | null>;
  readonly uses: FilesUsed;
  /** Null of a step that is no command. */
  readonly consequences: CommandConsequences | null;
  /** The commands that were seen in it. */
  readonly saw: readonly string[];
};

export type JudgedPlan = { readonly findings: Finding[]; readonly steps: JudgedStep[] };

/** No finding: the plan may run. Blocks come before questions, each group in the order of the steps. */
export const judgePlan = (plan: Plan): Finding[] => examinePlan(plan).findings;

export function examinePlan(plan: Plan): JudgedPlan {
  const judged = judgedSteps(plan, plan.steps);
  const findings = judged.flatMap(({ found }, step_index) =>
    found.map((finding) => ({ step_index, category: null, ...finding })),
  );
  const references = plan.context.remote ? engineReferences(plan.contract, plan.steps) : [];
  const asked = standingQuestion(plan);
  const all = strictestFirst([...findings, ...unshowable(plan), ...references, ...asked]);
  return {
    findings: withReach(all, judged),
    steps: judged.map(({ known, uses, consequences, saw }) => ({ known, uses, consequences, saw })),
  };
}

/** Whether the step, with the texts that the files it runs hold now, is without a finding. */
export function isFreeOfFindings(plan: Plan, index: number, now: ReadonlyMap<string, string>): boolean {
  const step = plan.steps[index];
  const contexts: ShellContext[] = [];
  judgedSteps(plan, plan.steps.slice(0, index + 1), (of) => contexts.splice(0, 1, of));
  const [context] = contexts;
  if (context === undefined || step === undefined) return true;
  const written = new Map([...(context.world?.files ?? [])].filter(([path]) => !now.has(path)));
  const world = context.world && { ...context.world, files: written };
  const files = new Map([...(context.files ?? []), ...now]);
  return judgeStep(step, plan, { ...context, world, files }).found.found.length === 0;
}

/** No context is kept: each holds all that the steps before it have written. */
function judgedSteps(plan: Plan, steps: readonly Step[], before?: (context: ShellContext) => void): StepJudged[] {
  const { home, scripts, targets, world } = plan.context;
  const shell = {
    ...shellContextOf(plan.contract, home),
    world,
    ...(scripts && { files: scripts }),
    ...(targets && { targets }),
  };
  return inOrder(steps, shell, (step, context) => {
    before?.(context);
    return judgeStep(step, plan, context);
  });
}

export const strictestFirst = (all: readonly Finding[]): Finding[] =>
  all.toSorted((a, b) => STRICTNESS[b.verdict] - STRICTNESS[a.verdict]);

const STRICTNESS = { block: 1, ask: 0 } as const;

/** What the findings on a plan or a call allow. */
export type Permission = "allow" | "ask" | "deny";

export function permissionOf(findings: readonly Finding[]): Permission {
  if (findings.some((finding) => finding.verdict === "block")) return "deny";
  return findings.length > 0 ? "ask" : "allow";
}

/** What a shell step runs in, exactly as execution sets it up. */
export const shellContextOf = (contract: PlanContract, home: string): ShellContext => ({
  home,
  cwd: contract.target["compose_dir"] ?? home,
  env: stepEnvironment(contract),
});

type StepJudged = JudgedStep & { readonly found: readonly StepFinding[] };

const NO_FILES: JudgedStep["known"] = new Map();
const NONE_USED: FilesUsed = { applied: [], loads: [], uncovered: [], rewrites: [] };

const bothUsed = (first: FilesUsed, second: FilesUsed): FilesUsed => ({
  applied: [...first.applied, ...second.applied],
  loads: [...first.loads, ...second.loads],
  uncovered: [...first.uncovered, ...second.uncovered],
  rewrites: [...first.rewrites, ...second.rewrites],
});

/** The reconcile command of a step is judged where the step is, and leaves nothing. */
function judgeStep(step: Step, plan: Plan, context: ShellContext): Judged<StepJudged> {
  const { found, world } = judgeOwn(step, plan, context);
  const reconcile = reconcileOf(step);
  if (reconcile === undefined) return { found, world };
  const looked = judgeReconcile(reconcile, plan, context);
  return {
    found: {
      ...found,
      found: [...found.found, ...looked.found],
      known: new Map([...looked.known, ...found.known]),
      uses: bothUsed(found.uses, looked.uses),
    },
    world,
  };
}

function judgeOwn(step: Step, plan: Plan, context: ShellContext): Judged<StepJudged> {
  const { world } = context;
  const noCommand = (found: readonly StepFinding[]) => ({
    found: { found, known: NO_FILES, uses: NONE_USED, consequences: null, saw: [] },
    world,
  });
  if (step.kind === "wait") return noCommand([]);
  if (step.kind === "mcp_call")
    return noCommand([...serverScope(step.server, plan.contract), ...parameters(step, plan.contract)]);
  const { world: after, ...judged } = judgeShell(step.value, plan, context);
  const isBlocked = judged.found.some(({ verdict }) => verdict === "block");
  const { effect } = judged.consequences;
  const changes = step.kind === "check" && !isBlocked && effect.is === "changes";
  const found = [
    ...judged.found,
    ...(changes ? checkFindings(step.value, plan, context) : []),
    ...(isPolled(step) ? polledFindings(effect, plan) : []),
  ];
  return { found: { ...judged, found }, world: after };
}

/** A shell step in its context, which holds what the steps before it have left. */
function judgeShell(text: string, plan: Pick<Plan, "contract" | "intent" | "proved">, shell: ShellContext) {
  const allowed = allowedPrograms(plan.contract);
  const wanted = { programs: allowed.size > 0, effect: READ_ONLY_INTENTS.has(plan.intent) };
  const examination = examine(text, shell, wanted);
  const { findings, programs, effect, world, consequences, commands: saw } = examination;
  const found: readonly StepFinding[] = [
    ...findings,
    ...(programs === null ? [] : programScope(text, programs, allowed)),
    ...(effect === null ? [] : intentFindings(effect, plan)),
  ];
  return { found, world, consequences, saw, known: filesOf(examination, shell), uses: examination.uses };
}

function judgeReconcile(text: string, { contract, proved }: Pick<Plan, "contract" | "proved">, shell: ShellContext) {
  const allowed = allowedPrograms(contract);
  const examination = examine(text, shell, { programs: allowed.size > 0, effect: true });
  const { findings, programs, effect } = examination;
  const found = [...findings, ...(programs === null ? [] : programScope(text, programs, allowed))];
  return {
    found: effect === null ? found : reconcileFindings(found, effect, { proved }),
    known: filesOf(examination, shell),
    uses: examination.uses,
  };
}

/** A text that is not wholly known is not compared with the one on disk: the step was asked about. */
function filesOf(
  { wanted, held }: Pick<CommandExamination, "wanted" | "held">,
  shell: ShellContext,
): JudgedStep["known"] {
  if (wanted.length + held.length === 0) return NO_FILES;
  const known = held.flatMap((path) => {
    const text = knownText(path, shell);
    return text === null ? [] : [[path, text] as const];
  });
  return new Map<string, string | null>([...wanted.map((path) => [path, null] as const), ...known]);
}

function parameters(step: McpCall, contract: PlanContract): readonly StepFinding[] {
  const { equals = null, contains = null } = step.expect ?? {};
  const named = { ...step.arguments, expect: [equals, contains] };
  return unknownParameters(named, contract).map((name) => ({
    verdict: "block",
    code: "parameter.unknown",
    reason: `\${${name}} names nothing in the contract; correct the name, or put the value into target or payload`,
    command: null,
  }));
}
