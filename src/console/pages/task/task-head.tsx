// Shows what is read first of a task: its status, why, and what can be done about it here or by a command: cancel it,
// answer it, resolve a step.
import { Link } from "@tanstack/react-router";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import type { JournalEvent } from "../../../domain/journal.ts";
import { printable, shellWord } from "../../../domain/printable.ts";
import { useAction } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { Code, InlineCode, Printable } from "../../parts/code.tsx";
import { ActionDialog } from "../../parts/dialog.tsx";
import { TextArea, TextField } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { NextSteps } from "../../parts/next-steps.tsx";
import { Notice } from "../../parts/notice.tsx";
import { TaskStatusMark } from "../../parts/status.tsx";
import { duration } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { cancelReasonIn, contractIn } from "./run-of.ts";

type Props = { readonly task: OperationAnswer<"get_task">; readonly events: readonly JournalEvent[] };

const ENDED: ReadonlySet<string> = new Set(["ok", "failed", "blocked", "cancelled"]);

export function TaskHead({ task, events }: Props) {
  const { task_id, status, intent, target_signature, outcome } = task;
  const has_ended = ENDED.has(status);
  const asked = cancelReasonIn(events);
  return (
    <>
      <header className="task-head">
        <div className="row">
          <TaskStatusMark status={status} />
          <h1 className="task-title">
            {intent} <InlineCode text={target_signature} />
          </h1>
          <div className="actions row push">
            <CommandMenu task={task} />
            {!has_ended && <CancelTask task_id={task_id} />}
          </div>
        </div>
        <p className="task-why sentence">
          {printable(reasonOf(task))}
          {outcome !== null && <code className="task-code">{outcome.skill_code ?? outcome.reason_code}</code>}
        </p>
        {asked !== null && !(outcome?.message ?? "").includes(asked) && (
          <p className="sentence">
            Cancelled: <Printable text={asked} />
          </p>
        )}
        <TaskFacts task={task} events={events} />
      </header>
      <WhatWaits task={task} />
      {(status === "blocked" || status === "failed") && <NextSteps {...task} />}
    </>
  );
}

function TaskFacts({ task, events }: Props) {
  const { task_id, sop_id, sop_version, backend, runs_on, created_at, ended_at, ignored } = task;
  const contract = contractIn(events);
  return (
    <ul className="task-facts muted">
      <li>
        <InlineCode text={task_id} />
      </li>
      {contract !== null && (
        <li>
          asked by <InlineCode text={contract.requested_by} />
        </li>
      )}
      <li>
        accepted <Time at={created_at} />
      </li>
      {ended_at !== null && <li>took {duration(Date.parse(ended_at) - Date.parse(created_at))}</li>}
      {sop_id !== null && (
        <li>
          <Link to="/sops/$sop_id" params={{ sop_id }}>
            procedure version {sop_version}
          </Link>
        </li>
      )}
      {(backend !== "local" || runs_on !== null) && <li>runs on {runs_on?.join(", ") ?? "the flow engine"}</li>}
      {ignored !== undefined && <li>other fields of the contract are {ignored}</li>}
    </ul>
  );
}

// Cancels the task, after it was asked once more.

function CancelTask({ task_id }: { readonly task_id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Cancel
      </button>
      {open && <Confirm task_id={task_id} onClose={() => setOpen(false)} />}
    </>
  );
}

function Confirm({ task_id, onClose }: { readonly task_id: string; readonly onClose: () => void }) {
  const [reason, setReason] = useState("");
  const cancel = useAction("cancel_task");
  const given = reason.trim() === "" ? {} : { reason };
  const send = () => cancel.mutate({ task_id, ...given }, { onSuccess: onClose });
  return (
    <ActionDialog
      onClose={onClose}
      title="Cancel this task?"
      description="What runs is killed with everything that it started. What was done stays done, and the evidence is kept."
      back="Let it go on"
      problem={cancel.error}
      busy={cancel.isPending}
      actions={[{ label: cancel.isPending ? "Stopping …" : "Cancel the task", look: "danger", run: send }]}
    >
      <TextField label="Reason (for the record)" value={reason} onChange={setReason} />
    </ActionDialog>
  );
}

// The task as commands of `orch`: choosing one copies it.

const SAID_MS = 1_500;

function CommandMenu({ task }: { readonly task: OperationAnswer<"get_task"> }) {
  const [copied, setCopied] = useState(false);
  const copy = (command: string) =>
    void navigator.clipboard.writeText(command).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), SAID_MS);
    });
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="button quiet">
        <Icon name={copied ? "check" : "copy"} />
        <span aria-live="polite">{copied ? "Copied" : "As a command"}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu commands" align="end" sideOffset={4}>
          {orchCommands(task).map(({ what, command }) => (
            <DropdownMenu.Item key={what} className="menu-item command-item" onSelect={() => copy(command)}>
              <span className="small muted">{what}</span>
              <code>{command}</code>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

// What can be done with the task from a terminal, as commands to paste. A value that a shell would read otherwise is quoted, or
// replaced by its name.

type OrchCommand = { readonly what: string; readonly command: string };

function orchCommands({ task_id, status, waiting }: OperationAnswer<"get_task">): OrchCommand[] {
  const id = shellWord(task_id, "TASK");
  const ends = status === "ok" || status === "failed" || status === "blocked" || status === "cancelled";
  const waits: OrchCommand[] =
    waiting?.kind === "resolution" || waiting?.kind === "parked"
      ? [{ what: "Say what became of it", command: `orch resolve ${id} RESOLUTION --reason TEXT` }]
      : waiting?.kind === "teaching"
        ? [{ what: "Teach it", command: `orch teach STEPS.yaml --task ${id}` }]
        : waiting?.kind === "approval"
          ? [{ what: "Read what would run", command: `orch approve --task ${id}` }]
          : [];
  return [
    { what: ends ? "Show it with all output" : "Follow it", command: `orch task ${id} --follow` },
    ...waits,
    { what: "Show its way", command: `orch graph ${id}` },
    { what: "Keep its evidence", command: `orch evidence ${id} --out ${shellWord(`${task_id}.json`, "FILE")}` },
    ...(ends
      ? [{ what: "Record a check", command: `orch verify ${id} --verified --source TEXT` }]
      : [{ what: "Cancel it", command: `orch cancel ${id}` }]),
  ];
}

// What the task waits for, with the action at hand; after its end, what may follow from it.

function WhatWaits({ task }: { readonly task: OperationAnswer<"get_task"> }) {
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
type ResolveProps = { readonly task_id: string; readonly step: Step | null };

const CHOICES: readonly (readonly [Resolution, word: string, effect: string])[] = [
  ["succeeded", "It took effect", "The task goes on with the next step."],
  ["failed", "It did not, and must not run again", "The task ends failed."],
  ["retry", "It did not, and may run again", "The step is run again now."],
];
const GO_ON: typeof CHOICES = [["retry", "Let it go on", "The task is run again from where it was."]];

function ResolveStep({ task_id, step }: ResolveProps) {
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
      {chosen !== null && (
        <ConfirmResolution task_id={task_id} step={step} chosen={chosen} onClose={() => choose(null)} />
      )}
    </>
  );
}

type ConfirmProps = ResolveProps & { readonly chosen: (typeof CHOICES)[number]; readonly onClose: () => void };

function ConfirmResolution({ task_id, step, chosen: [resolution, word, effect], onClose }: ConfirmProps) {
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

// Why a task is where it is, in one sentence.

type Task = OperationAnswer<"get_task">;

function reasonOf(task: Task): string {
  const { outcome, status, steps, waiting_text, waits_for, progress } = task;
  if (outcome !== null) return outcome.message;
  if (waiting_text !== null) return waiting_text;
  if (waits_for !== null) return waits_for.message;
  if (progress !== null) return `${progress.text} (${progress.done} of ${progress.total})`;
  if (status === "accepted") return "It is accepted.";
  const at = steps.find((step) => step.status === "running");
  if (at !== undefined) return `Step ${at.index} of ${steps.length} runs.`;
  return "It runs.";
}
