// Shows what is known of a step or of a version of a procedure, at a glance.
import type { ListedSop } from "../../features/procedures/shapes.ts";
import type { OperationAnswer } from "../operations.ts";
import { Status, Tag, type Tone } from "./status.tsx";
import { ANSWERS_NOW, CHANGES, type StepChange, seenToFail, worthOf } from "./words.ts";

// What is known of a step at a glance: whether it changes something, and what its check is worth and answers.

type Check = OperationAnswer<"prove_sop">["proof"]["checks"][number];

export type CheckWorth = Pick<Check, "class" | "seen_red" | "reason" | "now">;

export function ChangeTag({ change }: { readonly change: StepChange | undefined }) {
  if (change === undefined) return null;
  const { word, tone } = CHANGES[change];
  return <Tag tone={tone}>{word}</Tag>;
}

export function WorthTag({ worth }: { readonly worth: Pick<CheckWorth, "class" | "seen_red"> }) {
  const { word, tone } = worthOf(worth.class);
  return (
    <span title={seenToFail(worth.seen_red)}>
      <Tag tone={tone}>{word}</Tag>
    </span>
  );
}

export function CheckNow({ worth: { now } }: { readonly worth: Pick<CheckWorth, "now"> }) {
  if (now === null) return null;
  const { word, tone } = ANSWERS_NOW[now];
  return <Status tone={tone}>{word}</Status>;
}

// What is known of a version of a procedure, at a glance: whether it is in use, how far it is proved, and its record.

type SopRecord = NonNullable<ListedSop["record"]>;

export function SopStatus({ sop }: { readonly sop: SopStanding }) {
  if (isSetBack(sop)) return <Status tone="bad">Set back</Status>;
  if (sop.status === "active") return <Status tone="ok">In use</Status>;
  if (sop.status === "candidate") return <Status tone="ask">Waits for promotion</Status>;
  return <Status tone="idle">Not in use</Status>;
}

const LEVELS: Readonly<Record<ListedSop["level"], readonly [word: string, tone: Tone, means: string]>> = {
  proved: ["Proved here", "ok", "A run on this target was proved."],
  tried: ["Tried here", "idle", "Its checks were tried on this target, and no run of it was proved."],
  defined: ["Only defined", "idle", "Nothing of it was tried on this target."],
};

export function Level({ sop: { level, trial_left } }: { readonly sop: Pick<ListedSop, "level" | "trial_left"> }) {
  const [word, tone, means] = LEVELS[level];
  return (
    <>
      <span title={means}>
        <Tag tone={tone}>{word}</Tag>
      </span>
      {trial_left > 0 && (
        <span title="Its next run asks for an approval first, and gives way to the version before when it is not proved.">
          <Tag tone="ask">On trial</Tag>
        </span>
      )}
    </>
  );
}

const percent = (ratio: number): string => `${Math.floor(ratio * 100)} %`;

/** Between which bounds the true ratio is, at 95 %. */
const Interval = ({ lower, upper }: Pick<SopRecord, "lower" | "upper">) => (
  <svg className="interval" width="72" height="8" viewBox="0 0 72 8" aria-hidden="true">
    <rect className="interval-all" x="0" y="3" width="72" height="2" rx="1" />
    <rect x={lower * 72} y="1.5" width={Math.max(2, (upper - lower) * 72)} height="5" rx="2.5" />
  </svg>
);

const MARKS: Readonly<Record<SopRecord["mark"], Tone>> = { proven: "ok", unproven: "idle", refuted: "bad" };

type Recorded = Pick<ListedSop, "record" | "record_since" | "last_success_at">;

export function RecordMark({ sop }: { readonly sop: Recorded }) {
  const { record } = sop;
  if (record === undefined) return <span className="muted">Record not known</span>;
  const { runs, passed, verified, refuted, lower, upper, mark } = record;
  if (runs === 0) return <span className="muted">{noRun(sop)}</span>;
  const looked = verified + refuted;
  return (
    <span className="record" data-tone={MARKS[mark]}>
      <span className="number">
        {passed} of {runs} passed
      </span>
      {looked === 0 && <span className="muted small">none verified from outside</span>}
      {looked > 0 && (
        <span className="muted small number" title={`${verified} of ${looked} runs that were verified from outside`}>
          <Interval lower={lower} upper={upper} />
          {mark === "refuted" ? `true in at most ${percent(upper)}` : `true in at least ${percent(lower)}`}
        </span>
      )}
    </span>
  );
}

/** A success may be from before its record began anew, and is counted a moment after the end of its task. */
function noRun({ record_since, last_success_at }: Recorded): string {
  if (record_since !== null) return "No run since its record began anew";
  return last_success_at === null ? "No run yet" : "Its run is being counted";
}

// Whether a version of a procedure was taken out of use.

/** It was in use and has lost its proof (D-294). */
export type SopStanding = Pick<ListedSop, "status" | "promotion_round">;

export const isSetBack = ({ status, promotion_round }: SopStanding): boolean =>
  status === "candidate" && promotion_round > 1;
