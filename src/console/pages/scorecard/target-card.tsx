// A target: whether it is met, by how much, how sure that is, and what to do where it is not.
import { Link, type LinkProps } from "@tanstack/react-router";
import { InlineCode } from "../../parts/code.tsx";
import { Status } from "../../parts/status.tsx";
import type { Tone } from "../../parts/tone.ts";
import { RatioBand } from "./ratio-band.tsx";
import { changeText, figureOf, intervalText, procedureIn, type ShownTarget, TARGET_TEXTS } from "./target-text.ts";

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
