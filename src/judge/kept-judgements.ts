// Keeps what was judged last: a judgement is pure, and a plan is judged before its approval and again before it runs. What the
// time has cut off may be judged further the next time, so it is not kept (D-280).
import { deserialize, serialize } from "node:v8";
import type { Judge } from "../ports.ts";

const MAX_KEPT = 256;
/** Of what was given and of the answer, each. */
const MAX_BYTES = 32 * 1024;
const CUT_OFF = "cap.time";

/** `nameOf` distinguishes judgements. The answers are copies: no caller changes that of another. */
export function createKeptJudgements(nameOf: (judgement: { readonly name: string }) => string) {
  const kept = new Map<string, Buffer>();
  const keep = (key: string, answer: unknown): void => {
    const bytes = serialize(answer);
    if (bytes.length > MAX_BYTES || bytes.includes(CUT_OFF)) return;
    kept.set(key, bytes);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  };

  return (judge: Judge): Judge =>
    (judgement, ...given) => {
      const key = keyOf(nameOf(judgement), given);
      const known = key === null ? undefined : kept.get(key);
      if (known !== undefined) return Promise.resolve(deserialize(known));
      const judged = judge(judgement, ...given);
      if (key === null) return judged;
      return judged.then((answer) => {
        keep(key, answer);
        return answer;
      });
    };
}

/** Null where it is too long, or cannot be copied: the judge refuses that itself. */
function keyOf(name: string, given: readonly unknown[]): string | null {
  try {
    const bytes = serialize(given);
    return bytes.length > MAX_BYTES ? null : `${name} ${bytes.toString("latin1")}`;
  } catch {
    return null;
  }
}
