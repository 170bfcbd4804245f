// Tries a skill by its test.ts: every case on an engine of its own, one after the other, its tools, and what every skill keeps.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { wordsOf } from "../../../domain/errors.ts";
import type { Json } from "../../../domain/json.ts";
import { verifyBundle } from "../../../engine/evidence/verify/bundle.ts";
import type { OfferedSkillTool } from "../../../ports.ts";
import type { SkillFault } from "../process/orders.ts";
import { loadFault, offerImports, placeIn } from "../process/skill-module.ts";
import { MAX_CALLS } from "../skill-step-run.ts";
import { type SkillCase, type SkillTest, TestModule, type ToolCase, withDirectory } from "./skill-test.ts";
import {
  contractOf,
  type How,
  Hung,
  LIMIT_S,
  type OpenTrialEngine,
  type OpenWorld,
  type Trial,
  type Trials,
  tryTask,
  type UseTool,
  withLimit,
  withWorld,
} from "./trial.ts";

export type CaseResult = { readonly title: string; readonly ok: boolean; readonly duration_ms: number } & {
  readonly failing: (Failing & { readonly printed: readonly string[] }) | null;
};

/** A sentence without its full stop where the skill cannot be tried at all. */
export type SkillTrial = { readonly fault: string } | { readonly cases: AsyncIterable<CaseResult> };

type Parts = {
  readonly tools: readonly Tried[];
  readonly openEngine: OpenTrialEngine;
  readonly useTool: UseTool;
  /** What the skill has printed since the last call. */
  readonly printed: () => readonly string[];
};

export async function readTest(directory: string): Promise<SkillTest | SkillFault> {
  const file = join(directory, "test.ts");
  if (!existsSync(file)) return { file, line: null, why: "is not there; it says how the skill is tried" };
  offerImports([directory]);
  try {
    const module = await withLimit(LIMIT_S, "test.ts", () => import(pathToFileURL(file).href));
    const parsed = TestModule.safeParse({ ...module });
    if (parsed.success) return parsed.data.TEST as SkillTest;
    const [issue] = parsed.error.issues;
    return { file, line: null, why: `${issue?.path.join(".")} ${issue?.message}` };
  } catch (error) {
    return error instanceof Hung ? { file, line: null, why: error.message } : loadFault(file, error);
  }
}

export async function* testSkill(test: SkillTest, parts: Parts): AsyncGenerator<CaseResult> {
  const { tools, openEngine, useTool } = parts;
  const cases = await casesOf(test, { test, openEngine }).catch((error: unknown) => [broken(error)]);
  for (const one of [...cases, ...toolCasesOf(test, tools, useTool)]) {
    const begun = performance.now();
    let isHung = false;
    const failing = await one.run().catch((error: unknown) => {
      isHung = error instanceof Hung;
      return faultOf(error);
    });
    const duration_ms = Math.round(performance.now() - begun);
    const printed = parts.printed();
    yield { title: one.title, ok: failing === null, duration_ms, failing: failing && { ...failing, printed } };
    if (isHung) return;
  }
}

function faultOf(error: unknown): Failing {
  if (error instanceof Hung) {
    const { message: found, limit_s, fix } = error;
    return { expected: `an end within ${limit_s} s`, found, fix: `${fix} The cases after this one are not tried.` };
  }
  const place = placeIn(error);
  const found = `${wordsOf(error)}${place === null ? "" : ` (${basename(place.file)}:${place.line})`}`;
  const fix = "Correct `open` in test.ts and the functions that it returns, or `task`.";
  return { expected: "a task that can be tried", found, fix };
}

const broken = (error: unknown): TrialCase => ({
  title: "a task ends as expected",
  run: () => Promise.reject(error),
});

type Tried = Pick<OfferedSkillTool, "name" | "effect">;

/**
 * The tools of a skill, used as agents use them: what is given is read by the schema, and servers are those in scope.
 */
function toolCasesOf(test: SkillTest, tools: readonly Tried[], useTool: UseTool): TrialCase[] {
  const { tools: uses = [] } = test;
  const untried = tools.filter(({ name }) => !uses.some(({ tool }) => tool === name));
  return [
    ...uses.map((use) => ({
      title: `the tool ${use.tool} ${JSON.stringify(use.given)}`,
      run: () => tryTool(test, use, { tools, useTool }),
    })),
    ...untried.map(({ name }) => ({
      title: `the tool ${name}`,
      run: async (): Promise<Failing> => ({
        expected: "a use of it",
        found: "none",
        fix: `Add one to \`tools\` in test.ts: { tool: "${name}", given: { ... } }.`,
      }),
    })),
  ];
}

type With = { readonly tools: readonly Tried[]; readonly useTool: UseTool };

async function tryTool(test: SkillTest, use: ToolCase, { tools, useTool }: With): Promise<Failing | null> {
  const { tool: name } = use;
  const tool = tools.find((one) => one.name === name);
  const names = tools.map((one) => one.name).join(", ");
  if (tool === undefined)
    return { expected: `a tool ${name}`, found: names || "no tools.ts", fix: "Correct `tool`, or TOOLS in tools.ts." };
  return withWorld(test, (world) => tryIn(world, use, { test, tool, useTool }));
}

type Used = Pick<With, "useTool"> & { readonly test: SkillTest; readonly tool: Tried };

async function tryIn(world: OpenWorld, use: ToolCase, { test, tool, useTool }: Used): Promise<Failing | null> {
  const { tool: name, given, gives, fails = false, changes: expected = [] } = use;
  const used = { name, given: withDirectory(given, world), contract: contractOf(test.task, world), env: world.env };
  const { ok, value } = await withLimit(world.limit_s, `the tool ${name}`, () => useTool(used));
  const text = JSON.stringify(value);
  if (ok === fails)
    return { expected: fails ? "a failure" : "a value", found: text, fix: "Correct the tool, or `fails` in test.ts." };
  if (gives !== undefined && !isDeepStrictEqual(value, gives))
    return { expected: JSON.stringify(gives), found: text, fix: "Correct the tool, or `gives` in test.ts." };
  const changes = await world.changes();
  if (tool.effect !== "changes" && changes.length > 0)
    return {
      expected: `no change: its effect is ${tool.effect}`,
      found: JSON.stringify(changes),
      fix: 'Set effect: "changes".',
    };
  const [wanted, found] = [expected, changes].map((texts) => JSON.stringify(texts.toSorted()));
  return wanted === found
    ? null
    : { expected: `${wanted}`, found: `${found}`, fix: "Correct the tool, or `changes` in test.ts." };
}

type TrialCase = {
  readonly title: string;
  /** Null when it holds. */
  readonly run: () => Promise<Failing | null>;
};

const UNTRIED = "Stops and cancellations are not tried until it does.";

/**
 * What every skill keeps, as cases: it ends its task in words, changes nothing before it may, and a task that is stopped or
 * cancelled after any commit, or stopped within a call, has changed nothing twice. The first task runs at once: how many commits
 * and calls it makes says how often it can be stopped.
 */
export async function casesOf(test: SkillTest, trials: Trials): Promise<TrialCase[]> {
  const first = await tryTask(trials);
  const trying = (title: string, how: How, judge: (trial: Trial) => Failing | null): TrialCase => ({
    title,
    run: async () => judge(await tryTask(trials, how)),
  });
  const end = endFault(test, first);
  // What is stopped is compared with what was not.
  const moments = <T>(all: readonly T[]) => (end === null ? all.map((what, at) => ({ number: at + 1, what })) : []);
  const commits = moments(first.commits);
  const scoped = first.evidence.contract.constraints.implicit_scope.length > 0;
  return [
    { title: "a task ends as expected", run: async () => end && { ...end, fix: `${end.fix} ${UNTRIED}` } },
    ...(first.status === "ok"
      ? [
          { title: "an approval is asked for, or is not", run: async () => askFault(test, first) },
          { title: 'a step with "repeat" only reads', run: async () => repeatFault(first) },
        ]
      : []),
    ...(test.asks ? [trying("a rejected task changes nothing", { decision: "reject" }, rejectedFault)] : []),
    ...(scoped
      ? [trying("outside its scope it is blocked", { task: { implicit_scope: ["elsewhere"] } }, outsideFault)]
      : []),
    ...(test.wrong ?? []).map(({ field, payload }) =>
      trying(`it names ${field} as wrong in ${JSON.stringify(payload)}`, { task: { payload } }, (trial) =>
        wrongFault(field, trial),
      ),
    ),
    ...(test.cases ?? []).map(({ title, task, decision, ...end }) =>
      trying(title, { task, ...(decision !== undefined && { decision }) }, (trial) => caseFault(end, trial)),
    ),
    ...commits.map(({ number: after, what }) =>
      trying(
        `stopped after commit ${after} (${what}), it ends as if it had not been`,
        { after, act: "stop" },
        (trial) => stoppedFault(test, trial),
      ),
    ),
    ...moments(first.calls).map(({ number: in_call, what: { tool } }) =>
      trying(
        `stopped when call ${in_call} that changes something (${tool}) is done and not answered, it ends as if it had not been`,
        { in_call, act: "stop" },
        (trial) => stoppedFault(test, trial),
      ),
    ),
    ...commits.map(({ number: after, what }) =>
      trying(
        `cancelled after commit ${after} (${what}), it changes nothing more`,
        { after, act: "cancel" },
        cancelledFault,
      ),
    ),
  ];
}

/** What does not hold: `expected` and `found` are short texts. */
type Failing = { readonly expected: string; readonly found: string; readonly fix: string };

const shown = (texts: readonly string[]): string =>
  texts.length === 0 ? "no change" : texts.map((text) => JSON.stringify(text)).join(", ");
const isSame = (a: readonly string[], b: readonly string[]): boolean => shown(a.toSorted()) === shown(b.toSorted());
const codeOf = ({ skill_code, reason_code }: Trial): string => skill_code ?? reason_code;
const endText = (trial: Trial): string => `${trial.status} ${codeOf(trial)}: ${trial.message}`;

function changesFault(expected: readonly string[], { changes }: Trial, fix: string): Failing | null {
  if (isSame(expected, changes)) return null;
  return { expected: shown(expected), found: shown(changes), fix };
}

/** What has to hold of one trial of a skill, and what to do where it does not. */
function endFault(test: SkillTest, trial: Trial): Failing | null {
  if (trial.status !== "ok" || codeOf(trial) !== test.code)
    return { expected: `ok ${test.code}`, found: endText(trial), fix: fixOf(trial) };
  const { faults } = verifyBundle(JSON.parse(JSON.stringify(trial.evidence)));
  if (faults.length > 0)
    return { expected: "evidence that holds together", found: JSON.stringify(faults), fix: "This is a fault of orch." };
  return (
    changesFault(test.changes, trial, "Correct the handler, or `changes` in test.ts.") ??
    resultFault(test.result, trial, "Correct the handler, or `result` in test.ts.")
  );
}

function resultFault(expected: Json | undefined, { result }: Trial, fix: string): Failing | null {
  if (expected === undefined || isDeepStrictEqual(expected, result)) return null;
  return { expected: JSON.stringify(expected), found: JSON.stringify(result), fix };
}

const fixOf = ({ status, reason_code, skill_code }: Trial): string =>
  skill_code === "handler_fault"
    ? "Correct the handler: it threw, as a ctx.step whose work throws does, or what it returned is no SkillEnd."
    : status === "need_input"
      ? THIRD_ARGUMENT
      : reason_code === "outside_scope"
        ? "Imitate the server that it calls in `open`, or name it in `task.implicit_scope`."
        : "Correct the handler, or `task` and `code` in test.ts.";

const THIRD_ARGUMENT =
  'Give ctx.step a third argument: a function that finds out what the step did, or "repeat" if it only reads. Where nothing can find it out, name the step in `asks_about` of test.ts.';

function askFault({ asks }: SkillTest, { has_asked }: Trial): Failing | null {
  if (asks === has_asked) return null;
  const fix = asks
    ? "Call requestApproval and waitForApproval before the first change, or set `asks: false`."
    : "Set `asks: true` in test.ts.";
  return { ...askedTexts(asks, has_asked), fix };
}

function askedTexts(asks: boolean, has_asked: boolean) {
  const text = (is: boolean) => (is ? "an approval" : "no approval");
  return { expected: text(asks), found: text(has_asked) };
}

/** The evidence has the calls of every other step, up to a limit. */
function repeatFault({ evidence: { skill_steps }, calls }: Trial): Failing | null {
  if (skill_steps.some((step) => step.calls.length >= MAX_CALLS)) return null;
  const recorded = skill_steps.flatMap((step) => step.calls);
  const call = calls.find(
    ({ tool, is_declared }) => is_declared && !recorded.some((text) => text.startsWith(`${tool} `)),
  );
  if (call === undefined) return null;
  const steps = skill_steps.filter((step) => step.repeatable).map(({ name }) => name);
  return {
    expected: 'no change in a step with "repeat", which is for steps that only read',
    found: `${call.tool}, whose effect is "changes" in test.ts, is called in ${steps.length > 1 ? "one of the steps" : "the step"} ${shown(steps)}`,
    fix: 'Give the step a function that finds out what happened in place of "repeat", or correct `effect` in test.ts.',
  };
}

function rejectedFault(trial: Trial): Failing | null {
  if (trial.status !== "blocked" || trial.reason_code !== "approval_rejected")
    return {
      expected: "blocked approval_rejected",
      found: endText(trial),
      fix: trial.has_asked
        ? 'Return notApproved(decided) when decided.status is not "approved".'
        : "It ends before it asks: correct that first, or set `asks: false`.",
    };
  return changesFault(
    [],
    trial,
    "Change nothing before the approval: put every change into a ctx.step after waitForApproval.",
  );
}

function outsideFault(trial: Trial): Failing | null {
  if (trial.status !== "blocked" || trial.reason_code !== "outside_scope")
    return { expected: "blocked outside_scope", found: endText(trial), fix: "Reach servers through ctx.call only." };
  return changesFault([], trial, "Read from the servers before the first change, so that nothing is half done.");
}

function wrongFault(field: string, trial: Trial): Failing | null {
  const fix = 'Check the payload before anything else, and return { status: "blocked", code, message } with the field.';
  if (trial.status !== "blocked" || trial.reason_code !== "skill_blocked" || !trial.message.includes(field))
    return { expected: `blocked, with a message that names ${field}`, found: endText(trial), fix };
  return changesFault([], trial, fix);
}

type End = Pick<SkillCase, "status" | "code" | "changes" | "asks" | "result">;

function caseFault({ status, code, changes, asks, result }: End, trial: Trial): Failing | null {
  const fix = "Correct the handler, or the case in test.ts.";
  if (trial.status !== status || ![trial.skill_code, trial.reason_code].includes(code))
    return { expected: `${status} ${code}`, found: endText(trial), fix };
  if (asks !== undefined && asks !== trial.has_asked) return { ...askedTexts(asks, trial.has_asked), fix };
  return changesFault(changes, trial, fix) ?? resultFault(result, trial, fix);
}

function stoppedFault({ code, changes, asks_about = [] }: SkillTest, trial: Trial): Failing | null {
  if (trial.status === "need_input" && asks_about.includes(trial.unknown_step ?? ""))
    return tooMuchFault(changes, trial);
  const fix =
    trial.status === "need_input"
      ? THIRD_ARGUMENT
      : "Put what must happen once into a ctx.step; the function in its third argument finds out whether it was done, does it where it was not, and does not do it again.";
  if (trial.status !== "ok" || codeOf(trial) !== code) return { expected: `ok ${code}`, found: endText(trial), fix };
  return changesFault(changes, trial, fix);
}

/** Of a task that waits for an answer, a part of its changes may be missing. */
function tooMuchFault(changes: readonly string[], trial: Trial): Failing | null {
  const left = [...changes];
  const more = trial.changes.filter((change) => {
    const at = left.indexOf(change);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const fix = "Put what must happen once into a ctx.step of its own.";
  return more.length === 0 ? null : { expected: `nothing besides ${shown(changes)}`, found: shown(more), fix };
}

function cancelledFault(trial: Trial): Failing | null {
  const { status, changes, later } = trial;
  if (status !== "cancelled" && status !== "ok")
    return { expected: "cancelled, or ok", found: endText(trial), fix: "Let the handler end; orch ends the task." };
  const twice = changes.filter((change, at) => changes.indexOf(change) !== at);
  if (twice.length > 0)
    return { expected: "no change twice", found: shown(twice), fix: "Put each change into a step of its own." };
  if (later.length > 0)
    return {
      expected: "no change after the end",
      found: shown(later),
      fix: "Await everything, and end a loop when ctx.signal is aborted.",
    };
  return null;
}
