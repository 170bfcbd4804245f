// For what it would run: the contract's values, where it runs, and the digest that the decision carries.
import { Link } from "@tanstack/react-router";
import type { ProcedureContent } from "../../../domain/approval.ts";
import type { TaskContract } from "../../../domain/contract.ts";
import { CopyButton } from "../../parts/buttons.tsx";
import { Code, Fact, InlineCode, Printable } from "../../parts/code.tsx";
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
            <Fact name="Task">
              <Link to="/tasks/$task_id" params={{ task_id: task.task_id }}>
                {task.task_id}
              </Link>
            </Fact>
          )}
          {contract !== undefined && <OfContract contract={contract} />}
          {"steps" in content && <OfProcedure content={content} />}
          {"calls" in content && <Fact name="Reply">number {content.turn} of the agent</Fact>}
          <Fact name="Runs on">
            <Printable text={placeOf(contract?.execution_backend, content.runs_on)} />
          </Fact>
          <Fact name="Digest" className="row">
            <code>{shortDigest(digest)}</code>
            <CopyButton text={digest} label="Copy" />
          </Fact>
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
      <Fact name="Requested by">
        <InlineCode text={requested_by} />
      </Fact>
      <Fact name="Scope given" className="row">
        {constraints.implicit_scope.length === 0
          ? "any program, no tool server"
          : constraints.implicit_scope.map((scope) => <InlineCode key={scope} text={scope} />)}
      </Fact>
      {success_criteria.length > 0 && (
        <Fact name="Done when">
          {success_criteria.map((criterion) => (
            <p key={criterion}>
              <Printable text={criterion} />
            </p>
          ))}
        </Fact>
      )}
      <Fact name="Asks first for">
        <Printable text={constraints.require_approval_for.join(", ") || "nothing more than policy does"} />
      </Fact>
      <Fact name="Time limit">{count(constraints.max_minutes, "minute")} for each command and tool call</Fact>
    </>
  );
}

function OfProcedure({ content: { safety_level, replaces, on_trial } }: { readonly content: ProcedureContent }) {
  return (
    <>
      <Fact name="Safety">{safety_level === "approval_required" ? "every run asks for an approval" : "standard"}</Fact>
      {replaces !== undefined && (
        <Fact name="In place of">
          {replaces === null ? "no version: none is in use" : `version ${replaces}, which is in use`}
        </Fact>
      )}
      {on_trial === true && <Fact name="On trial">no run has proved the version on this target yet</Fact>}
    </>
  );
}

const AsData = ({ title, data }: { readonly title: string; readonly data: object }) => (
  <details className="small muted">
    <summary>{title}</summary>
    <Code whole text={JSON.stringify(data, null, 2)} label={title} />
  </details>
);
