// For what it would run: the contract's values, where it runs, and the digest that the decision carries.
import { Link } from "@tanstack/react-router";
import { Code, InlineCode } from "../../parts/code.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { shortDigest } from "../../parts/text.ts";
import type { Shown } from "./shown.ts";

export function Circumstances({ shown: { approval, task } }: { readonly shown: Shown }) {
  const { content, digest } = approval;
  const contract = "contract" in content ? content.contract : undefined;
  const payload = contract === undefined ? {} : contract.payload;
  return (
    <section className="card">
      <div className="card-head">
        <h2>Circumstances</h2>
      </div>
      <div className="card-body stack">
        <dl className="facts">
          {task !== null && (
            <>
              <dt>Task</dt>
              <dd>
                <Link to="/tasks/$task_id" params={{ task_id: task.task_id }}>
                  {task.task_id}
                </Link>
              </dd>
            </>
          )}
          {contract !== undefined && (
            <>
              <dt>Requested by</dt>
              <dd>
                <InlineCode text={contract.requested_by} />
              </dd>
              <dt>Scope given</dt>
              <dd className="row">
                {contract.constraints.implicit_scope.length === 0
                  ? "any program, no tool server"
                  : contract.constraints.implicit_scope.map((scope) => <InlineCode key={scope} text={scope} />)}
              </dd>
            </>
          )}
          <dt>Runs on</dt>
          <dd>{content.runs_on?.join(", ") ?? "any server"}</dd>
          <dt>Digest</dt>
          <dd className="row">
            <code>{shortDigest(digest)}</code>
            <CopyButton text={digest} label="Copy" />
          </dd>
        </dl>
        {Object.keys(payload).length > 0 && <Code text={JSON.stringify(payload, null, 2)} label="Payload" />}
      </div>
    </section>
  );
}
