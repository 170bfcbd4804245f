// Which procedures are listed: by text and by what is to be done with them. Both are in the address.
import { getRouteApi, Link } from "@tanstack/react-router";
import { Icon } from "../../parts/icon.tsx";
import { useFilterKey } from "../../parts/use-filter-key.ts";
import { useTypedFilter } from "../../parts/use-typed-filter.ts";
import { filteredKeys, type SopKey } from "./sop-keys.ts";
import { SOP_FILTERS, type SopFilter } from "./sop-search.ts";

const route = getRouteApi("/inside/sops");

const WORDS: Readonly<Record<SopFilter, string>> = {
  in_use: "In use",
  waiting: "Waiting",
  set_back: "Set back",
  unused: "Not in use",
};

export function SopFilters({ keys }: { readonly keys: readonly SopKey[] }) {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useTypedFilter(
    q,
    (wanted) => void navigate({ search: (old) => ({ ...old, q: wanted }), replace: true }),
  );
  const field = useFilterKey();
  const choices = [undefined, ...SOP_FILTERS] as const;
  return (
    <search className="sop-filters">
      <span className="sop-filter-text">
        <Icon name="search" />
        <input
          ref={field}
          className="input"
          type="search"
          aria-label="Filter by intent or target"
          placeholder="Filter by intent or target"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <kbd>/</kbd>
      </span>
      <nav className="sop-choices" aria-label="By status">
        {choices.map((choice) => (
          <Link
            key={choice ?? "all"}
            to="/sops"
            search={(old) => ({ ...old, status: choice })}
            replace
            className="sop-choice"
            // The router marks the one whose search is that of the address, and says so to screen readers.
            activeOptions={{ exact: true }}
          >
            {choice === undefined ? "All" : WORDS[choice]}{" "}
            <span className="number">{filteredKeys(keys, { q, status: choice }).length}</span>
          </Link>
        ))}
      </nav>
    </search>
  );
}
