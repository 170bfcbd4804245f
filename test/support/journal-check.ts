// What must hold of a database however often its server was killed. Each finding is a sentence; none is what a test wants.
import { z } from "zod";
import { brokenLink, type JournalEvent } from "../../src/domain/journal.ts";
import { hasEnded, isPaused } from "../../src/domain/outcome.ts";
import type { Sop } from "../../src/domain/sop.ts";
import type { Step } from "../../src/domain/step.ts";
import type { Task } from "../../src/domain/task.ts";
import { projection } from "../../src/engine/tasks/projection.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { sqlRows } from "./database.ts";

const EVERYTHING = { limit: 10_000 };

/** Reads the database that no server uses any more. */
export async function findingsIn(database_url: string): Promise<string[]> {
  const database = await openDatabase({ url: database_url });
  const store = createStore({ database, clock: () => new Date() });
  const rows = await sqlRows(database, "SELECT DISTINCT thread_id FROM journal_event");
  const threads = z.array(z.object({ thread_id: z.string() })).parse(rows);
  const journals = await Promise.all(threads.map(({ thread_id }) => store.readJournal(thread_id)));
  const [tasks, sops, pending] = await Promise.all([
    store.listTasks(EVERYTHING),
    store.listSops(EVERYTHING),
    store.listApprovals({ ...EVERYTHING, status: "pending" }),
  ]);
  await database.close();
  const known = new Map(tasks.map((task) => [task.task_id, task]));
  const waited = new Set(pending.map(({ content }) => ("sop_id" in content ? content.sop_id : null)));
  return [
    ...journals.flatMap(journalFindings),
    ...tasks
      .filter(({ status }) => !hasEnded(status) && !isPaused(status))
      .map(({ task_id, status }) => `task ${task_id} is left ${status} and nobody works on it`),
    ...pending
      .filter(({ kind, thread_id }) => kind !== "promotion" && known.get(thread_id)?.status !== "need_approval")
      .map(
        ({ approval_id, thread_id }) => `approval ${approval_id} is pending and task ${thread_id} does not wait for it`,
      ),
    ...sops
      .filter(({ sop_id, status }) => status === "candidate" && !waited.has(sop_id))
      .map(({ sop_id }) => `SOP ${sop_id} is a candidate and no approval is pending for it`),
    ...sops
      .filter((sop) => sop.success_count !== successesOf(sop, tasks))
      .map((sop) => `SOP ${sop.sop_id} counts ${sop.success_count} successes of ${successesOf(sop, tasks)}`),
    ...repeated(sops.filter(({ status }) => status === "active").map(keyOf)).map((key) => `${key} has two active SOPs`),
    ...repeated(sops.map((sop) => `version ${sop.version} of ${keyOf(sop)}`)).map(
      (version) => `there are two of ${version}`,
    ),
  ];
}

/** The tasks that ran it, and the one that proved it. A task that was done already ran nothing. */
const successesOf = ({ sop_id, origin }: Sop, tasks: readonly Task[]): number =>
  tasks
    .filter(({ status, outcome }) => status === "ok" && outcome?.reason_code !== "already_done")
    .filter((task) => task.sop_id === sop_id || task.task_id === origin).length;

const keyOf = ({ intent, target_signature }: { intent: string; target_signature: string }) =>
  `${intent}|${target_signature}`;

const repeated = (texts: readonly string[]) => texts.filter((text, place) => texts.indexOf(text) !== place);

/** The chain holds, a task ends once, and no step runs when it must not. */
export function journalFindings(events: readonly JournalEvent[]): string[] {
  const thread_id = events[0]?.thread_id ?? "an empty thread";
  const broken = brokenLink(events);
  const ends = events.filter(({ kind, body }) => kind === "reported" && hasEnded(body.status)).length;
  return [
    ...(broken === null ? [] : [`the chain breaks at ${broken}`]),
    ...(ends > 1 ? [`it ended ${ends} times`] : []),
    ...stepFindings(events, projection(events).procedure?.steps ?? []),
  ].map((finding) => `${thread_id}: ${finding}`);
}

type StepMark = { readonly attempt: number; readonly state: "started" | "passed" | "failed" | "again" };

function stepFindings(events: readonly JournalEvent[], steps: readonly Step[]): string[] {
  const marks = new Map<number, StepMark>();
  const findings: string[] = [];
  const turn = (index: number, state: StepMark["state"]) => {
    const mark = marks.get(index);
    if (mark === undefined) findings.push(`step ${index} is ${state} and was never started`);
    else marks.set(index, { ...mark, state });
  };
  for (const event of events) {
    if (event.kind === "step_started") {
      const { index, attempt } = event.body;
      const harmless = steps[index]?.kind === "check" || steps[index]?.kind === "wait";
      if (!mayStart(marks.get(index), attempt, harmless)) findings.push(`step ${index} must not start as ${attempt}`);
      if (index > 0 && marks.get(index - 1)?.state !== "passed") findings.push(`step ${index} started too early`);
      marks.set(index, { attempt, state: "started" });
    } else if (event.kind === "step_finished") {
      turn(event.body.index, event.body.status === "passed" ? "passed" : "failed");
    } else if (event.kind === "retry_granted") {
      turn(event.body.index, "again");
    } else if (event.kind === "step_resolved") {
      const states = { succeeded: "passed", failed: "failed", retry: "again" } as const;
      turn(event.body.index, states[event.body.resolution]);
    }
  }
  return findings;
}

function mayStart(before: StepMark | undefined, attempt: number, harmless: boolean): boolean {
  if (before === undefined) return attempt === 1;
  if (before.state === "again") return attempt === before.attempt + 1;
  return before.state === "started" && harmless && attempt === before.attempt;
}
