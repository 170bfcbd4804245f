// Checks what a task says of a version on trial (D-200): that it asked before it ran, and that what has become of the version follows
// from the verdict. Whether the trial was over already is not in the journal of the task.
import { signatureOf } from "../../domain/contract.ts";
import type { Procedure } from "../../domain/sop.ts";
import { hasTriedProcedure } from "../../domain/verification.ts";
import { firstDifference } from "../../engine/evidence/bundle.ts";
import type { Rule, WholeJournal } from "../../engine/evidence/verify/rule.ts";
import type { Projection } from "../../engine/tasks/projection.ts";
import { givenBack, type TrialEnd, trialEndOf } from "../../engine/tasks/sop-trial.ts";

export const TRIAL_RULE: Rule = () => ({
  journal: (journal) => trialFaults(journal).map((fault) => ({ rule: "trial", fault })),
});

/** At the end of a message. Output of a step is quoted, and so never ends like this. */
const GIVEN_BACK =
  /The trial of version \d+ [a-z ]+: version \d+ is active again\.$|: version \d+ is in use again\. Version \d+ asks in the inbox to be kept\.$/;
const NOT_RECORDED = "outcome.message speaks of a version that is active again, and no journal entry makes it so.";

/** Of every trial so far. */
const RUNS = 1;

function trialFaults({ events, state }: WholeJournal): string[] {
  const { procedure, reported } = state;
  const is_pinned = procedure !== null && procedure.sop_id !== null;
  const of_trial = events.filter(({ kind }) => kind === "sop_trial_failed" || (is_pinned && kind === "sop_changed"));
  const asked = procedure === null ? [] : onTrialFaults(procedure, state);
  const [first] = of_trial;
  if (first === undefined) return GIVEN_BACK.test(reported?.message ?? "") ? [...asked, NOT_RECORDED] : asked;
  const end = endOf(state);
  const recorded = of_trial.map(({ kind, body }) => ({ kind, body }));
  if (end === null || firstDifference(recorded, end.events) !== null)
    return [...asked, `journal entry ${first.seq} changes a version in a way that does not follow from the verdict.`];
  const is_said = end.sentence === null || reported?.message.endsWith(end.sentence) === true;
  return is_said ? asked : [...asked, "outcome.message does not say what has become of the version on trial."];
}

function onTrialFaults({ on_trial, sop_id }: Procedure, { findings, steps }: Projection): string[] {
  const is_asked = findings.some(({ code }) => code === "safety.on_trial");
  const is_judged = findings.length > 0 || steps.starts.length > 0;
  const is_sound = on_trial === undefined ? !is_asked : sop_id !== null && (is_asked || !is_judged);
  return is_sound ? [] : ["procedure.on_trial and the findings differ on whether the version is on trial."];
}

/** The end of the trial that the entries speak of; null where there can be none. */
function endOf({ accepted, procedure, verdict, versions }: Projection): TrialEnd | null {
  if (accepted === null || procedure?.on_trial === undefined || verdict === null) return null;
  const { sop_id, sop_version } = procedure;
  if (sop_id === null || sop_version === null || !hasTriedProcedure(verdict)) return null;
  const { contract } = accepted;
  const [moved, other] = versions.changes;
  const sop = {
    sop_id,
    version: sop_version,
    status: "active" as const,
    level: "defined" as const,
    trial_left: RUNS,
    promotion_round: 1 as const,
    intent: contract.intent,
    target_signature: signatureOf(contract),
  };
  const run = { task_id: contract.task_id, verdict };
  if (other === undefined) return trialEndOf(sop, null, run);
  // Only a version that is proved better is given back after a run that passed.
  const previous = { ...other, status: "deprecated", level: "proved" } as const;
  return moved?.status === "deprecated" ? givenBack(sop, previous, run) : trialEndOf(sop, previous, run);
}
