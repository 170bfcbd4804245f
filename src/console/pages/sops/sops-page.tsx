// The procedures: what orch knows how to do, on which targets, and how well each has done.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAllSops } from "../../live/use-all-sops.ts";
import { useApprovalOf } from "../../live/use-approval-of.ts";
import { useOperation } from "../../live/use-operation.ts";
import { Empty } from "../../parts/empty.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Notice } from "../../parts/notice.tsx";
import { useListKeys } from "../../parts/use-list-keys.ts";
import { useTitle } from "../../parts/use-title.ts";
import { Unreadable } from "../inbox/unreadable.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { SopFilters } from "./sop-filters.tsx";
import { filteredKeys, type SopKey, sopKeys } from "./sop-keys.ts";
import { SopRow } from "./sop-row.tsx";

const route = getRouteApi("/inside/sops");
const WEEKS = 8;

export function SopsPage() {
  useTitle("Procedures");
  const sops = useAllSops();
  const [importing, setImporting] = useState(false);
  return (
    <>
      <header className="page-head">
        <h1>Procedures</h1>
        <div className="actions">
          <button type="button" className="button" onClick={() => setImporting(true)}>
            <Icon name="file" /> Import
          </button>
          <Link to="/teach" className="button">
            <Icon name="teach" /> Teach
          </Link>
        </div>
      </header>
      <Loaded query={sops}>
        {({ sops: all, quarantined, more }) => (
          <div className="stack">
            {all.length === 0 ? <NoneYet /> : <Keys keys={sopKeys(all)} />}
            {more && (
              <Notice tone="ask">
                <p>
                  More than 10,000 versions are stored. The oldest are left out here; <code>orch sops</code> lists them.
                </p>
              </Notice>
            )}
            <Unreadable records={quarantined} />
          </div>
        )}
      </Loaded>
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  );
}

function Keys({ keys }: { readonly keys: readonly SopKey[] }) {
  const wanted = route.useSearch();
  const score = useOperation("get_scorecard", { by: "sop", weeks: WEEKS });
  const approvalOf = useApprovalOf();
  const list = useListKeys();
  const shown = filteredKeys(keys, wanted);
  const weeks = new Map(score.data?.rows.map(({ sop_id, by_week }) => [sop_id, by_week]));
  return (
    <>
      <SopFilters keys={keys} />
      {shown.length === 0 && (
        <Empty icon="search" title="No procedure is like this">
          <p>
            <Link to="/sops" search={{}}>
              Show all {keys.length}
            </Link>
          </p>
        </Empty>
      )}
      {shown.length > 0 && (
        <ul className="list" ref={list} aria-label="Procedures">
          {shown.map((one) => (
            <SopRow key={one.key} of={one} weeks={weeks.get(one.shown.sop_id)} approvalOf={approvalOf} />
          ))}
        </ul>
      )}
    </>
  );
}

const NoneYet = () => (
  <Empty icon="sops" title="No procedure yet">
    <p>
      A procedure is a list of steps that orch runs for one intent on one target, with a check for each success
      criterion. <Link to="/teach">Teach the first one</Link>, or import a file.
    </p>
    <p>
      A supervisor may also submit a task that orch does not know. It then waits in the <Link to="/">inbox</Link> to be
      taught, and after its first success asks to keep the steps.
    </p>
  </Empty>
);
