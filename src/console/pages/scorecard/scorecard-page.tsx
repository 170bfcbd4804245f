// The scorecard: whether the service keeps its targets, how sure that is, and what to correct first.
import { useSearch } from "@tanstack/react-router";
import { useOperation } from "../../live/use-operation.ts";
import { InlineCode } from "../../parts/code.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { count } from "../../parts/text.ts";
import { useListKeys } from "../../parts/use-list-keys.ts";
import { useTitle } from "../../parts/use-title.ts";
import type { OperationAnswer } from "../../typed-operations.ts";
import { Costs } from "./costs.tsx";
import { Groups } from "./groups.tsx";
import { ScorecardFilters } from "./scorecard-filters.tsx";
import { type ScorecardFilter, scorecardInput } from "./scorecard-search.ts";
import { TargetCard } from "./target-card.tsx";
import { ToWorkOff } from "./to-work-off.tsx";
import { Trend } from "./trend.tsx";

type Scorecard = OperationAnswer<"get_scorecard">;

export function ScorecardPage() {
  useTitle("Scorecard");
  const filter = useSearch({ from: "/inside/scorecard" });
  const query = useOperation("get_scorecard", scorecardInput(filter, "week"));
  return (
    <>
      <header className="page-head">
        <h1>Scorecard</h1>
        <ScorecardFilters filter={filter} />
      </header>
      <Loaded query={query}>{(data) => <Judged data={data} filter={filter} />}</Loaded>
    </>
  );
}

function Judged({ data, filter }: { readonly data: Scorecard; readonly filter: ScorecardFilter }) {
  const rows_in_view = useListKeys<HTMLDivElement>();
  const { targets, groups, rows, weeks, anchor, behind } = data;
  if ((groups[0]?.tasks ?? 0) === 0)
    return <NothingCounted weeks={weeks.length} is_group={filter.group !== undefined} />;
  return (
    <div className="stack scorecard" ref={rows_in_view}>
      <p className="scorecard-sum">{sumOf(targets)}</p>
      <ul className="targets" aria-label="Targets">
        {targets.filter(({ id }) => id.startsWith("T")).map(asCard)}
      </ul>
      <section className="stack" aria-labelledby="trend">
        <h2 id="trend">Week by week</h2>
        <Trend rows={rows} />
      </section>
      <section className="stack" aria-labelledby="groups">
        <h2 id="groups">Groups, always apart</h2>
        <Groups rows={groups} />
      </section>
      <Costs filter={filter} />
      <ToWorkOff {...data} />
      <section className="stack" aria-labelledby="rules">
        <h2 id="rules">How it is judged</h2>
        <ul className="targets" aria-label="Rules">
          {targets.filter(({ id }) => id.startsWith("R")).map(asCard)}
        </ul>
      </section>
      <Anchor anchor={anchor} />
      {behind > 0 && <p className="muted">{count(behind, "event")} not counted yet; they come in by themselves.</p>}
    </div>
  );
}

/** The line of a file of roots, so that a copy or a print of the page is a root that has left the machine. */
const Anchor = ({ anchor }: Pick<Scorecard, "anchor">) =>
  anchor !== null && (
    <p className="muted anchor">
      {count(anchor.threads, "journal")} anchored. Kept elsewhere, this root proves what they were that day:{" "}
      <InlineCode text={`${anchor.day} ${anchor.root}`} />
    </p>
  );

const asCard = (target: Scorecard["targets"][number]) => <TargetCard key={target.id} target={target} />;

/** Of T1 to T6: the rest is how they are judged. */
function sumOf(targets: Scorecard["targets"]): string {
  const of = (state: string) => targets.filter((one) => one.id.startsWith("T") && one.state === state).length;
  const [missed, unproven] = [of("missed"), of("unproven")];
  const open =
    unproven > 0 ? ` ${count(unproven, "target")} unproven: too little was looked at or counted to say.` : "";
  if (missed > 0)
    return `${count(missed, "target")} missed. Correct the procedures named below before you change a model.${open}`;
  return unproven === 0 ? "All targets are met." : `No target is missed.${open}`;
}

const NothingCounted = ({ weeks, is_group }: { readonly weeks: number; readonly is_group: boolean }) => (
  <Empty
    icon="scorecard"
    title={is_group ? "No task of this group has ended in these weeks" : `No task has ended in ${count(weeks, "week")}`}
  >
    <p>
      A task is counted a second after its end, with whether a look from outside agreed. <code>orch submit</code> runs
      one; <code>orch verify</code> records what you saw. Choose more weeks{is_group ? " or all tasks" : ""} to look
      further back.
    </p>
  </Empty>
);
