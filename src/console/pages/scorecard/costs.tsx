// What costs most: procedures, targets or intents, those with false successes first, then those that nobody looked at.
import { Link, useNavigate } from "@tanstack/react-router";
import { useOperation } from "../../live/use-operation.ts";
import { InlineCode } from "../../parts/code.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { count } from "../../parts/text.ts";
import { type MeasuresRow, MeasuresTable } from "./measures-table.tsx";
import { BYS, type By, type ScorecardFilter, scorecardInput } from "./scorecard-search.ts";

const TITLES: Readonly<Record<By, string>> = { sop: "Procedure", target: "Target", intent: "Intent" };

export function Costs({ filter }: { readonly filter: ScorecardFilter }) {
  const { by = "sop" } = filter;
  const navigate = useNavigate({ from: "/scorecard" });
  const showBy = (shown: By | undefined) =>
    void navigate({ to: ".", search: { ...filter, by: shown }, replace: true, resetScroll: false });
  const query = useOperation("get_scorecard", scorecardInput(filter, by));
  return (
    <section className="stack" aria-labelledby="costs">
      <div className="row">
        <h2 id="costs">What costs most</h2>
        <fieldset className="choice push" aria-label="Rows by">
          {BYS.map((one) => (
            <button
              key={one}
              type="button"
              className="choice-item"
              aria-pressed={one === by}
              onClick={() => showBy(one === "sop" ? undefined : one)}
            >
              {TITLES[one]}
            </button>
          ))}
        </fieldset>
      </div>
      <Loaded query={query}>
        {({ rows, left_out }) => (
          <>
            <MeasuresTable
              title={TITLES[by]}
              label="What costs most"
              rows={rows}
              nameOf={(row) => <Name by={by} row={row} />}
            />
            {left_out > 0 && <p className="muted">{count(left_out, "more row")} with less at stake.</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Name({ by, row: { of, sop_id } }: { readonly by: By; readonly row: MeasuresRow }) {
  const text = <InlineCode text={of} />;
  if (by === "sop") {
    if (sop_id === null) return <span className="muted">Without a stored procedure</span>;
    return (
      <Link to="/sops/$sop_id" params={{ sop_id }}>
        {text}
      </Link>
    );
  }
  return (
    <Link to="/tasks" search={by === "intent" ? { intent: of } : { q: of }}>
      {text}
    </Link>
  );
}
