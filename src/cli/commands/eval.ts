// Runs orch eval agent and orch eval routing: both measure a model.
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { AgentBackendName } from "../../domain/agent-events.ts";
import { counted, firstLine, printable, span } from "../../domain/printable.ts";
import { numberInText, parseInput } from "../../schema/parse-input.ts";
import type { FormatFigures, RoutingReport } from "../../tools/eval/compare-formats.ts";
import {
  type AgentScore,
  type CaseJudgement,
  type CountedShare,
  DANGEROUS,
  isFalseDone,
  type Latency,
  type RoutingScore,
  type Tally,
  type TaskResult,
} from "../../tools/eval/scores.ts";
import { EvalCase, EvalTask, type NumberedCase } from "../../tools/eval/task.ts";
import { type CommandContext, command } from "../context.ts";
import { EXIT, failed, usage } from "../failure.ts";
import { readDocument, readText } from "../files.ts";
import { fitTable } from "../fit-table.ts";
import type { Out } from "../out.ts";
import { block, painted } from "../text-format.ts";

// orch eval agent: measures the agent model on small tasks, and whether a task that orch reports as DONE was done.

const Agent = z.object({
  directory: z.string(),
  backend: AgentBackendName.optional(),
  only: z.string().optional(),
});

export const evalAgent = command(Agent, async (context, { directory, backend, only }) => {
  const { out, environment, parts } = context;
  const read = await readTasks(context, directory);
  const tasks = read.filter(({ name }) => only === undefined || name === only);
  if (tasks.length === 0) {
    const names = read.map(({ name }) => name).join(", ");
    return failed(usage(`${directory} holds no task ${only}; there are ${names}.`));
  }
  const onProgress = (done: number, task: TaskResult) =>
    out.note(`${done} of ${tasks.length}  ${task.name}  ${task.label}, ${really(task)}, ${span(task.duration_ms)}`);
  const score = await parts.evalAgent(environment, { tasks, backend, onProgress });
  out.answer(score, () => agentLines(score, out));
  if (score.tasks.length < score.planned) return EXIT.interrupted;
  const isUnmeasured = score.tasks.every(({ reason_code }) => reason_code === "model_unavailable");
  if (isUnmeasured) out.note("The model gave no usable answer in any task. See: orch doctor");
  const isBroken = score.false_done > 0 || score.rates.escapes.count > 0;
  return isBroken || isUnmeasured ? EXIT.not_ok : EXIT.done;
});

async function readTasks(context: CommandContext, directory: string): Promise<EvalTask[]> {
  const entries = await readdir(resolve(context.cwd, directory)).catch((error: NodeJS.ErrnoException) => error);
  if (entries instanceof Error) return failed(usage(`${directory} cannot be read as a directory (${entries.code}).`));
  const files = entries.filter((name) => /\.ya?ml$/.test(name)).sort();
  const tasks = new Map<string, EvalTask>();
  for (const file of files.map((name) => join(directory, name))) {
    const task = await readTask(context, file);
    const { name } = task;
    if (tasks.has(name)) return failed(usage(`${file}: name ${name} is that of another task.`));
    tasks.set(name, task);
  }
  return tasks.size === 0 ? failed(usage(`${directory} holds no .yaml file.`)) : [...tasks.values()];
}

async function readTask(context: CommandContext, file: string): Promise<EvalTask> {
  const source = await readDocument(context, file);
  const parsed = parseInput(EvalTask, source);
  if (parsed.ok) return parsed.value;
  const wrong = parsed.issues.map(({ path, message }) => `${path} ${message}`.trim());
  return failed(usage(`${file}: ${wrong.join("; ")}.`, parsed.issues));
}

const really = ({ really_done }: TaskResult): string => (really_done ? "really done" : "not done");

const COLUMNS = ["TASK", "OUTCOME", "REASON", "REALLY", "ESCAPED", "TURNS", "CALLS", "REFUSED", "TIME"];

function agentLines(score: AgentScore, { paint, width }: Out): string[] {
  const { model, tasks, planned, done, really_done, rates, faults, latency } = score;
  const rows = tasks.map((task) => [
    printable(task.name),
    isFalseDone(task) || task.escapes.length > 0 ? paint("red", task.label) : painted(paint, task.status, task.label),
    task.reason_code,
    really(task),
    task.escapes.length === 0 ? "" : paint("red", task.escapes.join(", ")),
    ...[task.turns, task.calls, task.refusals].map(String),
    span(task.duration_ms),
  ]);
  const stopped = tasks.length < planned ? `, stopped before the other ${planned - tasks.length}` : "";
  const rate = ({ count, of, share }: CountedShare, noun: string): string => {
    const text = `${count} of ${of} ${noun}${percent(share)}`;
    return count === 0 ? text : paint("red", text);
  };
  return [
    ...(rows.length === 0 ? [] : [...fitTable(COLUMNS, rows, width), ""]),
    `${paint("bold", model)}  ${done} of ${tasks.length} done and verified${stopped}`,
    ...block({ paint, width }, [
      ["really done", String(really_done)],
      ["false DONE", rate(rates.false_done, "reported as DONE")],
      ["false FAILED", rate(rates.false_failed, "really done")],
      ["escapes", rate(rates.escapes, "tasks")],
      ["model faults", tallyText(faults)],
      ["latency", `${latencyText(latency)} a turn`],
    ]),
  ];
}

// orch eval routing: measures the routing model on the labelled questions of a file.

const Routing = z.object({
  file: z.string(),
  limit: z.string().transform(numberInText).pipe(z.int().min(1)).optional(),
});

const PROGRESS_EVERY = 10;

export const evalRouting = command(Routing, async (context, { file, limit }) => {
  const { out, environment, parts } = context;
  const source = await readText(context, file);
  const cases = readCases(file, source).slice(0, limit);
  const onProgress = (done: number, format: string) => {
    if (done % PROGRESS_EVERY === 0 || done === cases.length)
      out.note(`${format}: ${done} of ${counted(cases.length, "case")}`);
  };
  const score = await parts.evalRouting(environment, { cases, onProgress });
  out.answer(score, () => routingLines(score, out));
  const { error, approval } = score.questions;
  const no_answer = error.fallback + approval.fallback;
  const isUnmeasured = no_answer > 0 && no_answer === score.cases;
  if (isUnmeasured) out.note("Every question took its fallback. See: orch doctor");
  if (score.formats.some((one) => one.cases < score.planned)) return EXIT.interrupted;
  return isUnmeasured ? EXIT.not_ok : EXIT.done;
});

function readCases(file: string, text: string): NumberedCase[] {
  const cases: NumberedCase[] = [];
  for (const [at, line] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    if (line.trim() === "") continue;
    const parsed = parseCase(line);
    if (!parsed.ok) {
      const wrong = parsed.issues.map(({ path, message }) => `${path} ${message}`.trim());
      return failed(usage(`${file} line ${at + 1}: ${wrong.join("; ")}.`, parsed.issues));
    }
    cases.push({ line: at + 1, asked: parsed.value });
  }
  return cases.length === 0 ? failed(usage(`${file} holds no case.`)) : cases;
}

function parseCase(line: string): ReturnType<typeof parseInput<typeof EvalCase>> {
  try {
    return parseInput(EvalCase, JSON.parse(line));
  } catch {
    return { ok: false, issues: [{ path: "", message: "is not JSON" }] };
  }
}

const LABELS: Readonly<Record<CaseJudgement, string>> = {
  right: "right",
  false_transient: "false transient",
  missed_transient: "missed transient",
  false_no_approval: "false no approval",
  wrong_category: "wrong category",
  needless_approval: "needless approval",
  fallback: "fallback",
};
const SHOWN = {
  error: ["false_transient", "missed_transient", "fallback"],
  approval: ["false_no_approval", "wrong_category", "needless_approval", "fallback"],
} as const satisfies Record<string, readonly CaseJudgement[]>;

function routingLines(score: RoutingReport, { paint, width }: Out): string[] {
  const { model, format, cases, planned, fallbacks, latency, misses } = score;
  const stopped = cases < planned ? `, stopped before the other ${planned - cases}` : "";
  const shown = block({ paint, width }, [
    ["errors", questionText(score, "error")],
    ["approvals", questionText(score, "approval")],
    ["fallbacks", tallyText(fallbacks)],
    ["latency", latencyText(latency)],
  ]);
  const dangers = misses
    .filter(({ judgement }) => DANGEROUS.has(judgement))
    .map(
      ({ line, judgement, asked }) => `${paint("red", LABELS[judgement])}, line ${line}: ${firstLine(asked.command)}`,
    );
  return [
    `${paint("bold", model)}  ${format}: ${rightText(score)}${stopped}`,
    ...shown,
    ...dangers,
    ...formatLines(score, { paint, width }),
  ];
}

function formatLines({ formats, take, take_because }: RoutingReport, { paint, width }: Pick<Out, "paint" | "width">) {
  const verdict = take === null ? "Neither format can be recommended" : `Take ROUTING_FORMAT=${take}`;
  return [
    "formats",
    ...block(
      { paint, width },
      formats.map((one) => [one.format, figuresText(one)]),
    ),
    `${verdict}: ${take_because}.`,
  ];
}

function figuresText({ cases, usable, right, dangerous, median_ms, p95_ms }: FormatFigures): string {
  const shares = `${usable} of ${cases} usable; right ${right}; dangerous ${dangerous}`;
  return median_ms === null || p95_ms === null ? shares : `${shares}; p50 ${span(median_ms)}, p95 ${span(p95_ms)}`;
}

const rightText = ({ right, cases, accuracy }: Pick<RoutingScore, "right" | "cases" | "accuracy">): string =>
  `${right} of ${cases} right${percent(accuracy)}`;

function questionText({ questions }: RoutingScore, question: keyof typeof SHOWN): string {
  const of = questions[question];
  return [rightText(of), ...SHOWN[question].map((name) => `${LABELS[name]} ${of[name]}`)].join("; ");
}

// Formats the figures that both kinds of `orch eval` print.

/** `, 93.3 %`; empty for null. */
export const percent = (share: number | null): string => (share === null ? "" : `, ${(share * 100).toFixed(1)} %`);

export const latencyText = (latency: Latency | null): string =>
  latency === null
    ? "none"
    : `median ${span(latency.median_ms)}, 95 % within ${span(latency.p95_ms)}, at most ${span(latency.max_ms)}`;

export const tallyText = (tally: Tally): string =>
  tally.length === 0 ? "none" : tally.map(({ reason, count }) => `${reason} ${count}`).join(", ");
