// Keeps what was judged last: a judgement is pure, and a plan is judged before its approval and again before it runs. What the
// time has cut off may be judged further the next time, so it is not kept (D-280).
import { deserialize, serialize } from "node:v8";
import type { Judge } from "../ports.ts";
import type { JudgedValue, JudgeOrder } from "./thread.ts";

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
    const key = keyOf(order);
    const known = key === null ? undefined : kept.get(key);
    if (known !== undefined) return known;
    const { value, is_cut } = await answering(order);
    const answer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (key !== null && !is_cut) keep(key, answer);
    return answer;
  };

  return (answering: Answering): Judge =>
    (judgement, ...given) =>
      judged(answering, { name: nameOf(judgement), given }).then(deserialize);
}

/** All that was given is in it. Null where that is too long, or cannot be copied: the judge refuses that itself. */
function keyOf({ name, given }: JudgeOrder): string | null {
  try {
    const bytes = serialize(given);
    return bytes.length > MAX_BYTES ? null : `${name} ${bytes.toString("latin1")}`;
  } catch {
    return null;
  }
}
