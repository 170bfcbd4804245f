// Which step may start, and whose end it is [8.retry]: once, or with a licence. A licence is a granted retry after a failure, the word
// of the supervisor or of a reconcile command about an unknown outcome (D-299, D-300), or that a step which a stop cut off
// may be repeated: a check, a wait, and what is declared so. Steps of skills are under a rule of their own.
import { z } from "zod";
import type { Entry } from "./history.ts";
import { Claim, type Fault, fault, NONE, Report, StepAt, type Watch } from "./rules.ts";

type State = "started" | "passed" | "failed" | "unknown" | "again";

type Record = {
  readonly attempt: number;
  readonly state: State;
  /** The number of the claim under which it was started, and who had that. */
  readonly claim: number;
  readonly owner: string;
  /** That server has reported its end after it had lost the task. */
  readonly late: boolean;
  readonly repeatable: boolean;
  readonly job_id: string | null;
  /** Something that a server before has started may still run. */
  readonly doubtful: boolean;
  readonly reconciled: boolean;
  readonly repeats: number;
  readonly retried: boolean;
};

const Kinds = z.array(z.looseObject({ kind: z.string() }));
const Judged = z.looseObject({ index: z.int(), step: z.looseObject({ kind: z.string() }).nullish() });
const Finished = StepAt.extend({ status: z.string() });
const Resolved = StepAt.extend({ resolution: z.enum(["succeeded", "failed", "retry"]) });
const Reconciled = StepAt.extend({
  exit_code: z.int().nullable(),
  timed_out: z.boolean(),
  may_run: z.string().nullable(),
  settles: z.enum(["succeeded", "retry"]).nullable(),
});

const RESOLVED = { succeeded: "passed", failed: "failed", retry: "again" } as const;
const Late = StepAt.extend({ owner: z.string() });
const MOST_REPEATS = 3;

export function watchSteps(): Watch {
  const records = new Map<number, Record>();
  const kinds = new Map<number, string>();
  let claim = 0;
  let owner = "";
  let isAgent = false;
  let isSkill = false;

  const put = (index: number, over: Partial<Record>) => {
    const before = records.get(index);
    if (before !== undefined) records.set(index, { ...before, ...over });
  };
  const isOpen = (record: Record | undefined) => record?.state === "started" || record?.state === "unknown";

  const started = ({ index, attempt, repeatable = false, job }: z.infer<typeof StepAt>): readonly Fault[] => {
    const before = records.get(index);
    const beside = [...records].find(([other, { state }]) => other !== index && state === "started");
    const isEarly = index > 0 && records.get(index - 1)?.state !== "passed";
    const licensed = mayStart(before, { attempt, claim, job_id: job?.job_id ?? null, kind: kinds.get(index) });
    const { repeats = 0, retried = false } = before ?? {};
    const rest = { owner, late: false, doubtful: false, reconciled: false, repeats, retried };
    records.set(index, { attempt, state: "started", claim, repeatable, job_id: job?.job_id ?? null, ...rest });
    return [
      ...(licensed ? NONE : fault("twice", `step ${index} starts as attempt ${attempt}, after ${wordsOf(before)}`)),
      ...(isAgent || beside === undefined ? NONE : fault("order", `step ${index} starts while step ${beside[0]} runs`)),
      ...(isAgent || !isEarly ? NONE : fault("order", `step ${index} starts before step ${index - 1} has passed`)),
    ];
  };

  const finished = ({ index, attempt, status }: z.infer<typeof Finished>): readonly Fault[] => {
    const before = records.get(index);
    const state = status === "passed" ? "passed" : status === "outcome_unknown" ? "unknown" : "failed";
    put(index, { state });
    const isOwn = before?.claim === claim || before?.job_id != null || state === "unknown";
    if (before?.state === "started" && before.attempt === attempt && isOwn) return NONE;
    return fault("stray end", `attempt ${attempt} of step ${index} ends ${status}, after ${wordsOf(before)}`);
  };

  const resolved = ({ index, resolution }: z.infer<typeof Resolved>): readonly Fault[] => {
    const isKnown = !isOpen(records.get(index));
    put(index, { state: RESOLVED[resolution] });
    return isKnown && !isSkill ? fault("licence", `step ${index} is resolved, and its outcome is known`) : NONE;
  };

  const granted = (index: number): readonly Fault[] => {
    const { state, retried = false } = records.get(index) ?? {};
    put(index, { state: "again", retried: true });
    if (state !== "failed") return fault("licence", `a retry of step ${index} is granted, which has not failed`);
    return retried ? fault("licence", `a second retry of step ${index} is granted`) : NONE;
  };

  const reconciled = (body: z.infer<typeof Reconciled>): readonly Fault[] => {
    const { index, attempt, exit_code, timed_out, may_run, settles } = body;
    const before = records.get(index);
    const repeats = (before?.repeats ?? 0) + (settles === "retry" ? 1 : 0);
    put(index, { reconciled: true, repeats, ...(settles !== null && { state: RESOLVED[settles] }) });
    const wrong = (text: string) => fault("licence", `the reconcile command of step ${index} ${text}`);
    if (before === undefined || !isOpen(before) || before.attempt !== attempt || before.reconciled)
      return wrong("was not called for: its outcome is known, or was asked for already");
    if (settles === "succeeded") return exit_code === 0 && !timed_out ? NONE : wrong(`settles it with ${exit_code}`);
    if (settles === null) return NONE;
    if (exit_code !== 1 || timed_out) return wrong(`licenses a repeat with ${exit_code}`);
    if (may_run !== null || before.doubtful) return wrong("licenses a repeat while something of it may still run");
    if (kinds.get(index) === "mcp_call") return wrong("licenses a repeat of a call");
    return repeats > MOST_REPEATS ? wrong(`licenses ${repeats} repeats`) : NONE;
  };

  const claimed = (body: unknown): readonly Fault[] => {
    claim += 1;
    owner = Claim.parse(body).owner;
    if (Claim.parse(body).cleared === true) return NONE;
    for (const [index, { state, job_id }] of records)
      if (state === "started" && job_id === null) put(index, { doubtful: true });
    return NONE;
  };

  const reported = ({ status }: z.infer<typeof Report>): readonly Fault[] => {
    const open = [...records].find(([, { state }]) => state !== "passed");
    if (status !== "ok" || isAgent || open === undefined) return NONE;
    return fault("end", `it ends ok, and step ${open[0]} has not passed: ${wordsOf(open[1])}`);
  };

  /** It settles nothing, and is of a step whose outcome somebody has to find out. */
  const reportedLate = ({ index, attempt, owner: by }: z.infer<typeof Late>): readonly Fault[] => {
    const before = records.get(index);
    const isOpenOfIts =
      before?.state === "started" && before.attempt === attempt && before.owner === by && !before.late;
    put(index, { late: true });
    if (isOpenOfIts && before.job_id === null) return NONE;
    return fault("stray end", `${by} reports attempt ${attempt} of step ${index} late, after ${wordsOf(before)}`);
  };

  const planned = (steps: unknown): readonly Fault[] => {
    for (const [index, { kind }] of Kinds.parse(steps).entries()) kinds.set(index, kind);
    return NONE;
  };

  return ({ kind, body }: Entry) => {
    isAgent ||= kind === "agent_equipped";
    isSkill ||= kind === "skill_step_started";
    if (kind === "sop_pinned" || kind === "taught") return planned(body["steps"]);
    if (kind === "agent_call_judged") kinds.set(Judged.parse(body).index, Judged.parse(body).step?.kind ?? "");
    if (kind === "taken_up") return claimed(body);
    if (kind === "step_started") return started(StepAt.parse(body));
    if (kind === "step_finished") return finished(Finished.parse(body));
    if (kind === "late_result") return reportedLate(Late.parse(body));
    if (kind === "step_resolved") return resolved(Resolved.parse(body));
    if (kind === "reported") return reported(Report.parse(body));
    if (kind === "retry_granted") return granted(z.looseObject({ index: z.int() }).parse(body).index);
    if (kind === "step_reconciled") return reconciled(Reconciled.parse(body));
    return NONE;
  };
}

type Start = Pick<Record, "attempt" | "claim" | "job_id"> & { readonly kind: string | undefined };

function mayStart(before: Record | undefined, { attempt, claim, job_id, kind }: Start): boolean {
  if (before === undefined) return attempt === 1;
  if (before.state === "again") return attempt === before.attempt + 1;
  if (before.state !== "started" || before.attempt !== attempt) return false;
  if (job_id !== null && job_id === before.job_id) return true;
  // What was cut off is repeated under another claim, never under its own.
  return claim !== before.claim && (before.repeatable || kind === "check" || kind === "wait");
}

const wordsOf = (before: Record | undefined): string =>
  before === undefined ? "no start" : `attempt ${before.attempt}, ${before.state} under claim ${before.claim}`;
