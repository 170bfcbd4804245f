// The order of tasks for one target over several servers (D-402). The server whose task has ended would claim its own next task before any other
// one hears of the end. It gives way for a moment to an older task of another server, and then claims in any case. Where nothing came of
// it, it gives way on that target to none for a while: an older task that no server can claim holds nothing up.
import { exclusiveTarget } from "../domain/contract.ts";
import type { TaskColumns } from "../domain/task.ts";
import type { Servers, Store, Timer } from "../ports.ts";
import type { HoldBack } from "./hold-back.ts";
import { UNFINISHED } from "./recovery.ts";
import type { TaskRef } from "./run-thread.ts";

/** Another server hears of the end, reads the task and claims it in a tenth of that. */
const GIVES_MS = 500;
const IN_VAIN_MS = 10_000;
const MOST_LOOKED_AT = 20;

type Deps = {
  readonly store: Pick<Store, "listTaskColumns">;
  readonly servers: Pick<Servers, "are_many">;
  readonly holdBack: Pick<HoldBack, "keeps">;
  readonly timer: Timer;
  /** Whether the task waits on this server. */
  readonly isHere: (task_id: string) => boolean;
};

/** Resolves when the task, whose turn it is on this server, is to be claimed. Never rejects. */
export type GiveWay = (task: Pick<TaskRef, "task_id" | "intent" | "target_signature">) => Promise<void>;

export function createGiveWay({ store, servers, holdBack, timer, isHere }: Deps): GiveWay {
  const in_vain = new Set<string>();

  const exclusive = async (target_signature: string): Promise<TaskColumns[]> => {
    const unfinished = await store.listTaskColumns({ status: UNFINISHED, target_signature, limit: MOST_LOOKED_AT });
    return unfinished.filter((task) => exclusiveTarget(task) !== null);
  };

  async function isAfterAnother({ task_id, target_signature }: Parameters<GiveWay>[0]): Promise<boolean> {
    const tasks = await exclusive(target_signature);
    const place = tasks.findIndex((one) => one.task_id === task_id);
    // What a server had claimed before goes on with its target.
    if ((tasks[place]?.owner ?? null) !== null) return false;
    const older = place < 0 ? tasks : tasks.slice(0, place);
    return older.some((one) => one.owner === null && !isHere(one.task_id) && !holdBack.keeps(one));
  }

  async function give(target_signature: string): Promise<void> {
    await new Promise<void>((resolve) => timer(resolve, GIVES_MS));
    if ((await exclusive(target_signature)).some(({ owner }) => owner !== null)) return;
    in_vain.add(target_signature);
    timer(() => in_vain.delete(target_signature), IN_VAIN_MS);
  }

  return async (task) => {
    const { target_signature } = task;
    if (!servers.are_many || exclusiveTarget(task) === null || in_vain.has(target_signature)) return;
    // While the database does not work, the claim says so.
    const gives = await isAfterAnother(task).catch(() => false);
    if (gives) await give(target_signature).catch(() => undefined);
  };
}
