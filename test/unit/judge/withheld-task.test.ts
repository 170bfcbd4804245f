// The answer of a judgement that did not look at the id of its task is the answer for every task: over the commands of the labelled
// files, with the id put into them in all the ways in which a shell can read it.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asOnePlan, isPlanCutOff } from "../../../src/guard/guard.ts";
import { watchedTask, withheldTask } from "../../../src/judge/withheld-task.ts";
import { examinePlan, type Plan, planContract } from "../../../src/policy/judge-plan.ts";
import { checkText, runBy } from "../../../src/proof/check-text.ts";
import { checksToLookAt, lookedAt } from "../../../src/proof/checks-to-look-at.ts";
import { aContract, check, cmd } from "../../support/builders.ts";

const HOME = "/home/op";
const contractOf = (task_id: string) => aContract({ task_id, intent: "deploy", target: { service: "web" } });

const planOf = (task_id: string, texts: readonly string[]): Plan => ({
  ...{ contract: planContract(contractOf(task_id)), steps: texts.map(cmd), safety_level: "standard", intent: "deploy" },
  ...{ context: { home: HOME, remote: false }, proved: false },
});

/** What the hot path asks, and what is asked of checks. */
const JUDGEMENTS: readonly ((
  task_id: string,
  texts: readonly string[],
) => readonly [(...given: never[]) => unknown, readonly unknown[]])[] = [
  (task_id, texts) => [examinePlan, [planOf(task_id, texts)]],
  (task_id, texts) => [examinePlan, [{ ...planOf(task_id, texts), intent: "triage" }]],
  (task_id, [text = ""]) => [runBy, [text, planContract(contractOf(task_id)), HOME]],
  (task_id, texts) => [checksToLookAt, [lookedAt(contractOf(task_id)), texts.map(check), HOME]],
  (task_id, [text = "", ...commands]) => [
    checkText,
    [{ text, contract: planContract(contractOf(task_id)), commands, decoy_on: "machine" }, new Map(), HOME],
  ],
];

type Asked = (typeof JUDGEMENTS)[number];

/** `is_cut`: the time has ended it, so that it is not kept. */
function asked(of: Asked, task_id: string, texts: readonly string[], withheld = withheldTask) {
  const [judgement, whole] = of(task_id, texts);
  const { given, hasRead } = watchedTask(withheld(structuredClone(whole)));
  return asOnePlan(() => {
    const answer = structuredClone(judgement(...(given as never[])));
    return { answer, has_read: hasRead(), is_cut: isPlanCutOff() };
  });
}

const WHOLE = (given: readonly unknown[]) => ({ given, task_id: null });

/** Words that a shell replaces by the id, and texts around a command that has it in $x. */
const READS = [
  "$ORCH_TASK_ID",
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are expansions of the shell
  ...['"${ORCH_TASK_ID}"', "${ORCH_TASK_ID:-x}", "${ORCH_TASK_ID%x}", "${ORCH_TASK_ID:0:3}", "${ORCH_TASK_ID,,}"],
  ...["${ORCH_TASK_ID/q/r}", "${ORCH_TASK_ID[0]}", "${ORCH_TASK_ID[@]}", "${ORCH_TASK_ID@Q}", "${ORCH_TASK_ID:=x}"],
  '$(v=ORCH_TASK""_ID; echo "${!v}")',
  '$(for v in ${!ORCH_TASK*}; do echo "${!v}"; done)',
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: they are expansions of the shell
  '$(eval "echo \\$ORCH_TASK""_ID")',
  '$(declare -n r=ORCH_TASK_ID; echo "$r")',
  "$(printenv ORCH_TASK_ID)",
  "$(bash -c 'echo $ORCH_TASK_ID')",
  "$(echo 'echo $ORCH_TASK_ID' | sh)",
  "$(x=$ORCH_TASK_ID; y=$x; echo $y)",
  "$(f() { echo $1; }; f $ORCH_TASK_ID)",
  "$(for x in $ORCH_TASK_ID; do echo $x; done)",
  '$(read -r x <<< "$ORCH_TASK_ID"; echo $x)',
  "$(cat <<E\n$ORCH_TASK_ID\nE\n)",
  "$(jq -nr env.ORCH_TASK_ID)",
  "$((ORCH_TASK_ID))",
  "$(case $ORCH_TASK_ID in etc) echo etc ;; *) echo x ;; esac)",
  "$(env X=$ORCH_TASK_ID printenv X)",
];

/** Ways in which nothing of the id is read, or in which the guard does not follow it. */
const OTHERS = [
  ...["$ORCH_TARGET_SERVICE", "$ORCH_PAYLOAD", "ORCH_TASK_ID", "'$ORCH_TASK_ID'", "$(env)", "$(export -p)"],
  ...["$(declare -p ORCH_TASK_ID)", "$(cat /proc/self/environ)", "$(set)", "$(unset ORCH_TASK_ID; echo $ORCH_TASK_ID)"],
  ...["$(ORCH_TASK_ID=etc; echo $ORCH_TASK_ID)", "$(echo '$ORCH_TASK_ID' | envsubst)"],
  "$(python3 -c 'import os; print(os.environ)')",
];

const IDS = ["etc", "usr", "home", "rm", "1", "t-1", "orch", "Makefile", "a.b:c"];

const commandsOf = (file: string): readonly string[] =>
  readFileSync(new URL(`../../guard/${file}`, import.meta.url), "utf8")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [(JSON.parse(line) as { command: string }).command]))
    .filter(({ length }) => length < 400);

const COMMANDS = [
  ...commandsOf("labelled-blocked.jsonl"),
  ...commandsOf("evasions.jsonl"),
  ...commandsOf("labelled-benign.jsonl"),
];

/** A labelled command in which the end of a word, or the whole of it, is the id. */
const texts = fc
  .record({
    command: fc.constantFrom(...COMMANDS),
    at: fc.nat(8),
    word: fc.constantFrom(...READS, ...OTHERS),
    joined: fc.constantFrom("", "/", "x"),
    before: fc.constantFrom(
      "",
      "",
      "true; ",
      "while read -r x; do echo $x; done < f; ",
      "if test -f a; then ORCH_TASK_ID=etc; fi; ",
    ),
  })
  .map(({ command, at, word, joined, before }) => {
    const words = command.split(" ");
    const place = at % words.length;
    return (
      before +
      words
        .map((one, index) => (index === place ? `${joined === "/" ? "/" : `${one}${joined}`}${word}` : one))
        .join(" ")
    );
  });

const RUNS = 400;

describe("a judgement that has not looked at the id of its task", () => {
  test("is the same for every task, and what has looked at it is that of its own task", () => {
    const figures = { read: 0, unread: 0, differ: 0 };
    const plans = fc.array(texts, { minLength: 1, maxLength: 2 });
    const ids = fc.shuffledSubarray(IDS, { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(plans, ids, fc.constantFrom(...JUDGEMENTS), (plan, [one = "", other = ""], of) => {
        const first = asked(of, one, plan);
        const [own, another] = [one, other].map((task_id) => asked(of, task_id, plan, WHOLE));
        if (own === undefined || another === undefined || [first, own, another].some(({ is_cut }) => is_cut)) return;
        expect(first.answer).toEqual(own.answer);
        if (!first.has_read) expect(first.answer).toEqual(another.answer);
        figures[first.has_read ? "read" : "unread"] += 1;
        if (!isDeepStrictEqual(own.answer, another.answer)) figures.differ += 1;
      }),
      { numRuns: RUNS },
    );
    // Otherwise the property says nothing.
    for (const count of Object.values(figures)) expect(count).toBeGreaterThan(RUNS / 20);
  });
});

describe("a plan that deletes the directory of its task", () => {
  const deletes = (word: string) => [`rm -rf /${word}`];
  const [examined] = JUDGEMENTS;
  if (examined === undefined) throw new Error("there is a judgement");

  const isRead = (word: string) => asked(examined, "etc", deletes(word)).has_read;

  test("looks at the id by each way of reading it that the guard follows, and by no other", () => {
    expect(READS.filter((word) => !isRead(word))).toEqual([]);
    expect(OTHERS.filter(isRead)).toEqual([]);
  });

  test.each([
    ["a script that it writes", ["echo 'rm -rf /$ORCH_TASK_ID' > a.sh", "bash a.sh"]],
    ["a makefile that it writes", ["printf 'a:\\n\\trm -rf /$(ORCH_TASK_ID)\\n' > Makefile", "make a"]],
    ["what a step before has written", ["echo rm -rf /$ORCH_TASK_ID > a.sh", "sh a.sh"]],
    ["a loop with no end", ["while :; do rm -rf /$ORCH_TASK_ID; done"]],
  ])("by %s is another one for another task", (_, plan) => {
    const [one, other] = ["etc", "nowhere"].map((task_id) => asked(examined, task_id, plan));
    expect(one?.answer).not.toEqual(other?.answer);
    expect([one?.has_read, other?.has_read]).toEqual([true, true]);
  });
});
