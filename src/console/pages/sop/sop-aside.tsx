// Beside a version: what is known of it, where it came from, and the other versions of its key.
import { Link } from "@tanstack/react-router";
import { InlineCode } from "../../parts/code.tsx";
import { Level, RecordMark, SopStatus } from "../../parts/sop-marks.tsx";
import { count, shortDigest } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { ROW } from "../../parts/use-list-keys.ts";
import type { ShownSop } from "./shown-sop.ts";

type Props = { readonly shown: ShownSop };

export const SopAside = ({ shown }: Props) => (
  <aside className="stack" aria-label="About this version">
    <Facts shown={shown} />
    <Versions shown={shown} />
  </aside>
);

function Facts({ shown: { sop, record } }: Props) {
  return (
    <section className="card card-body">
      <dl className="facts">
        <dt>Proof</dt>
        <dd className="row">
          <Level sop={sop} />
        </dd>
        <dt>Record</dt>
        <dd>
          <RecordMark sop={{ ...sop, record }} />
        </dd>
        <dt>Last success</dt>
        <dd>{sop.last_success_at === null ? "never" : <Time at={sop.last_success_at} />}</dd>
        <dt>Safety</dt>
        <dd>{sop.safety_level === "approval_required" ? "Every run asks for an approval" : "Standard"}</dd>
        <dt>From</dt>
        <dd>
          <Origin text={sop.origin} />
        </dd>
        {sop.proved_on !== null && (
          <>
            <dt>Proved on</dt>
            <dd>
              <InlineCode text={sop.proved_on} />
            </dd>
          </>
        )}
        <dt>Stored</dt>
        <dd>
          <Time at={sop.created_at} />
        </dd>
        <dt>Digest</dt>
        <dd>
          <InlineCode text={shortDigest(sop.steps_digest)} />
        </dd>
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
      <Link to="/tasks/$task_id" params={{ task_id }}>
        <InlineCode text={task_id} />
      </Link>
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
