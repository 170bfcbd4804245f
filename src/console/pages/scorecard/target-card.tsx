// A target: whether it is met, by how much, how sure that is, and what to do where it is not.
import { Status, type Tone } from "../../parts/status.tsx";
import { Mend } from "./mend.tsx";
import { RatioBand } from "./ratio-band.tsx";
import { changeText, figureOf, intervalText, type ScoreTarget, TARGET_TEXTS } from "./target-text.ts";

const STATES: Readonly<Record<ScoreTarget["state"], readonly [word: string, tone: Tone]>> = {
  met: ["Met", "ok"],
  missed: ["Missed", "bad"],
  unproven: ["Unproven", "idle"],
};

export function TargetCard({ target }: { readonly target: ScoreTarget }) {
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
const Folded = ({ title, worst }: { readonly title: string; readonly worst: ScoreTarget["worst"] }) => (
  <div className="target-folded">
    {worst.length > 0 && (
      <details>
        <summary>{title}</summary>
        <Mend worst={worst} />
      </details>
    )}
  </div>
);

/** A count has none, nor has a target that is met because nothing happened. */
function Interval({ target: { id, state, value, lower, upper } }: { readonly target: ScoreTarget }) {
  const { wanted, unit, interval } = TARGET_TEXTS[id];
  if (unit === "count" || (value === null && state === "met")) return null;
  if (lower === null || upper === null || value === null)
    return <p className="target-interval muted small">Too little was counted for an interval.</p>;
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
        likely {unit === "change" ? changeText(lower, upper) : intervalText(lower, upper)}
        {interval !== undefined && ` ${interval}`}
      </span>
    </div>
  );
}
