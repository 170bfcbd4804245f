// What is new in it since the version that was approved last.
import { Link } from "@tanstack/react-router";
import type { Shown } from "./shown.ts";
import { StepDifference } from "./step-difference.tsx";

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
      <StepDifference diff={diff} />
    </>
  );
}
