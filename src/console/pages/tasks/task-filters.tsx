// What the list of tasks is narrowed to. It is in the address, so that a filtered list is a link.
import type { TaskStatus } from "../../../domain/outcome.ts";
import { TASK_WORDS } from "../../parts/status.tsx";
import { useFilterKey } from "../../parts/use-filter-key.ts";
import { useTypedFilter } from "../../parts/use-typed-filter.ts";
import type { TaskSearch } from "./task-search.ts";

type Props = { readonly filter: TaskSearch; readonly onChange: (filter: TaskSearch) => void };

const STATUSES = Object.keys(TASK_WORDS) as TaskStatus[];

const LEAST = 2;

const LOOKED = { none: "never looked at from outside", true: "verified", false: "refuted" } as const;

export function TaskFilters({ filter, onChange }: Props) {
  const [typed, setTyped] = useTypedFilter(filter.q, (q) => onChange({ ...filter, q }), { least: LEAST });
  const field = useFilterKey();
  return (
    <search className="filters row">
      <label className="unseen" htmlFor="tasks-q">
        Id, intent or target
      </label>
      <input
        id="tasks-q"
        ref={field}
        className="input filter-text"
        type="search"
        placeholder="Id, intent or target  ( / )"
        value={typed}
        maxLength={256}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
      />
      <label className="unseen" htmlFor="tasks-status">
        Status
      </label>
      <select
        id="tasks-status"
        className="input filter-status"
        value={filter.status ?? ""}
        onChange={({ target }) => onChange({ ...filter, status: target.value === "" ? undefined : target.value })}
      >
        <option value="">Every status</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {TASK_WORDS[status]}
          </option>
        ))}
      </select>
      {Object.values(filter).some((value) => value !== undefined) && (
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            setTyped("");
            onChange({});
          }}
        >
          Show all
        </button>
      )}
      {filter.intent !== undefined && <span className="muted">intent {filter.intent}</span>}
      {filter.verified !== undefined && <span className="muted">{LOOKED[filter.verified]}</span>}
    </search>
  );
}
