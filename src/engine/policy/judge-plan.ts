// Judges a whole plan before its first step runs: the guard, the scope, the parameters and the intent, strictest first, and the
// approvals of the procedure. The categories of `require_approval_for` are not decided here: the gate is asked about them.
// Judges it again where it is to be compared with what was approved (D-269).
import type { z } from "zod";
import { READ_ONLY_INTENTS, type TaskContract } from "../../domain/contract.ts";
import type { Finding, RuleFinding } from "../../domain/finding.ts";
import { structuralIssue } from "../../domain/json.ts";
import { canonicalJson } from "../../domain/json-values.ts";
import { unknownParameters } from "../../domain/resolve-arguments.ts";
import type { SafetyLevel } from "../../domain/sop.ts";
import { isCheck, reconcileOf, type Step } from "../../domain/step.ts";
import { isPause, isPolled, sentStep, stepEnvironment } from "../../domain/step-run.ts";
import {
  type CommandConsequences,
  type CommandEffect,
  type CommandExamination,
  type CommandPrograms,
  examine,
  type FilesUsed,
  knownText,
  lastingChangeOf,
  type ShellContext,
  type World,
} from "../../guard/guard.ts";
import { inOrder, type Judged, withoutReach, withReach } from "./category-consequences.ts";
import { engineReferences } from "./engine-references.ts";

/** What the rules read of a contract; where a flow engine is sent the whole of it, they search the whole. */
export type PlanContract = Pick<TaskContract, "task_id" | "target" | "payload"> & {
  readonly constraints: Pick<TaskContract["constraints"], "implicit_scope">;
};

/** Nothing else of it, so that a judgement kept of the plan serves again (D-280). */
export const planContract = ({ task_id, target, payload, constraints }: PlanContract): PlanContract => ({
  task_id,
  target,
  payload,
  constraints: { implicit_scope: constraints.implicit_scope },
});

/** The fields of a contract that decide which checks orch looks at before the change. */
export type LookedAt = PlanContract & Pick<TaskContract, "intent" | "skip_if_done">;

export const lookedAt = ({ intent, skip_if_done, ...contract }: LookedAt): LookedAt => ({
  ...planContract(contract),
  intent,
  ...(skip_if_done !== undefined && { skip_if_done }),
});

/** Steps and what they are judged in, which does not say whether they are in use already. */
export type PlanOfSteps = {
  readonly contract: PlanContract;
  readonly steps: readonly Step[];
  readonly safety_level: z.infer<typeof SafetyLevel>;
  readonly intent: string;
  readonly context: PlanContext;
  /** The version is in use and no run has proved it on this target yet. */
  readonly on_trial?: boolean | undefined;
};

export type Plan = PlanOfSteps & {
  /** The steps of an active SOP: a supervisor has approved its promotion, so an unknown effect is no question. */
  readonly proved: boolean;
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

type McpCall = Extract<Step, { kind: "mcp_call" }>;

/** What is known of a step beside what is against it. */
export type StepEffects = {
  /** Null of a step that is no command. */
  readonly consequences: CommandConsequences | null;
  /** The commands that were seen in it. */
  readonly saw: readonly string[];
};

export type JudgedStep = StepEffects & {
  /** The files that it runs, as far as the text shows, with the text that it was judged with, or null. */
  readonly known: ReadonlyMap<string, string | null>;
  readonly uses: FilesUsed;
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

type StepJudged = JudgedStep & { readonly found: readonly RuleFinding[] };

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
  const noCommand = (found: readonly RuleFinding[]) => ({
    found: { found, known: NO_FILES, uses: NONE_USED, consequences: null, saw: [] },
    world,
  });
  if (isPause(step)) return noCommand([]);
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
function judgeShell(text: string, plan: Plan, shell: ShellContext) {
  const allowed = allowedPrograms(plan.contract);
  const wanted = { programs: allowed.size > 0, effect: READ_ONLY_INTENTS.has(plan.intent) };
  const examination = examine(text, shell, wanted);
  const { findings, programs, effect, world, consequences, commands: saw } = examination;
  const found: readonly RuleFinding[] = [
    ...findings,
    ...(programs === null ? [] : programScope(text, programs, allowed)),
    ...(effect === null ? [] : intentFindings(effect, plan)),
  ];
  return { found, world, consequences, saw, known: filesOf(examination, shell), uses: examination.uses };
}

function judgeReconcile(text: string, { contract, proved }: Plan, shell: ShellContext) {
  const allowed = allowedPrograms(contract);
  const examination = examine(text, shell, { programs: allowed.size > 0, effect: true });
  const { findings, programs, effect } = examination;
  const found = [...findings, ...(programs === null ? [] : programScope(text, programs, allowed))];
  return {
    found: effect === null ? found : reconcileFindings(found, effect, proved),
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

function parameters(step: McpCall, contract: PlanContract): readonly RuleFinding[] {
  const { equals = null, contains = null } = step.expect ?? {};
  const named = { ...step.arguments, expect: [equals, contains] };
  return unknownParameters(named, contract).map((name) => ({
    verdict: "block",
    code: "parameter.unknown",
    reason: `\${${name}} names nothing in the contract; correct the name, or put the value into target or payload`,
    command: null,
  }));
}

/**
 * The rules for the reconcile command of a step (D-299): those of a diagnostic step for every intent. It runs without a question
 * of its own, so it must not change anything. `found` is what the rules for every command say of it.
 */
function reconcileFindings(
  found: readonly RuleFinding[],
  { is, why, command }: CommandEffect,
  proved: boolean,
): readonly RuleFinding[] {
  const own = found.map((finding) => ({ ...finding, reason: `its reconcile command: ${finding.reason}` }));
  if (is === "changes") {
    const reason = `a reconcile command only looks, and this one ${why}; let it find out whether the step is done, and change nothing`;
    return [...own, { verdict: "block", code: "reconcile.changes_state", reason, command }];
  }
  if (is === "reads" || proved) return own;
  const reason = `a reconcile command only looks, and ${why}; approve it if it changes nothing, or use a command that is known`;
  return [...own, { verdict: "ask", code: "reconcile.unknown_effect", reason, command }];
}

/** Far more than a human reads: resolved parameters can repeat a large payload in every step. */
const MAX_BYTES = 1_048_576;

/**
 * Content that an approval could not hold: too much of it, or values that no text shows. Blocks the first step whose resolved
 * arguments an approval could not hold: content that cannot be shown cannot be approved.
 */
function unshowable({ steps, contract }: Plan): Finding[] {
  let bytes = 0;
  for (const [step_index, step] of steps.entries()) {
    if (step.kind !== "mcp_call") continue;
    const sent = sentStep(step, contract).arguments;
    bytes += Buffer.byteLength(canonicalJson(sent));
    const issue = structuralIssue(sent);
    const fault = issue === null ? null : `${issue.path} ${issue.message}`;
    const why = fault ?? (bytes > MAX_BYTES ? `the steps come to more than ${MAX_BYTES} bytes; pass less of it` : null);
    if (why === null) continue;
    const reason = `with its parameters resolved, ${why}`;
    return [{ step_index, verdict: "block", code: "parameter.too_large", reason, command: null, category: null }];
  }
  return [];
}

/**
 * Judges what may only read: a check, and every step of an intent that only looks. A check only reads. It may write files, and
 * may make what it removes itself. Steps in use were approved before that was so, and are asked about.
 */
function checkFindings(text: string, { intent, proved }: Plan, shell: ShellContext): readonly RuleFinding[] {
  const change = READ_ONLY_INTENTS.has(intent) ? null : lastingChangeOf(text, shell);
  if (change === null) return [];
  const fix = proved
    ? "approve it if that may happen now, or teach a version without it"
    : "move that into a cmd step, and check its result";
  const reason = `a check only reads, and this one ${change.why}; ${fix}`;
  return [{ verdict: proved ? "ask" : "block", code: "read_only.changes_state", reason, command: change.command }];
}

/** `within` repeats a check, so orch must know that the check only reads. */
function polledFindings({ is, why, command }: CommandEffect, { intent, proved }: Plan): readonly RuleFinding[] {
  if (is !== "unknown" || proved || READ_ONLY_INTENTS.has(intent)) return [];
  const reason = `within runs a check several times, and ${why}; approve it if it changes nothing, or use a command that is known`;
  return [{ verdict: "ask", code: "read_only.unknown_effect", reason, command }];
}

/** A read-only intent runs only steps that look. */
function intentFindings({ is, why, command }: CommandEffect, { intent, proved }: Plan): readonly RuleFinding[] {
  if (is === "changes") {
    const reason = `intent ${intent} only looks, and this step ${why}; use a command that changes nothing, or another intent`;
    return [{ verdict: "block", code: "read_only.changes_state", reason, command }];
  }
  if (is === "reads" || proved) return [];
  const reason = `intent ${intent} only looks, and ${why}; approve it if it changes nothing, or use a command that is known`;
  return [{ verdict: "ask", code: "read_only.unknown_effect", reason, command }];
}

const ALWAYS = {
  code: "safety.approval_required",
  reason: "the procedure asks for approval every time it runs; have its steps approved",
} as const;

const ON_TRIAL = {
  code: "safety.on_trial",
  reason: "this version is on trial: no run has proved it on this target yet; have its steps approved",
} as const;

/**
 * The approval that a procedure asks for each time it runs, or while it is on trial, for any steps. What a procedure asks of its
 * own, before its steps are judged.
 */
function standingQuestion({ safety_level, on_trial, steps }: Plan): readonly Finding[] {
  if (on_trial === true) return approvals(steps, ON_TRIAL);
  return safety_level === "approval_required" ? approvals(steps, ALWAYS) : [];
}

/** One question per step that may change something; for a plan without such a step, one at its start. */
function approvals(steps: readonly Step[], why: typeof ALWAYS | typeof ON_TRIAL): readonly Finding[] {
  const acting = steps.flatMap((step, index) => (isPause(step) || isCheck(step) ? [] : [index]));
  return (acting.length === 0 ? [0] : acting).map((step_index) => {
    const step = steps[step_index];
    return {
      step_index,
      verdict: "ask",
      ...why,
      command: step?.kind === "cmd" || step?.kind === "check" ? step.value : null,
      category: null,
    };
  });
}

type Scoped = { readonly constraints: { readonly implicit_scope: readonly string[] } };

const PROGRAM = "cmd:";

/**
 * What the scope of a contract says of a tool server and of the programs of a command. Server names are ASCII by schema, so lower
 * case on both sides compares them.
 */
export function serverScope(server: string, { constraints }: Scoped): readonly RuleFinding[] {
  const allowed = constraints.implicit_scope.some((entry) => entry.toLowerCase() === server.toLowerCase());
  if (allowed) return [];
  const reason = `server ${server} is not in implicit_scope; submit a contract that names it, or leave the step out`;
  return [{ verdict: "block", code: "scope.server", reason, command: null }];
}

/** Empty: the contract does not limit programs. */
const allowedPrograms = ({ constraints }: Scoped): ReadonlySet<string> =>
  new Set(
    constraints.implicit_scope.filter((entry) => entry.startsWith(PROGRAM)).map((entry) => entry.slice(PROGRAM.length)),
  );

function programScope(
  command: string,
  { programs, unresolved }: CommandPrograms,
  allowed: ReadonlySet<string>,
): readonly RuleFinding[] {
  const outside = programs
    .filter((program) => !allowed.has(program))
    .map(
      (program) => `program ${program} is not in implicit_scope; add cmd:${program} to a new contract, or leave it out`,
    );
  const hidden =
    "a program cannot be determined from the text while implicit_scope limits programs; write its name out";
  return [...outside, ...(unresolved ? [hidden] : [])].map((reason) => ({
    verdict: "block",
    code: "scope.program",
    reason,
    command,
  }));
}

/** The clock has ended the judgement before its end. */
const isOfTime = ({ code }: Finding): boolean => code === "cap.time";

/** What does not follow from the text of a command, so that no time can cut it off. */
const isOfOthers = ({ code }: Finding): boolean => /^(tool|category|safety)\./.test(code);

type Compared = { readonly now: readonly Finding[]; readonly before: readonly Finding[]; readonly from: number };

/**
 * Whether the same is found now as before of the steps from `from` on. Of a step that either judgement did not follow to its end,
 * and of those after it, the texts are the same and what is found of them is not compared, but for a block.
 */
export function isFoundAsBefore({ now, before, from }: Compared): boolean {
  const cut = Math.min(...[...now, ...before].filter(isOfTime).map(({ step_index }) => step_index));
  if (now.some((one) => one.step_index >= cut && one.verdict === "block" && !isOfTime(one))) return false;
  const compared = (findings: readonly Finding[]): string =>
    findings
      .filter((one) => one.step_index >= from && (one.step_index < cut || isOfOthers(one)))
      .flatMap((one) => (one.step_index < cut ? [one] : withoutReach([one])))
      .map(canonicalJson)
      .toSorted()
      .join("\n");
  return compared(now) === compared(before);
}
