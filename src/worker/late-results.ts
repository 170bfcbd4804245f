// What this server knows of steps that have ended here and whose end is not durable. When it has lost its tasks, it reports that to their
// journals (D-330): their new owner asks the supervisor, who has no other way to learn of it.
import { setTimeout as sleep } from "node:timers/promises";
import { type LateResult, lateResult } from "../domain/late-result.ts";
import type { StepResult } from "../domain/step.ts";
import type { Commit, Store } from "../ports.ts";
import { takesLateResult } from "../tasks/progress.ts";
import { projection } from "../tasks/projection.ts";

type Deps = {
  readonly store: Pick<Store, "readJournal" | "appendLateResult">;
  /** This server, as the owner of tasks and by its name. */
  readonly owner: string;
  readonly name: string;
  readonly log: { error(details: object, message: string): void };
};

export type LateResults = {
  /** Commits through `commit`, and remembers how steps have ended that are not in the journal then. */
  readonly around: (commit: Store["commit"]) => Store["commit"];
  /** Reports what is left. Only for a server that has lost its tasks. Never rejects, and takes a bounded time. */
  readonly report: () => Promise<void>;
};

/** Those of more steps than run at once: the oldest are of commits that failed and were recovered from. */
const MOST = 100;
const TRIES = 20;
/** The server ends after it. */
const PATIENCE_MS = 5_000;

export function createLateResults(deps: Deps): LateResults {
  const { owner, name: server, log } = deps;
  const ended = new Map<string, { readonly thread_id: string; readonly result: StepResult }>();

  const keep = ({ thread_id, events }: Commit): readonly string[] =>
    events.flatMap(({ kind, body }) => {
      if (kind !== "step_finished") return [];
      const key = `${thread_id} ${body.index} ${body.attempt}`;
      ended.set(key, { thread_id, result: body });
      const [oldest] = ended.keys();
      if (ended.size > MOST && oldest !== undefined) ended.delete(oldest);
      return [key];
    });

  const reportAll = async (): Promise<void> => {
    for (const { thread_id, result } of ended.values())
      await report(deps, thread_id, lateResult({ owner, server }, result)).catch((err: unknown) =>
        log.error({ task_id: thread_id, err }, "what became of a step of a lost task could not be reported"),
      );
  };

  return {
    around: (commit) => async (given) => {
      const kept = keep(given);
      const result = await commit(given);
      if (result.ok) for (const key of kept) ended.delete(key);
      return result;
    },
    report: () => Promise.race([reportAll(), sleep(PATIENCE_MS, undefined, { ref: false })]),
  };
}

/** Each try is after the event that the journal ended with when it was judged. */
async function report({ store }: Deps, thread_id: string, late: LateResult): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const journal = await store.readJournal(thread_id);
    const last = journal.at(-1);
    if (last === undefined || !takesLateResult(projection(journal), late)) return;
    if ((await store.appendLateResult(thread_id, last, late)).ok) return;
  }
}
