// Shows one version of a procedure: its steps with what they prove, beside it the other versions of its key, and the tasks
// that ran it.
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useId } from "react";
import { useOperation } from "../../live/use-operation.ts";
import { Fact, InlineCode, TaskLink } from "../../parts/code.tsx";
import { useTitle } from "../../parts/hooks.ts";
import { Empty, Loaded, Reading } from "../../parts/loaded.tsx";
import { Level, RecordMark, SopStatus } from "../../parts/marks.tsx";
import { Tag, TaskStatusMark } from "../../parts/status.tsx";
import { count, shortDigest } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { ROW, useListKeys } from "../../parts/use-keys.ts";
import { SOP_TABS, type SopTab } from "../../search.ts";
import { type ShownSop, SopActions } from "./sop-actions.tsx";
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

// The tasks that ran this version, newest first.

function SopRuns({ sop_id }: { readonly sop_id: string }) {
  const tasks = useOperation("list_tasks", { sop_id, limit: 100 });
  return (
    <Loaded query={tasks}>
      {({ tasks: ran, next_after }) =>
        ran.length === 0 ? (
          <Empty icon="tasks" title="No task has run this version">
            <p>A task with this intent and target runs the version that is in use.</p>
          </Empty>
        ) : (
          <div className="stack">
            <ul className="list" aria-label="Tasks that ran this version">
              {ran.map(({ task_id, status, outcome, verification, created_at }) => (
                <li key={task_id}>
                  <Link to="/tasks/$task_id" params={{ task_id }} className="list-row sop-run">
                    <TaskStatusMark status={status} />
                    <InlineCode text={task_id} />
                    <span className="muted sop-run-text">{outcome?.message}</span>
                    <span className="row push">
                      {verification !== null && (
                        <Tag tone={verification.verified ? "ok" : "bad"}>
                          {verification.verified ? "Verified" : "Found wrong"}
                        </Tag>
                      )}
                      <span className="muted small">
                        <Time at={created_at} />
                      </span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
            {next_after !== null && <p className="muted">Earlier runs are left out; the list of tasks has them.</p>}
          </div>
        )
      }
    </Loaded>
  );
}

// Beside a version: what is known of it, where it came from, and the other versions of its key.

type Props = { readonly shown: ShownSop };

const SopAside = ({ shown }: Props) => (
  <aside className="stack" aria-label="About this version">
    <Facts shown={shown} />
    <Versions shown={shown} />
  </aside>
);

function Facts({ shown: { sop, record } }: Props) {
  return (
    <section className="card card-body">
      <dl className="facts">
        <Fact name="Proof" className="row">
          <Level sop={sop} />
        </Fact>
        <Fact name="Record">
          <RecordMark sop={{ ...sop, record }} />
        </Fact>
        <Fact name="Last success">{sop.last_success_at === null ? "never" : <Time at={sop.last_success_at} />}</Fact>
        <Fact name="Safety">
          {sop.safety_level === "approval_required" ? "Every run asks for an approval" : "Standard"}
        </Fact>
        <Fact name="From">
          <Origin text={sop.origin} />
        </Fact>
        {sop.proved_on !== null && (
          <Fact name="Proved on">
            <InlineCode text={sop.proved_on} />
          </Fact>
        )}
        <Fact name="Stored">
          <Time at={sop.created_at} />
        </Fact>
        <Fact name="Digest">
          <InlineCode text={shortDigest(sop.steps_digest)} />
        </Fact>
      </dl>
    </section>
  );
}

const OF_SOP: Readonly<Record<string, string>> = {
  copy_sop: "A copy of another procedure",
  rollback_sop: "The steps of an earlier version",
};

/** The task that proved it, or the operation that stored it and what that was given. */
function Origin({ text }: { readonly text: string }) {
  const [first = "", second] = text.split(" ");
  if (text === "teach") return "Taught or imported";
  const what = OF_SOP[first];
  if (what !== undefined && second !== undefined) {
    return (
      <Link to="/sops/$sop_id" params={{ sop_id: second }}>
        {what}
      </Link>
    );
  }
  const task_id = second ?? first;
  return (
    <>
      {second === undefined ? "Task " : "Replacement by "}
      <TaskLink task_id={task_id} />
    </>
  );
}

function Versions({ shown: { sop, versions } }: Props) {
  return (
    <section className="card">
      <div className="card-head">
        <h2>{count(versions.length, "version")}</h2>
      </div>
      <ul className="sop-versions">
        {versions.map(({ sop_id, version, status, created_at }) => (
          <li key={sop_id} className="sop-version" {...ROW} data-current={sop_id === sop.sop_id}>
            <Link to="/sops/$sop_id" params={{ sop_id }} aria-current={sop_id === sop.sop_id ? "page" : undefined}>
              Version {version}
            </Link>
            <SopStatus sop={{ status, promotion_round: sop_id === sop.sop_id ? sop.promotion_round : 1 }} />
            <span className="muted small">
              <Time at={created_at} />
            </span>
            {sop_id !== sop.sop_id && (
              <Link
                to="/sops/$sop_id"
                params={{ sop_id: sop.sop_id }}
                search={{ tab: "compare", to: sop_id }}
                className="small"
              >
                Compare<span className="unseen"> with version {version}</span>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

// Shows the difference between this version and another of its key, as the files that export them.

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
