// The first thing of a task that is read: its status, why, and what can be done about it here.
import { Link } from "@tanstack/react-router";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import type { JournalEvent } from "../../../domain/journal.ts";
import { printable, shellWord } from "../../../domain/printable.ts";
import { useAction } from "../../live/use-operation.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { InlineCode, Printable } from "../../parts/code.tsx";
import { TextField } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { NextSteps } from "../../parts/next-steps.tsx";
import { TaskStatusMark } from "../../parts/status.tsx";
import { duration } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";
import { reasonOf } from "./reason-of.ts";
import { cancelReasonIn, contractIn } from "./said-in-journal.ts";
import { WhatWaits } from "./what-waits.tsx";

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
