// Keeps what was judged last: a judgement is pure, and a plan is judged before its approval and again before it runs. What the
// time has cut off may be judged further the next time, so it is not kept (D-280). Without its id a task is like another one (D-398).
import { deserialize, serialize } from "node:v8";
import type { Judge } from "../ports.ts";
import type { JudgedValue, JudgeOrder } from "./thread.ts";
import { withheldTask } from "./withheld-task.ts";

/** What a thread does with an order. */
export type Answering = (order: JudgeOrder) => Promise<JudgedValue>;

const MAX_KEPT = 256;
/** Of what was given and of the answer, each. */
const MAX_BYTES = 32 * 1024;

/** `nameOf` distinguishes judgements. The answers are copies: no caller changes that of another. */
export function createKeptJudgements(nameOf: (judgement: { readonly name: string }) => string) {
  const kept = new Map<string, Buffer>();
  const keep = (key: string, answer: Buffer): void => {
    if (answer.length > MAX_BYTES) return;
    kept.set(key, answer);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  };

  const judged = async (answering: Answering, order: JudgeOrder): Promise<Buffer> => {
    const keys = keysOf(order);
    const known = keys === null ? undefined : (kept.get(keys.every) ?? kept.get(keys.own));
    if (known !== undefined) return known;
    const { value, reads_task, is_cut } = await answering(order);
    const answer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (keys !== null && !is_cut) keep(reads_task ? keys.own : keys.every, answer);
    return answer;
  };

  return (answering: Answering): Judge =>
    (judgement, ...given) =>
      judged(answering, { name: nameOf(judgement), ...withheldTask(given) }).then(deserialize);
}

/**
 * `every` is the key of what holds for every task, or of what is of none; `own` is that of this one. Null where it is too long, or
 * cannot be copied: the judge refuses that itself.
 */
function keysOf({ name, given, task_id }: JudgeOrder): { readonly every: string; readonly own: string } | null {
  try {
    const bytes = serialize(given);
    if (bytes.length > MAX_BYTES) return null;
    const text = bytes.toString("latin1");
    const every = `${name} ${task_id === null ? "no" : "every"} task ${text}`;
    return { every, own: task_id === null ? every : `${name} task ${task_id} ${text}` };
  } catch {
    return null;
  }
}
