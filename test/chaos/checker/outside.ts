// What steps have written down themselves, with times, against what the journals say: a step ran as often as the journal has it started,
// two tasks with one target did not run at once, and nothing ran on after the end of its task.
import type { Entry } from "./history.ts";
import { targetOf } from "./holds.ts";
import type { Committed } from "./lives.ts";
import { type Breach, ENDED, type Rule } from "./rules.ts";

/** `at`: milliseconds since 1970 by the clock of the machine, which is the database's too. */
export type Mark = {
  readonly what: "start" | "end";
  readonly task_id: string;
  readonly index: number;
  readonly server: string;
  readonly at: number;
};

/** `start|end TASK INDEX SERVER SECONDS`, one a line. A line that was cut off by a kill is left out. */
export const marksIn = (lines: readonly string[]): Mark[] =>
  lines.flatMap((line) => {
    const [, what, task_id, index, server, at] = /^(start|end) (\S+) (\d+) (\S+) (\d+\.\d{6})$/.exec(line) ?? [];
    if (what === undefined || task_id === undefined || server === undefined) return [];
    return [{ what: what === "end" ? "end" : "start", task_id, index: Number(index), server, at: Number(at) * 1_000 }];
  });

export function outsideBreaches(rows: readonly Committed[], marks: readonly Mark[]): Breach[] {
  const targets = new Map<string, string>();
  for (const row of rows.filter(({ kind }) => kind === "task_accepted")) {
    const target = targetOf(row);
    if (target !== null) targets.set(row.thread_id, target);
  }
  const runs = runsOf(marks);
  return [...tooOften(rows, runs), ...atOnce(runs, targets), ...afterTheEnd(rows, marks)];
}

type Run = { readonly start: Mark; readonly end: Mark | null };

/** Without an end, it is known of a run only when it started. */
function runsOf(marks: readonly Mark[]): Run[] {
  const sorted = marks.toSorted((a, b) => a.at - b.at);
  return sorted.flatMap((start, place) => {
    if (start.what !== "start") return [];
    const isSame = ({ task_id, index, server }: Mark) =>
      task_id === start.task_id && index === start.index && server === start.server;
    const next = sorted.slice(place + 1).find(isSame);
    return [{ start, end: next?.what === "end" ? next : null }];
  });
}

const breach = ({ task_id, index, server }: Mark, rule: Rule, text: string): Breach => ({
  thread_id: task_id,
  seq: 0,
  rule,
  text: `step ${index} on ${server} ${text}`,
});

function tooOften(rows: readonly Entry[], runs: readonly Run[]): Breach[] {
  const keyOf = (task_id: string, index: unknown) => `${task_id} ${index}`;
  const started = rows.filter(({ kind }) => kind === "step_started");
  const counts = Map.groupBy(started, ({ thread_id, body }) => keyOf(thread_id, body["index"]));
  const ran = Map.groupBy(runs, ({ start }) => keyOf(start.task_id, start.index));
  return [...ran].flatMap(([key, all]) => {
    const allowed = counts.get(key)?.length ?? 0;
    const last = all.at(-1)?.start;
    if (all.length <= allowed || last === undefined) return [];
    return [breach(last, "outside", `ran ${all.length} times, and its journal has ${allowed} starts`)];
  });
}

function atOnce(runs: readonly Run[], targets: ReadonlyMap<string, string>): Breach[] {
  const targetOfRun = ({ start }: Run) => targets.get(start.task_id);
  return runs.flatMap((run) => {
    const { start, end } = run;
    const target = targetOfRun(run);
    if (end === null || target === undefined) return [];
    const others = runs.filter((other) => other.start.task_id !== start.task_id && targetOfRun(other) === target);
    const inside = others.filter((other) => start.at < other.start.at && other.start.at < end.at);
    return inside.map((other) => breach(other.start, "hold", `starts on ${target} while ${start.task_id} runs there`));
  });
}

/** The outcome says so where a step may still run on a server that is out of reach. */
function afterTheEnd(rows: readonly Committed[], marks: readonly Mark[]): Breach[] {
  const ends = new Map<string, number>();
  for (const { kind, thread_id, body, committed } of rows)
    if (kind === "reported" && ENDED.includes(body["status"]) && !/may still run/.test(String(body["message"])))
      ends.set(thread_id, committed);
  return marks.flatMap((mark) => {
    const end = ends.get(mark.task_id);
    const text = `writes its ${mark.what} after the task has ended`;
    return end === undefined || mark.at <= end ? [] : [breach(mark, "end", text)];
  });
}
