// What is new in it since the version that was approved last.
import { Link } from "@tanstack/react-router";
import { Code } from "../../parts/code.tsx";
import type { Shown } from "./shown.ts";
import { StepDifference } from "./step-difference.tsx";

export function Changed({ shown: { approval, compared_with } }: { readonly shown: Shown }) {
  if (!("steps" in approval.content)) return null;
  const is_itself = approval.kind !== "plan" && compared_with?.sop_id === approval.content.sop_id;
  return (
    <section className="card">
      <div className="card-head">
        <h2>What is new</h2>
      </div>
      <div className="card-body stack">
        {compared_with === null ? (
          <p>No version of this procedure has been approved before: all of it is new.</p>
        ) : (
          <Difference is_itself={is_itself} compared={compared_with} />
        )}
      </div>
    </section>
  );
}

type Compared = NonNullable<Shown["compared_with"]>;

function Difference({ is_itself, compared }: { readonly is_itself: boolean; readonly compared: Compared }) {
  const { sop_id, version, status, same, diff, terms } = compared;
  const earlier = (
    <>
      <Link to="/sops/$sop_id" params={{ sop_id }}>
        version {version}
      </Link>{" "}
      {is_itself ? "as it was in use" : `(${STATUSES[status]})`}
    </>
  );
  if (same) return <p>Nothing: its steps, criteria, preconditions and safety level are those of {earlier}.</p>;
  return (
    <>
      <p>Compared with {earlier}:</p>
      {diff.length === 0 ? <p>The steps are the same.</p> : <StepDifference diff={diff} />}
      <ul className="stack">
        {terms.map(({ is, of, text }) => (
          <li key={`${is} ${of} ${text}`} className={`diff ${is}`}>
            <span className="small">
              {is === "added" ? "Added" : "Removed"} {TERMS[of]}
            </span>
            <Code whole text={text} />
          </li>
        ))}
      </ul>
    </>
  );
}

const TERMS: Readonly<Record<Compared["terms"][number]["of"], string>> = {
  criteria: "what a check proves",
  safety_level: "as the safety level",
  preconditions: "as a precondition",
};

const STATUSES: Readonly<Record<Compared["status"], string>> = {
  active: "in use",
  deprecated: "not in use any more",
  candidate: "not in use any more",
};
