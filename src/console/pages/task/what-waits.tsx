// What the task waits for, with the action at hand; after its end, what may follow from it.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { Code } from "../../parts/code.tsx";
import { TextArea } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";

export function WhatWaits({ task }: { readonly task: OperationAnswer<"get_task"> }) {
  const { waiting, task_id, steps, next } = task;
  if (waiting === null) return null;
  const advice = next.find(({ operation }) => operation === null)?.text;
  switch (waiting.kind) {
    case "approval":
      return (
        <Notice tone="ask">
          <p>Nothing runs until a person has decided.</p>
          <Link className="button primary" to="/approvals/$approval_id" params={{ approval_id: waiting.approval_id }}>
            Look at what would run
          </Link>
        </Notice>
      );
    case "teaching":
      return (
        <Notice tone="ask">
          <p>There is no procedure for it yet. Teach the steps, and the task goes on with them.</p>
          <Link className="button primary" to="/teach" search={{ task_id }}>
            Teach it
          </Link>
        </Notice>
      );
    case "resolution": {
      const { index, attempt } = waiting;
      return (
        <Notice tone="bad">
          <p>
            Find out whether step {index} took effect, and say what you found. orch does not run it again by itself.
          </p>
          <ResolveStep task_id={task_id} step={{ index, attempt, command: steps[index]?.command ?? null }} />
        </Notice>
      );
    }
    case "parked":
      return (
        <Notice tone="bad">
          {advice !== undefined && <p>{advice}</p>}
          <ResolveStep task_id={task_id} step={null} />
        </Notice>
      );
  }
}

// What became of a step of unknown outcome, as a person has found out; or that a parked task goes on.

type Resolution = "succeeded" | "failed" | "retry";
type Step = { readonly index: number; readonly attempt: number; readonly command: string | null };
type Props = { readonly task_id: string; readonly step: Step | null };

const CHOICES: readonly (readonly [Resolution, word: string, effect: string])[] = [
  ["succeeded", "It took effect", "The task goes on with the next step."],
  ["failed", "It did not, and must not run again", "The task ends failed."],
  ["retry", "It did not, and may run again", "The step is run again now."],
];
const GO_ON: typeof CHOICES = [["retry", "Let it go on", "The task is run again from where it was."]];

function ResolveStep({ task_id, step }: Props) {
  const [chosen, choose] = useState<(typeof CHOICES)[number] | null>(null);
  return (
    <>
      <div className="row">
        {(step === null ? GO_ON : CHOICES).map((choice) => (
          <button key={choice[0]} type="button" className="button" onClick={() => choose(choice)}>
            {choice[1]}
          </button>
        ))}
      </div>
      {chosen !== null && <Confirm task_id={task_id} step={step} chosen={chosen} onClose={() => choose(null)} />}
    </>
  );
}

type ConfirmProps = Props & { readonly chosen: (typeof CHOICES)[number]; readonly onClose: () => void };

function Confirm({ task_id, step, chosen: [resolution, word, effect], onClose }: ConfirmProps) {
  const [reason, setReason] = useState("");
  const resolve = useAction("resolve_step");
  const at = step === null ? {} : { index: step.index, attempt: step.attempt };
  const given = reason.trim() === "" ? {} : { reason };
  const send = () => resolve.mutate({ task_id, resolution, ...at, ...given }, { onSuccess: onClose });
  return (
    <ActionDialog
      onClose={onClose}
      title={step === null ? word : `Step ${step.index}: ${word.toLowerCase()}`}
      description={effect}
      problem={resolve.error}
      busy={resolve.isPending}
      actions={[{ label: word, look: "primary", run: send }]}
    >
      {step?.command != null && <Code text={step.command} label="The step" />}
      <TextArea label="How you know (for the record)" value={reason} onChange={setReason} />
    </ActionDialog>
  );
}
