// The supervisor's load on one server or several, and what is left when it is over.
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "./client.ts";
import { lane, readMessages } from "./lanes.ts";
import type { Marks } from "./marks.ts";
import { processesOf } from "./processes.ts";
import type { Random } from "./random.ts";
import type { Record } from "./supervisor.ts";

const LANES = { most: 6, few: 3 };
// Each is far more than a server needs: connections that are silent are heard of after 15 s, and tasks of another server are
// claimed after the 30 s of their lease. A run that finds nothing waits for none of them to the end, also on a busy machine.
const PATIENCE_MS = 90_000;
const GONE_MS = 30_000;

/** The processes that are left of the servers, once there are none, or after the time. */
export async function leftIn(data_dir: string): Promise<readonly string[]> {
  for (const end = performance.now() + GONE_MS; performance.now() < end; await sleep(250))
    if (processesOf(data_dir).length === 0) return [];
  return processesOf(data_dir);
}

type Loaded = {
  readonly urls: () => string[];
  readonly marks: Marks;
  readonly random: Random;
  /** `few`: most of the time of the machine is for starts of servers. */
  readonly lanes?: keyof typeof LANES;
};

export function startLoad({ urls, marks, random, lanes: wanted = "most" }: Loaded) {
  const client = createClient(urls, random.fork());
  const record: Record = { accepted: new Map(), licences: [], refused: [], asked: 0 };
  let isEnding = false;
  let isOver = false;
  let isRead = false;
  const lanes = Array.from({ length: LANES[wanted] }, (_, n) =>
    lane({ client, marks, record, random: random.fork(), isOver: () => isOver }, `lane${n + 1}`, () => isEnding),
  );
  const live = readMessages(client, () => isRead);
  return {
    /** No new task is begun. Resolves once those that have begun are seen through, or patience is at its end. */
    finish: async () => {
      isEnding = true;
      const patience = new AbortController();
      const late = sleep(PATIENCE_MS, null, { signal: patience.signal }).catch(() => undefined);
      await Promise.race([Promise.all(lanes), late]);
      patience.abort();
      isOver = true;
      await Promise.all(lanes);
      return { record, live, client };
    },
    stopReading: () => {
      isRead = true;
    },
  };
}
