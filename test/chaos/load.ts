// The supervisor's load on one server or several, and what is left when it is over.
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "./client.ts";
import { lane, readMessages } from "./lanes.ts";
import type { Losing } from "./losing.ts";
import { actedByMarks, type Marks } from "./marks.ts";
import { marksSteps, type Procedure } from "./plan.ts";
import { processesOf } from "./processes.ts";
import type { Random } from "./random.ts";
import type { Acted, Record } from "./supervisor.ts";

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
  /** A lane for each kind of them. */
  readonly losing?: Losing;
};

export function startLoad({ urls, marks, random, lanes: wanted = "most", losing }: Loaded) {
  const client = createClient(urls, random.fork());
  const record: Record = { accepted: new Map(), licences: [], refused: [], asked: [] };
  let isEnding = false;
  let isOver = false;
  let isRead = false;
  const begin = (acted: Acted, name: string, procedure: Procedure) =>
    lane({ client, acted, record, random: random.fork(), isOver: () => isOver }, { name, procedure }, () => isEnding);
  const byMarks = actedByMarks(marks);
  const lanes = Array.from({ length: LANES[wanted] }, (_, n) => begin(byMarks, `lane${n + 1}`, marksSteps));
  if (losing !== undefined)
    lanes.push(...losing.kinds.map(({ kind, procedure }) => begin(losing.acted, kind, procedure)));
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
