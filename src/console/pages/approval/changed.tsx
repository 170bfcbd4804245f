// What is new in it since the version that was approved last.
import { Link } from "@tanstack/react-router";
import { Code } from "../../parts/code.tsx";
import type { Shown } from "./shown.ts";

export function Changed({ shown: { approval, compared_with } }: { readonly shown: Shown }) {
  if (!("steps" in approval.content)) return null;
  return (
    <section className="card">
      <div className="card-head">
        <h2>What is new</h2>
      </div>
      <div className="card-body stack">
        {compared_with === null ? (
          <p>No version of this procedure has been approved before: all of it is new.</p>
        ) : (
          <Difference {...compared_with} />
        )}
      </div>
    </section>
  );
}

function Difference({ sop_id, version, status, same, diff }: NonNullable<Shown["compared_with"]>) {
  const earlier = (
    <Link to="/sops/$sop_id" params={{ sop_id }}>
      version {version}
    </Link>
  );
  if (same) return <p>Nothing: the steps are those of {earlier}, which is approved.</p>;
  return (
    <>
      <p>
        Compared with {earlier} ({status}):
      </p>
      <ul className="stack">
        {diff.map(({ is, step_index, step }) => (
          <li key={`${is} ${step_index} ${step}`} className={`diff ${is}`}>
            <span className="small">
              {is === "added" ? "Added" : "Removed"} as step {step_index}
            </span>
            <Code whole text={step} />
          </li>
        ))}
      </ul>
    </>
  );
}
