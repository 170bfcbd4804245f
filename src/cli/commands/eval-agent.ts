// orch eval agent: measures the agent model on small tasks, and whether a task that orch reports as DONE was done.
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { AgentBackendName } from "../../domain/agent-events.ts";
import { printable } from "../../domain/printable.ts";
import { parseInput } from "../../schema/parse-input.ts";
import { type AgentScore, type CountedShare, isFalseDone, type TaskResult } from "../../tools/eval/score-agent.ts";
import { EvalTask } from "../../tools/eval/task.ts";
import { type CommandContext, command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed, usage } from "../failure.ts";
import { fitTable } from "../fit-table.ts";
import type { Out } from "../out.ts";
import { readDocument } from "../read-file.ts";
import { block, painted, span } from "../text-format.ts";
import { latencyText, percent, tallyText } from "./eval-format.ts";

const Given = z.object({
  directory: z.string(),
  backend: AgentBackendName.optional(),
  only: z.string().optional(),
});

export const evalAgent = command(Given, async (context, { directory, backend, only }) => {
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
  out.answer(score, () => scoreLines(score, out));
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

function scoreLines(score: AgentScore, { paint, width }: Out): string[] {
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
