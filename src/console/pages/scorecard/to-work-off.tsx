// What of the scorecard can be worked off: what was never looked at, what had to be taught again, and what repeats itself.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { OperationAnswer } from "../../operations.ts";
import { InlineCode } from "../../parts/code.tsx";
import { count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { ROW } from "../../parts/use-keys.ts";
import { procedureIn } from "./target-card.tsx";

type Scorecard = OperationAnswer<"get_scorecard">;

export const ToWorkOff = ({ debt, repeated, same_steps, sops }: Scorecard) => (
  <div className="work-off">
    <Part
      wide
      title="Never looked at from outside"
      none="An external source has looked at everything that is done and changed something."
      hint="Done, and only orch says so. Look at the result where it is used, and record what you saw."
    >
      {debt.map(({ about, sop_id, unverified, oldest_week }) => (
        <li key={`${about} ${sop_id}`} className="work-off-row" {...ROW}>
          <span className="number work-off-count">{unverified}</span>
          <InlineCode text={about} />
          <span className="muted small">since {oldest_week}</span>
          <Tasks about={about} />
        </li>
      ))}
    </Part>
    <Part
      title="Taught again"
      none="Nothing was taught twice."
      hint="A teaching that was not kept: its version was rejected, or never decided about."
    >
      {repeated.map(({ about, taught, turned_down }) => (
        <li key={about} className="work-off-row" {...ROW}>
          <span className="number work-off-count">{taught}</span>
          <InlineCode text={about} />
          <span className="muted small">{turned_down > 0 ? `${turned_down} rejected` : "never promoted"}</span>
        </li>
      ))}
    </Part>
    <Part
      title="The same steps for several targets"
      none="No steps are kept for three targets or more."
      hint="One procedure whose steps name the attributes of the target would serve all of them."
    >
      {same_steps.map(({ intent, targets }) => (
        <li key={`${intent} ${targets[0]}`} className="work-off-row" {...ROW}>
          <span className="number work-off-count">{targets.length}</span>
          <InlineCode text={`${intent}: ${targets.slice(0, 4).join(", ")}${targets.length > 4 ? " …" : ""}`} />
          <Link to="/sops" search={{ q: intent }}>
            Compare
          </Link>
        </li>
      ))}
    </Part>
    <p className="muted work-off-foot">
      {count(sops.active, "procedure")} in use, {count(sops.candidates, "candidate")}
      {sops.oldest_candidate_at !== null && (
        <>
          , the oldest from <Time at={sops.oldest_candidate_at} />
        </>
      )}
      .
    </p>
  </div>
);

function Tasks({ about }: { readonly about: string }) {
  const found = procedureIn(about);
  if (found === null) return null;
  return (
    <Link to="/tasks" search={{ status: "ok", verified: "none", intent: found.intent, q: found.target }}>
      Look at them
    </Link>
  );
}

type PartProps = {
  readonly title: string;
  readonly hint: string;
  readonly none: string;
  readonly children: readonly ReactNode[];
  readonly wide?: boolean;
};

const Part = ({ title, hint, none, children, wide = false }: PartProps) => (
  <section className={wide ? "card wide" : "card"}>
    <div className="card-head">
      <h2>{title}</h2>
    </div>
    {children.length === 0 && <p className="card-body muted">{none}</p>}
    {children.length > 0 && (
      <>
        <p className="work-off-hint muted">{hint}</p>
        <ul className="work-off-list">{children}</ul>
      </>
    )}
  </section>
);
