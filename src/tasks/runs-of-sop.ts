// The last runs of a version, for the human who is asked about it: the task that has proved it, and those that have run it since. The
// runs of the version whose steps a rollback brings back are runs of the same steps.
import { parseOrigin, type Sop } from "../domain/sop.ts";
import type { SopProof } from "../domain/sop-proof.ts";
import { leftText } from "../domain/step-run.ts";
import type { Task } from "../domain/task.ts";
import { hasTriedProcedure } from "../domain/verdict.ts";
import type { Store } from "../ports.ts";
import { projection } from "./projection.ts";

const SHOWN = 5;
/** Some tasks of a version run nothing: they were rejected, or were done already. */
const READ = 25;

/** `remarks` say which steps passed by the word of the supervisor, and which left processes running. */
export type RunOfSop = SopProof["runs"][number] & { readonly remarks: readonly string[] };

/** Newest first. A task that reached no verdict, or ran nothing, says nothing of it. */
export async function runsOfSop(
  store: Pick<Store, "findTask" | "findSop" | "listTasks" | "readJournal">,
  sop: Sop,
): Promise<RunOfSop[]> {
  const source = parseOrigin(sop.origin);
  const earlier = source.by === "rollback" ? await store.findSop(source.sop_id) : null;
  const own = await ownRuns(store, sop);
  return earlier === null ? own : [...own, ...(await ownRuns(store, earlier))];
}

async function ownRuns(
  store: Pick<Store, "findTask" | "listTasks" | "readJournal">,
  { sop_id, target_signature, origin }: Sop,
): Promise<RunOfSop[]> {
  const source = parseOrigin(origin);
  const first = source.by === "task" ? await store.findTask(source.task_id) : null;
  const later = await store.listTasks({ target_signature, sop_id, limit: READ });
  const runs = (await Promise.all(later.map((task) => runOf(store, task)))).flat();
  return [...runs.slice(0, SHOWN), ...(first === null ? [] : await runOf(store, first))];
}

async function runOf(store: Pick<Store, "readJournal">, { task_id, ended_at }: Task): Promise<RunOfSop[]> {
  const { verdict, verification, steps } = projection(await store.readJournal(task_id));
  if (verdict === null || !hasTriedProcedure(verdict)) return [];
  const checks = verdict.checks.map(({ step_index, passed, proof }) => ({
    step_index,
    passed,
    class: proof?.class ?? null,
    seen_red: proof?.seen_red ?? [],
    change: proof?.change ?? null,
  }));
  const left = steps.attempts.flatMap(({ index, left_processes }) =>
    left_processes === undefined ? [] : [`in step ${index}, ${leftText(left_processes)}`],
  );
  const resolved = [...steps.records.values()].flatMap(({ index, resolution }) =>
    resolution?.resolution === "succeeded"
      ? [`the supervisor said that step ${index} had succeeded; orch has not seen it`]
      : [],
  );
  return [
    {
      task_id,
      ended_at,
      passed: verdict.passed,
      checks,
      verified: verification?.verified ?? null,
      remarks: [...resolved, ...left],
    },
  ];
}
