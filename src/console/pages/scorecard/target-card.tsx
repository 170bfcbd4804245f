// A target: whether it is met, by how much, how sure that is, and what to do where it is not.
import { Link, type LinkProps } from "@tanstack/react-router";
import type { OperationAnswer } from "../../operations.ts";
import { InlineCode } from "../../parts/code.tsx";
import { RatioBand } from "../../parts/sparkline.tsx";
import { Status, type Tone } from "../../parts/status.tsx";

const STATES: Readonly<Record<ShownTarget["state"], readonly [word: string, tone: Tone]>> = {
  met: ["Met", "ok"],
  missed: ["Missed", "bad"],
  unproven: ["Unproven", "idle"],
};

export function TargetCard({ target }: { readonly target: ShownTarget }) {
  const { id, state, wanted, message, worst, wording } = target;
  const { title, rule } = TARGET_TEXTS[id];
  const [word, tone] = STATES[state];
  return (
    <li className="card target" data-state={state} data-tone={tone} aria-label={`${id} ${title}`}>
      <div className="target-head">
        <h3>
          {title} <abbr title={wording}>{id}</abbr>
        </h3>
        <Status tone={tone}>{word}</Status>
      </div>
      <p className="row target-figure">
        <strong className="number">{figureOf(target)}</strong>
        <span className="muted small">wanted: {wanted}</span>
      </p>
      <Interval target={target} />
      <p>{rule}</p>
      <p className="muted small">{message}</p>
      {state === "missed" && worst.length > 0 && (
        <div className="target-mend">
          <p className="muted">Correct this first</p>
          <Mend worst={worst.slice(0, 1)} />
        </div>
      )}
      {state !== "met" && (
        <Folded
          title={state === "missed" ? "Then" : "What would decide it"}
          worst={worst.slice(state === "missed" ? 1 : 0)}
        />
      )}
    </li>
  );
}

/** Its line is there without anything to fold out too: what is counted meanwhile moves nothing. */
const Folded = ({ title, worst }: { readonly title: string; readonly worst: ShownTarget["worst"] }) => (
  <div className="target-folded">
    {worst.length > 0 && (
      <details>
        <summary>{title}</summary>
        <Mend worst={worst} />
      </details>
    )}
  </div>
);

const textOf = (unit: "ratio" | "change", lower: number, upper: number): string =>
  unit === "change" ? changeText(lower, upper) : intervalText(lower, upper);

/** A count has none, nor has a target that is met because nothing happened. */
function Interval({ target: { id, state, value, lower, upper } }: { readonly target: ShownTarget }) {
  const { wanted, unit, is_open = false } = TARGET_TEXTS[id];
  if (unit === "count" || (value === null && state === "met")) return null;
  if (lower === null || upper === null || value === null)
    return <p className="target-interval muted small">Too little was counted for an interval.</p>;
  return (
    <div className="target-interval">
      <RatioBand lower={lower} upper={upper} value={value} wanted={wanted} from={unit === "change" ? -1 : 0} />
      <span className="muted small number">
        {is_open
          ? `${intervalText(lower, upper)} once everything was looked at`
          : `likely ${textOf(unit, lower, upper)}`}
      </span>
    </div>
  );
}

// What to do about a target: what costs most of it, each with the place where that is mended.

type Worst = ShownTarget["worst"][number];

function Mend({ worst }: { readonly worst: readonly Worst[] }) {
  return (
    <ul className="mend">
      {worst.map((one) => (
        <li key={`${one.about} ${one.operation}`}>
          <span className="number mend-count">{one.count}</span>
          <span className="mend-about">
            <InlineCode text={one.about} />
          </span>
          <Link {...placeOf(one)}>{WORDS[one.operation] ?? `See ${one.operation}`}</Link>
        </li>
      ))}
    </ul>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  update_sop: "Teach a new version",
  record_verification: "Look, and record it",
  get_evidence: "See what happened",
  teach: "Teach it",
};

function placeOf({ about, sop_id, operation }: Worst): LinkProps {
  const { intent, target } = procedureIn(about) ?? {};
  if (operation === "update_sop" && sop_id !== null) return { to: "/teach", search: { sop_id } };
  if (operation === "update_sop" || operation === "teach") return { to: "/teach", search: { intent, target } };
  if (operation === "record_verification")
    return { to: "/tasks", search: { status: "ok", verified: "none", intent, q: target } };
  return { to: "/tasks", search: { intent, q: target } };
}

// What each target is called, its rule in a sentence, and how its figure reads. The specification's own words are the server's.

export type ShownTarget = OperationAnswer<"get_scorecard">["targets"][number];
type TargetId = ShownTarget["id"];

export type TargetText = {
  readonly title: string;
  readonly rule: string;
  readonly unit: "ratio" | "count" | "change";
  /** What the figure has to reach, where that is a number. */
  readonly wanted: number | null;
  /** The figure can only grow: by what was not looked at. */
  readonly is_open?: true;
};

export const TARGET_TEXTS: Readonly<Record<TargetId, TargetText>> = {
  T1: {
    title: "Verified success",
    unit: "ratio",
    wanted: 0.95,
    is_open: true,
    rule: "At least 95 % of what is called done is confirmed by a look from outside.",
  },
  T2: {
    title: "Broken promises",
    unit: "count",
    wanted: 0,
    rule: "No step runs unapproved, out of scope, although it is blocked, or twice; no journal is changed.",
  },
  T3: {
    title: "Taught tasks",
    unit: "ratio",
    wanted: 0.9,
    rule: "At least 90 % of the tasks that may be taught end as done.",
  },
  T4: {
    title: "Carried to the end",
    unit: "ratio",
    wanted: null,
    rule: "Not a lower part of the tasks than the week before is carried to its end without work handed back.",
  },
  T5: {
    title: "Growth in new areas",
    unit: "ratio",
    wanted: 0.3,
    rule: "On new targets, at least three procedures become active for ten tasks without one.",
  },
  T6: {
    title: "Fewer questions",
    unit: "change",
    wanted: 0.2,
    rule: "At least 20 % fewer questions a task than in the four full weeks before the last four.",
  },
};

export const percent = (ratio: number): string => `${Math.round(ratio * 1_000) / 10} %`;

const whole = (ratio: number): string => `${Math.round(ratio * 100)} %`;

const SAME = 0.0005;

/** "83.3 %", "2", "31 % fewer"; a dash where nothing was counted. */
export function figureOf({ id, value }: Pick<ShownTarget, "id" | "value">): string {
  if (value === null) return "–";
  const { unit } = TARGET_TEXTS[id];
  if (unit === "count") return String(value);
  if (unit === "ratio") return percent(value);
  return Math.abs(value) < SAME ? "no change" : changeOf(value, percent);
}

const changeOf = (less: number, text: (ratio: number) => string): string =>
  less >= 0 ? `${text(less)} fewer` : `${text(-less)} more`;

/** "84 % to 91 %", as whole parts: more digits would claim more than is known. */
export const intervalText = (lower: number, upper: number): string => `${whole(lower)} to ${whole(upper)}`;

export const changeText = (lower: number, upper: number): string =>
  `${changeOf(lower, whole)} to ${changeOf(upper, whole)}`;

/** A procedure as the server names it in a list: `deploy on "service=web" v3`, or `deploy|service=web v3`. */
export function procedureIn(about: string): { readonly intent: string; readonly target: string } | null {
  const [, intent, target] = /(?:^|: )(\w+) on "(.*)"/.exec(about) ?? /^(\w+)\|(.*?)(?: v\d+)?$/.exec(about) ?? [];
  return intent === undefined || target === undefined ? null : { intent, target };
}
