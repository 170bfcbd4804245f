// One version of a procedure: its steps with what they prove, the other versions of its key, and the tasks that ran it.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useOperation } from "../../live/use-operation.ts";
import { InlineCode } from "../../parts/code.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { SopStatus } from "../../parts/sop-marks.tsx";
import { useListKeys } from "../../parts/use-list-keys.ts";
import { useTitle } from "../../parts/use-title.ts";
import { SOP_TABS, type SopTab } from "../sops/sop-search.ts";
import { Compare } from "./compare.tsx";
import type { ShownSop } from "./shown-sop.ts";
import { SopActions } from "./sop-actions.tsx";
import { SopAside } from "./sop-aside.tsx";
import { SopRuns } from "./sop-runs.tsx";
import { SopSteps } from "./sop-steps.tsx";
import { useLook } from "./use-look.ts";

const route = getRouteApi("/inside/sops/$sop_id");

export function SopPage() {
  const { sop_id } = route.useParams();
  useTitle("Procedure");
  const found = useOperation("get_sop", { sop_id });
  return <Loaded query={found}>{(data) => <Version key={data.sop.sop_id} shown={data} />}</Loaded>;
}

const WORDS: Readonly<Record<SopTab, string>> = { steps: "Steps", compare: "Compare", runs: "Runs" };

function Version({ shown }: { readonly shown: ShownSop }) {
  const { sop } = shown;
  const { tab = "steps" } = route.useSearch();
  const look = useLook(sop.sop_id);
  const rows = useListKeys<HTMLDivElement>();
  return (
    <>
      <nav className="small" aria-label="Where">
        <Link to="/sops">Procedures</Link>
      </nav>
      <header className="page-head">
        <h1>
          {sop.intent} <span className="muted">version {sop.version}</span>
        </h1>
        <InlineCode text={sop.target_signature === "" ? "no target" : sop.target_signature} />
        <SopStatus sop={sop} />
        <SopActions shown={shown} look={look} />
      </header>
      <div className="sop-columns" ref={rows}>
        <div className="stack">
          <nav className="tabs" aria-label="Parts of the procedure">
            {SOP_TABS.map((name) => (
              <Link
                key={name}
                to="/sops/$sop_id"
                params={{ sop_id: sop.sop_id }}
                search={(old) => ({ ...old, tab: name })}
                replace
                className="tab"
                data-state={name === tab ? "active" : "inactive"}
                aria-current={name === tab ? "page" : undefined}
              >
                {WORDS[name]}
              </Link>
            ))}
          </nav>
          {tab === "steps" && <SopSteps sop={sop} look={look} />}
          {tab === "compare" && <Compare shown={shown} />}
          {tab === "runs" && <SopRuns sop_id={sop.sop_id} />}
        </div>
        <SopAside shown={shown} />
      </div>
    </>
  );
}
