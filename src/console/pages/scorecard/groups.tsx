// The groups, always apart [8.target.R4]: who knew what to do.
import { Link } from "@tanstack/react-router";
import { type MeasuresRow, MeasuresTable } from "./measures-table.tsx";
import { readScorecardFilter } from "./scorecard-search.ts";

export const GROUP_NAMES: Readonly<Record<string, string>> = {
  all: "All tasks",
  agent: "Agents",
  teach: "To be taught",
  known: "Known procedures",
  skill: "Skills",
  update: "New versions",
};

export const Groups = ({ rows }: { readonly rows: readonly MeasuresRow[] }) => (
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
