// The promises that a journal shows to be broken, by the same rules as `orch evidence --verify`, without a bundle: what the
// scorecard counts [8.target.T2].
import { reportsLostAnswer } from "../../../domain/failure-signs.ts";
import { brokenLink, type JournalEvent } from "../../../domain/journal.ts";
import { isCheck, type Step, type StepResult } from "../../../domain/step.ts";
import { isIdempotent } from "../../../domain/step-run.ts";
import { stepConsequences } from "../../policy/category-consequences.ts";
import { shellContextOf } from "../../policy/judge-plan.ts";
import { commandDelivery } from "../../tasks/progress.ts";
import type { PromiseRule } from "./rule.ts";
import { walk } from "./walk.ts";

export function brokenPromises(journal: readonly JournalEvent[]): PromiseRule[] {
  const [first] = journal;
  if (first?.kind !== "task_accepted") return ["chain"];
  const { late, order_faults, journal_faults, start_faults } = walk(journal, first.body.contract);
  return [
    ...[brokenLink(journal), late].flatMap((seq) => (seq === null ? [] : ("chain" as const))),
    ...[...order_faults, ...journal_faults].map(({ rule }) => rule),
    ...doubtfulRepeats(journal).map(() => "once" as const),
    ...start_faults.map(({ rule }) => rule),
  ];
}

// Finds steps that orch repeated on the word of the routing model although their answer was lost: the effect may be there twice.
// Bundles of earlier versions still verify: these repeats were allowed then, and only the scorecard counts them.

type Contract = Extract<JournalEvent, { kind: "task_accepted" }>["body"]["contract"];

/** The indexes of these steps, one for each repeat. */
export function doubtfulRepeats(journal: readonly JournalEvent[]): number[] {
  const [first] = journal;
  if (first?.kind !== "task_accepted" || !journal.some(({ kind }) => kind === "retry_granted")) return [];
  const { contract } = first.body;
  const results = new Map<number, StepResult>();
  const repeatable = new Set<number>();
  const found: number[] = [];
  let steps: readonly Step[] = [];
  for (const event of journal) {
    switch (event.kind) {
      case "sop_pinned":
      case "taught":
        steps = event.body.steps;
        break;
      case "step_started":
        if (event.body.repeatable === true) repeatable.add(event.body.index);
        break;
      case "step_finished":
        results.set(event.body.index, event.body);
        break;
      case "retry_granted": {
        const { index } = event.body;
        const isHarmless = repeatable.has(index) || isIdempotent(steps[index]);
        if (!isHarmless && isDoubtful(steps[index], results.get(index), contract)) found.push(index);
        break;
      }
    }
  }
  return found;
}

function isDoubtful(step: Step | undefined, result: StepResult | undefined, contract: Contract): boolean {
  if (step === undefined || result === undefined || isCheck(step)) return false;
  // Before the field there were only the words of the client.
  const neverSent = result.never_sent === true || /^no handshake: /.test(result.stderr);
  if (step.kind === "mcp_call") return !neverSent && reportsLostAnswer(result.stderr);
  if (step.kind !== "cmd") return false;
  const known = stepConsequences(step, shellContextOf(contract, "/"));
  return commandDelivery(step, known, result)?.delivery === "answer_lost";
}
