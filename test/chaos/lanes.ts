// The load: lanes in which a procedure is taught, promoted, run, replaced and run again, each lane on targets of its own.
import type { Message } from "./checker/history.ts";
import type { Client } from "./client.ts";
import { known, type Plan, type Procedure, taught, update } from "./plan.ts";
import { type Supervisor, seeThrough } from "./supervisor.ts";

/** Works on one service after the other until `isEnding`; a task that has begun is seen through. */
export async function lane(
  supervisor: Supervisor,
  { name, procedure }: { readonly name: string; readonly procedure: Procedure },
  isEnding: () => boolean,
): Promise<void> {
  const { random } = supervisor;
  for (let round = 1; !isEnding(); round++) {
    const service = `${name}-${round}`;
    let count = 0;
    const given = () => ({ task_id: `${service}-${++count}`, service, procedure });
    const run = (plan: Plan) => seeThrough(supervisor, plan);
    const first = taught(given(), random);
    if ((await run(first)) !== "ok" || first.promotion !== "approve") continue;
    for (let runs = random.between(1, 4); runs > 0 && !isEnding(); runs--) {
      if (random.chance(0.25)) await run(update(given(), random));
      // Two of one target: the second waits for the first.
      const two = random.chance(0.3);
      const plans = Array.from({ length: two ? 2 : 1 }, () => known(given(), random, two));
      await Promise.all(plans.map(run));
    }
  }
}

/** Reads messages by cursor for as long as the run takes, and then what is left. */
export async function readMessages({ ask }: Client, isOver: () => boolean): Promise<Message[]> {
  const got: Message[] = [];
  for (let after = 0; ; ) {
    const isLast = isOver();
    const answer = await ask("GET", `/v1/messages?after=${after}&limit=50&wait_seconds=${isLast ? 0 : 2}`);
    if (answer?.status !== 200) continue;
    got.push(...answer.body.messages);
    after = answer.body.next_cursor;
    if (isLast && answer.body.messages.length === 0) return got;
  }
}
