// For what it would run: the contract's values, where it runs, and the digest that the decision carries.
import { Link } from "@tanstack/react-router";
import type { ProcedureContent } from "../../../domain/approval.ts";
import type { TaskContract } from "../../../domain/contract.ts";
import { CopyButton } from "../../parts/buttons.tsx";
import { Code, InlineCode, Printable } from "../../parts/code.tsx";
import { count, shortDigest } from "../../parts/text.ts";
import { placeOf, type Shown } from "./meaning.ts";

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
          {contract !== undefined && <OfContract contract={contract} />}
          {"steps" in content && <OfProcedure content={content} />}
          {"calls" in content && (
            <>
              <dt>Reply</dt>
              <dd>number {content.turn} of the agent</dd>
            </>
          )}
          <dt>Runs on</dt>
          <dd>
            <Printable text={placeOf(contract?.execution_backend, content.runs_on)} />
          </dd>
          <dt>Digest</dt>
          <dd className="row">
            <code>{shortDigest(digest)}</code>
            <CopyButton text={digest} label="Copy" />
          </dd>
        </dl>
        {Object.keys(payload).length > 0 && <Code text={JSON.stringify(payload, null, 2)} label="Payload" />}
        {contract !== undefined && <AsData title="The whole contract" data={contract} />}
        {"details" in content && <AsData title="The same as data" data={content.data} />}
      </div>
    </section>
  );
}

function OfContract({ contract }: { readonly contract: TaskContract }) {
  const { requested_by, constraints, success_criteria } = contract;
  return (
    <>
      <dt>Requested by</dt>
      <dd>
        <InlineCode text={requested_by} />
      </dd>
      <dt>Scope given</dt>
      <dd className="row">
        {constraints.implicit_scope.length === 0
          ? "any program, no tool server"
          : constraints.implicit_scope.map((scope) => <InlineCode key={scope} text={scope} />)}
      </dd>
      {success_criteria.length > 0 && (
        <>
          <dt>Done when</dt>
          <dd>
            {success_criteria.map((criterion) => (
              <p key={criterion}>
                <Printable text={criterion} />
              </p>
            ))}
          </dd>
        </>
      )}
      <dt>Asks first for</dt>
      <dd>
        <Printable text={constraints.require_approval_for.join(", ") || "nothing more than policy does"} />
      </dd>
      <dt>Time limit</dt>
      <dd>{count(constraints.max_minutes, "minute")} for each command and tool call</dd>
    </>
  );
}

function OfProcedure({ content: { safety_level, replaces, on_trial } }: { readonly content: ProcedureContent }) {
  return (
    <>
      <dt>Safety</dt>
      <dd>{safety_level === "approval_required" ? "every run asks for an approval" : "standard"}</dd>
      {replaces !== undefined && (
        <>
          <dt>In place of</dt>
          <dd>{replaces === null ? "no version: none is in use" : `version ${replaces}, which is in use`}</dd>
        </>
      )}
      {on_trial === true && (
        <>
          <dt>On trial</dt>
          <dd>no run has proved the version on this target yet</dd>
        </>
      )}
    </>
  );
}

const AsData = ({ title, data }: { readonly title: string; readonly data: object }) => (
  <details className="small muted">
    <summary>{title}</summary>
    <Code whole text={JSON.stringify(data, null, 2)} label={title} />
  </details>
);
