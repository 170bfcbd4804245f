// Hides listed operations: one operation, one to four transforms, as in `eval "$(echo … | base64 -d)"`.
import { type Draft, programOf, REWRITES, type Rewrite } from "./commands.ts";
import { CONSUMERS, type Wrap } from "./consumers.ts";
import { CONTROL_FLOW } from "./control-flow.ts";
import { EVALUATIONS } from "./evaluations.ts";
import { LAUNCHERS } from "./launchers.ts";
import { OPERATIONS } from "./operations.ts";
import type { Choices, Random } from "./random.ts";

/** `steps` names the transforms in the order they were made. */
export type Hidden = { readonly command: string; readonly steps: readonly string[] };

type Step<T> = readonly [string, T];

const ON_WORDS: Choices<Step<Rewrite>> = [...REWRITES, ...LAUNCHERS, ...LAUNCHERS];
const ON_TEXT: Choices<Choices<Step<Wrap>>> = [CONSUMERS, CONSUMERS, EVALUATIONS, CONTROL_FLOW];
const MAX_LENGTH = 6_000;

export function hide(random: Random): Hidden {
  const steps: string[] = [];
  const count = 1 + random.int(4);
  const onWords = random.int(count + 1);
  let draft: Draft = { before: [], words: random.pick(OPERATIONS) };
  for (let n = 0; n < onWords; n += 1) {
    const [name, rewrite] = random.pick(ON_WORDS);
    const next = rewrite(draft, random);
    if (next === null) continue;
    draft = next;
    steps.push(name);
  }
  let command = programOf(draft, random);
  for (let n = onWords; n < count; n += 1) {
    const [name, wrap] = random.pick(random.pick(ON_TEXT));
    const next = wrap(command, random);
    if (next === null || next.length > MAX_LENGTH) continue;
    command = next;
    steps.push(name);
  }
  return { command, steps };
}
