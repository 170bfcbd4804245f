// How many weeks are shown, and of which group.
import { useNavigate } from "@tanstack/react-router";
import { useFilterKey } from "../../parts/use-filter-key.ts";
import { GROUP_NAMES } from "./groups.tsx";
import { GROUPS, readScorecardFilter, type ScorecardFilter, WEEKS } from "./scorecard-search.ts";

export function ScorecardFilters({ filter }: { readonly filter: ScorecardFilter }) {
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
