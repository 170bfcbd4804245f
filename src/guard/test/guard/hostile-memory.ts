// `node src/guard/test/guard/hostile-memory.ts`: judges plans whose texts are made to fill memory, one plan for each shape, and prints a line
// for each. Its test starts it with a small heap.

import { aContract, cmd } from "../../../../test/support/builders.ts";
import { examinePlan } from "../../../engine/policy/judge-plan.ts";
import { asOnePlan } from "../../guard.ts";

const STEPS = 60;
const MAX = 16_384;

/** 32 KiB in one variable. */
const LONG = `x=0123456789abcdef; ${"x=$x$x; ".repeat(11)}`;

/** What is repeated in each step, with the step and the place in it. */
const SHAPES: readonly (readonly [before: (step: number) => string, repeated: (at: number, step: number) => string])[] =
  [
    [() => LONG, (at) => `echo "$x"${at}>f${at};`],
    [() => LONG, (at, step) => `echo "$x"${at}>f${step}-${at};`],
    [() => `${LONG}echo $x>f;`, (at) => `cat f f f f f f>g${at};`],
    [() => LONG, (at) => `u "$x"a${at};`],
    [() => LONG, (at, step) => `u "$x"${step}a${at};`],
    [() => LONG, (at) => `alias a${at}="echo $x";`],
    [() => LONG, (at) => `echo $x$x|tee a${at} b${at} c${at};`],
    [() => LONG, (at) => `bash /a${at}/"$x";`],
    [() => LONG, (at) => `ssh h${at} "echo $x>f";`],
    [() => LONG, (at) => `printf -v v${at} %s%s $x $x;`],
    [() => LONG, (at) => `git config alias.a${at} "$x${at}";`],
    [() => "", (at) => `docker run -v /a${at}:/b${at} x;`],
    [() => "", (at) => `ln -s /a${at} b${at};`],
  ];

function filled(before: string, repeated: (at: number) => string): string {
  let text = before;
  for (let at = 0; text.length + repeated(at).length < MAX; at += 1) text += repeated(at);
  return text;
}

const contract = aContract({ success_criteria: [] });
const context = { home: "/home/op", remote: false };

for (const [before, repeated] of SHAPES) {
  const steps = Array.from({ length: STEPS }, (_, step) => cmd(filled(before(step), (at) => repeated(at, step))));
  const plan = { contract, steps, safety_level: "standard", intent: "deploy", context, proved: false } as const;
  const { findings } = asOnePlan(() => examinePlan(plan));
  process.stdout.write(`${repeated(1, 1)} ${findings.length}\n`);
}
process.stdout.write("judged\n");
