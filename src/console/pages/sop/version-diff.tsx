// Shows the difference between this version and another of its key, as the files that export them.
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useId } from "react";
import { useOperation } from "../../live/use-operation.ts";
import { Empty, Loaded, Reading } from "../../parts/loaded.tsx";
import type { ShownSop } from "./sop-actions.tsx";

const route = getRouteApi("/inside/sops/$sop_id");
const DiffView = lazy(() => import("../../editor/diff-view.tsx").then(({ DiffView: view }) => ({ default: view })));

export function Compare({ shown: { sop, versions } }: { readonly shown: ShownSop }) {
  const { to } = route.useSearch();
  const navigate = route.useNavigate();
  const id = useId();
  const others = versions.filter(({ sop_id }) => sop_id !== sop.sop_id);
  // The one in use matters most; for the one in use, the one before it.
  const usual = others.find(({ status }) => status === "active") ?? others.find(({ version }) => version < sop.version);
  const other = others.find(({ sop_id }) => sop_id === to) ?? usual ?? others[0];
  if (other === undefined) {
    return (
      <Empty icon="sops" title="There is one version only">
        <p>Once its steps are taught anew, the versions can be compared here.</p>
      </Empty>
    );
  }
  // Older to newer, whichever is open.
  const pair = [other, sop].toSorted((one, two) => one.version - two.version);
  return (
    <div className="stack">
      <div className="row">
        <label htmlFor={id}>Compare with</label>
        <select
          id={id}
          className="input merge-choice"
          value={other.sop_id}
          onChange={({ target }) => void navigate({ search: (old) => ({ ...old, to: target.value }), replace: true })}
        >
          {others.map(({ sop_id, version, status }) => (
            <option key={sop_id} value={sop_id}>
              Version {version}
              {status === "active" ? ", in use" : ""}
            </option>
          ))}
        </select>
      </div>
      <Difference from={pair[0] ?? sop} to={pair[1] ?? sop} />
    </div>
  );
}

type Side = { readonly sop_id: string; readonly version: number };

function Difference({ from, to }: { readonly from: Side; readonly to: Side }) {
  const before = useOperation("export_sop", { sop_id: from.sop_id });
  const after = useOperation("export_sop", { sop_id: to.sop_id });
  return (
    <Loaded query={before}>
      {(old) => (
        <Loaded query={after}>
          {(now) =>
            old.file === now.file ? (
              <Empty icon="check" title={`Versions ${from.version} and ${to.version} define the same`} />
            ) : (
              <Suspense fallback={<Reading />}>
                <DiffView
                  before={old.file}
                  after={now.file}
                  names={[`Version ${from.version}`, `Version ${to.version}`]}
                />
              </Suspense>
            )
          }
        </Loaded>
      )}
    </Loaded>
  );
}
