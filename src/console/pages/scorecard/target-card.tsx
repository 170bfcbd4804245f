// A target: whether it is met, by how much, how sure that is, and what to do where it is not.
import { Status, type Tone } from "../../parts/status.tsx";
import { Mend } from "./mend.tsx";
import { RatioBand } from "./ratio-band.tsx";
import { figureOf, intervalText, percent, type ScoreTarget, TARGET_TEXTS } from "./target-text.ts";

const STATES: Readonly<Record<ScoreTarget["state"], readonly [word: string, tone: Tone]>> = {
  met: ["Met", "ok"],
  missed: ["Missed", "bad"],
  unproven: ["Unproven", "idle"],
};

const MOST_NAMED = 3;

export function TargetCard({ target }: { readonly target: ScoreTarget }) {
  const { id, state, wanted, message, worst, wording } = target;
  const { title, rule } = TARGET_TEXTS[id];
  const [word, tone] = STATES[state];
  return (
    <li className="card target" data-state={state} data-tone={tone} aria-label={`${id} ${title}`}>
      <div className="row">
        <h3>
          {title} <abbr title={wording}>{id}</abbr>
        </h3>
        <span className="push">
          <Status tone={tone}>{word}</Status>
        </span>
      </div>
      <p className="row target-figure">
        <strong className="number">{figureOf(target)}</strong>
        <span className="muted small">wanted: {wanted}</span>
      </p>
      <Interval target={target} />
      <p>{rule}</p>
      <p className="muted small">{message}</p>
      {state !== "met" && worst.length > 0 && (
        <details className="target-mend" open={state === "missed"}>
          <summary>{state === "missed" ? "Correct this first" : "What would decide it"}</summary>
          <Mend worst={worst.slice(0, MOST_NAMED)} />
        </details>
      )}
    </li>
  );
}

/** Of a count there is none: the place stays empty, so that the figures of a row are at one height. */
function Interval({ target: { id, value, lower, upper } }: { readonly target: ScoreTarget }) {
  const { wanted, unit, interval } = TARGET_TEXTS[id];
  if (unit === "count") return null;
  if (lower === null || upper === null || value === null)
    return <p className="target-interval muted small">Too little was counted for an interval.</p>;
  const text = unit === "change" ? `${percent(lower)} to ${percent(upper)}` : intervalText(lower, upper);
  return (
    <div className="target-interval">
      <RatioBand
        lower={lower}
        upper={upper}
        value={interval === undefined ? value : null}
        wanted={wanted}
        from={unit === "change" ? -1 : 0}
      />
      <span className="muted small number">
        {interval === undefined ? "between " : `${interval}: `}
        {text}
      </span>
    </div>
  );
}
