// What the end of a task is worth: its checks, what an outside check said, and the evidence to keep.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import { call, type OperationAnswer } from "../../operations.ts";
import { DownloadButton } from "../../parts/buttons.tsx";
import { Code, Fact, InlineCode } from "../../parts/code.tsx";
import { ActionDialog } from "../../parts/dialog.tsx";
import { TextArea, TextField } from "../../parts/field.tsx";
import { Status } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { ROW } from "../../parts/use-keys.ts";
import { worthOf } from "../../parts/words.ts";

type Props = { readonly task: OperationAnswer<"get_task"> };

export function RecordedEnd({ task }: Props) {
  const { task_id, ended_at, checks, result } = task;
  const evidence = async () => JSON.stringify(await call("get_evidence", { task_id }), null, 2);
  return (
    <div className="stack">
      {checks.length > 0 && <Checks checks={checks} />}
      {result !== null && (
        <section className="stack" aria-label="Result">
          <h2>Result</h2>
          <Code text={JSON.stringify(result, null, 2)} />
        </section>
      )}
      {ended_at !== null && <OutsideCheck task={task} />}
      <div className="row">
        <DownloadButton text={evidence} file={`${task_id}.evidence.json`} label="Download the evidence" />
      </div>
    </div>
  );
}

function Checks({ checks }: { readonly checks: OperationAnswer<"get_task">["checks"] }) {
  return (
    <section className="stack" aria-label="Checks">
      <h2>What was verified</h2>
      <ul className="list">
        {checks.map(({ step_index, criterion, passed, proof, reason }) => (
          <li key={step_index} className="check-row" {...ROW}>
            <Status tone={passed ? "ok" : "bad"}>{passed ? "Passed" : "Not passed"}</Status>
            <span className="check-criterion">
              {criterion === null ? "A check without a criterion" : <InlineCode text={criterion} />}
            </span>
            <a href={`#s${step_index}`}>step {step_index}</a>
            {passed && <span className="muted small">{worthOf(proof).word}</span>}
            {reason != null && <span className="muted small">{reason}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function OutsideCheck({ task }: Props) {
  const { verification, verify, task_id, status } = task;
  return (
    <section className="stack" aria-label="Outside check">
      <h2>Outside check</h2>
      {verification === null ? (
        <p className="muted">
          {verify?.missed ?? "No one has looked from outside whether the result is there."}
          {verify?.task_id != null && (
            <>
              {" "}
              <Link to="/tasks/$task_id" params={{ task_id: verify.task_id }}>
                The task that looks
              </Link>
            </>
          )}
        </p>
      ) : (
        <dl className="facts">
          <Fact name="Result">
            <Status tone={verification.verified ? "ok" : "bad"}>
              {verification.verified ? "It is there" : "It is not there"}
            </Status>
          </Fact>
          <Fact name="Looked up in">
            <InlineCode text={verification.source} />
          </Fact>
          <Fact name="Recorded">
            <Time at={verification.recorded_at} />
            {verification.verified_by !== undefined && ` by ${verification.verified_by}`}
          </Fact>
          {verification.note !== null && (
            <Fact name="Note">
              <InlineCode text={verification.note} />
            </Fact>
          )}
          {verification.evidence !== undefined && (
            <Fact name="Seen">
              <Code text={JSON.stringify(verification.evidence, null, 2)} label="Evidence of the check" />
            </Fact>
          )}
        </dl>
      )}
      {(status === "ok" || verification !== null) && <VerifyTask task_id={task_id} again={verification !== null} />}
    </section>
  );
}

// Records what a person has seen of the result of a task, outside of orch.

type VerifyTaskProps = { readonly task_id: string; readonly again: boolean };

function VerifyTask({ task_id, again }: VerifyTaskProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="row">
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {again ? "Record another look" : "Record what you saw"}
      </button>
      {open && <Form task_id={task_id} onClose={() => setOpen(false)} />}
    </div>
  );
}

function Form({ task_id, onClose }: { readonly task_id: string; readonly onClose: () => void }) {
  const [source, setSource] = useState("");
  const [note, setNote] = useState("");
  const record = useAction("record_verification");
  const send = (verified: boolean) => {
    const added = note.trim() === "" ? {} : { note };
    record.mutate({ task_id, verified, source, ...added }, { onSuccess: onClose });
  };
  const wrong = record.error?.issues.find(({ path }) => path === "source")?.message ?? null;
  const disabled = source.trim() === "";
  return (
    <ActionDialog
      onClose={onClose}
      title="What did you see?"
      description="Look where the result shows, and not in orch: that its checks passed is known already."
      problem={wrong === null ? record.error : null}
      busy={record.isPending}
      actions={[
        { label: "The result is not there", look: "danger", run: () => send(false), disabled },
        { label: "The result is there", look: "primary", run: () => send(true), disabled },
      ]}
    >
      <TextField
        label="Where you looked"
        most={1_024}
        placeholder="the dashboard of the site"
        wrong={wrong}
        value={source}
        onChange={setSource}
      />
      <TextArea label="What you saw (optional)" value={note} onChange={setNote} />
    </ActionDialog>
  );
}
