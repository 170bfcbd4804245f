// Looks at the database every second: a task whose server has died, and one that no server has claimed although its target is free, must
// not be left so for longer than a lease and a sweep.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ask } from "../../support/read-journals.ts";
import type { Finding } from "../checker/history.ts";
import { type Life, lifeOf } from "../checker/lives.ts";

const PROMISED_MS = 35_000;

const OPEN = `
  SELECT task_id, owner FROM task WHERE status IN ('accepted', 'running')
    AND NOT EXISTS (SELECT 1 FROM target_hold hold JOIN task holder ON holder.task_id = hold.task_id
      WHERE hold.target_signature = task.target_signature AND hold.task_id <> task.task_id
        AND holder.status IN ('accepted', 'running', 'need_input', 'need_approval'))`;
const Open = z.array(z.object({ task_id: z.string(), owner: z.string().nullable() }));

export type AbandonedWatch = {
  /** A look that fails begins anew: the database, and not a server, was away. */
  readonly stop: () => Promise<readonly Finding[]>;
  readonly longest: () => number;
};

/** `busy_ms`: what this machine is measured to add, such as how long a server takes to start in that round. */
export function watchAbandoned(url: string, lives: () => readonly Life[], busy_ms: number): AbandonedWatch {
  const since = new Map<string, number>();
  const found = new Map<string, Finding>();
  let isOver = false;
  let longest = 0;
  const known = new Map<string, Life>();

  /** The life of an owner stays the same when its pid comes again. */
  const owned = (owner: string | null, now: number): Life | undefined => {
    if (owner === null) return undefined;
    const life = known.get(owner) ?? lifeOf(owner, now, lives());
    if (life !== undefined) known.set(owner, life);
    return life;
  };
  const look = async () => {
    const now = Date.now();
    const left = Open.parse(await ask(url, OPEN)).filter(({ owner }) => !isAtWork(owned(owner, now), now));
    const keys = left.map(({ task_id, owner }) => `${task_id} ${owner}`);
    for (const key of since.keys()) if (!keys.includes(key)) since.delete(key);
    for (const [place, { task_id, owner }] of left.entries()) {
      const key = keys[place] ?? "";
      const began = since.get(key) ?? now;
      since.set(key, began);
      longest = Math.max(longest, now - began);
      const text = `it was left for ${Math.round((now - began) / 1_000)} s, ${owner === null ? "unclaimed" : `by ${owner}`}`;
      if (now - began > PROMISED_MS + busy_ms) found.set(task_id, { kind: "abandoned", task_id, text });
    }
  };
  const watched = (async () => {
    for (; !isOver; await sleep(1_000)) await look().catch(() => since.clear());
  })();
  return {
    longest: () => longest,
    stop: async () => {
      isOver = true;
      await watched;
      return [...found.values()];
    },
  };
}

function isAtWork(life: Life | undefined, now: number): boolean {
  return life !== undefined && now <= life.to && !life.troubles.some(({ from, to }) => from <= now && now <= to);
}
