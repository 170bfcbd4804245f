// Shows the scorecard: whether the service keeps its targets, how sure that is, the groups apart, and what costs most, to
// be corrected first.
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useOperation } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { InlineCode } from "../../parts/code.tsx";
import { useTitle } from "../../parts/hooks.ts";
import { Empty, Loaded } from "../../parts/loaded.tsx";
import { count } from "../../parts/text.ts";
import { useFilterKey, useListKeys } from "../../parts/use-keys.ts";
import {
  BYS,
  type By,
  GROUPS,
  readScorecardFilter,
  type ScorecardFilter,
  scorecardInput,
  WEEKS,
} from "../../search.ts";
import { type MeasuresRow, MeasuresTable } from "./measures-table.tsx";
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
        {targets.map((target) => (
          <TargetCard key={target.id} target={target} />
        ))}
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

function sumOf(targets: Scorecard["targets"]): string {
  const of = (state: string) => targets.filter((one) => one.state === state).length;
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

// How many weeks are shown, and of which group.

function ScorecardFilters({ filter }: { readonly filter: ScorecardFilter }) {
  const first = useFilterKey<HTMLSelectElement>();
  const navigate = useNavigate({ from: "/scorecard" });
  const show = (changed: Record<string, unknown>) =>
    void navigate({
      to: ".",
      search: readScorecardFilter({ ...filter, ...changed }),
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="actions">
      <label className="row">
        <span className="muted">Weeks</span>
        <select
          ref={first}
          className="input select"
          value={filter.weeks ?? 8}
          onChange={({ target }) => show({ weeks: Number(target.value) })}
        >
          {WEEKS.map((weeks) => (
            <option key={weeks} value={weeks}>
              {weeks}
            </option>
          ))}
        </select>
      </label>
      <label className="row">
        <span className="muted">Group</span>
        <select
          className="input select"
          value={filter.group ?? ""}
          onChange={({ target }) => show({ group: target.value })}
        >
          <option value="">{GROUP_NAMES["all"]}</option>
          {GROUPS.map((group) => (
            <option key={group} value={group}>
              {GROUP_NAMES[group]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

// The groups, always apart [8.target.R4]: who knew what to do.

const GROUP_NAMES: Readonly<Record<string, string>> = {
  all: "All tasks",
  agent: "Agents",
  teach: "To be taught",
  known: "Known procedures",
  skill: "Skills",
  update: "New versions",
};

const Groups = ({ rows }: { readonly rows: readonly MeasuresRow[] }) => (
  <MeasuresTable
    title="Group"
    label="Groups"
    without={["Half took"]}
    rows={rows.filter(({ of, tasks }) => of === "all" || tasks > 0)}
    nameOf={({ of }) =>
      of === "all" ? (
        GROUP_NAMES["all"]
      ) : (
        <Link from="/scorecard" to="." search={(before) => readScorecardFilter({ ...before, group: of })}>
          {GROUP_NAMES[of] ?? of}
        </Link>
      )
    }
  />
);

// What costs most: procedures, targets or intents, those with false successes first, then those that were never looked at.

const TITLES: Readonly<Record<By, string>> = { sop: "Procedure", target: "Target", intent: "Intent" };

function Costs({ filter }: { readonly filter: ScorecardFilter }) {
  const { by = "sop" } = filter;
  const navigate = useNavigate({ from: "/scorecard" });
  const showBy = (shown: By | undefined) =>
    void navigate({ to: ".", search: { ...filter, by: shown }, replace: true, resetScroll: false });
  const query = useOperation("get_scorecard", scorecardInput(filter, by));
  return (
    <section className="stack" aria-labelledby="costs">
      <div className="row">
        <h2 id="costs">What costs most</h2>
        <fieldset className="choice" aria-label="Rows by">
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
