// The decision. Approve can be pressed when everything that would run has been in view; reject needs a reason.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Approval } from "../../../domain/approval.ts";
import { useAction } from "../../live/use-operation.ts";
import { Printable } from "../../parts/code.tsx";
import { ActionDialog } from "../../parts/dialog.tsx";
import { TextArea } from "../../parts/field.tsx";
import { absoluteTime, count, shortDigest } from "../../parts/text.ts";
import { useKeys } from "../../parts/use-keys.ts";
import { meaningOf, type Shown } from "./meaning.ts";
import { freeHeight } from "./use-seen.ts";

type Props = { readonly shown: Shown; readonly left: number; readonly is_looking: boolean };

/** A page of the browser is as high as the window, and would pass over what the decision covers. */
const pageDown = (event: KeyboardEvent): void => {
  event.preventDefault();
  scrollBy({ top: freeHeight() * 0.9 });
};

export function DecisionBar({ shown, left, is_looking }: Props) {
  const [asking, setAsking] = useState<"approve" | "reject" | null>(null);
  const { approval } = shown;
  const pending = approval.status === "pending";
  useKeys({
    a: (event) => {
      event.preventDefault();
      if (pending && left === 0) setAsking("approve");
    },
    PageDown: pageDown,
    r: (event) => {
      event.preventDefault();
      if (pending) setAsking("reject");
    },
  });
  if (!pending) return <Decided shown={shown} />;
  const close = () => setAsking(null);
  return (
    <footer className="decision">
      <span className="muted small" role="status">
        {left === 0 ? "You have seen all of it." : `${count(left, "part")} not seen yet: scroll on.`}
        {left > 0 && is_looking && " The target is being looked at."}
      </span>
      <button type="button" className="button danger" onClick={() => setAsking("reject")}>
        Reject
      </button>
      <button type="button" className="button primary" disabled={left > 0} onClick={() => setAsking("approve")}>
        Approve
      </button>
      {asking === "approve" && <ApproveDialog shown={shown} onClose={close} />}
      {asking === "reject" && <RejectDialog approval={approval} onClose={close} />}
    </footer>
  );
}

/** The decision is carried out at once, or it was made on a comparison that did not hold any more. */
function useOf({ approval: { kind }, sop }: Shown): string {
  if (sop === null || (kind !== "promotion" && kind !== "replacement")) return "";
  return `Version ${sop.version} is ${sop.status === "active" ? "" : "not "}in use. `;
}

function Decided({ shown }: { readonly shown: Shown }) {
  const { approval, task } = shown;
  const { status, decision, decided_at } = approval;
  const by = decision?.decided_by ?? null;
  return (
    <footer className="decision">
      <p role="status">
        <strong>{status === "superseded" ? "Superseded by another request." : `It is ${status}.`}</strong>{" "}
        {useOf(shown)}
        {by !== null && <Printable text={`By ${by}. `} />}
        {decided_at !== null && absoluteTime(decided_at)}
        {decision?.reason !== null && decision?.reason !== undefined && (
          <>
            : “<Printable text={decision.reason} />”
          </>
        )}
      </p>
      <span className="push row">
        {task !== null && (
          <Link className="button" to="/tasks/$task_id" params={{ task_id: task.task_id }}>
            See the task
          </Link>
        )}
        <Link className="button" to="/">
          Inbox
        </Link>
      </span>
    </footer>
  );
}

// A no needs a reason: the supervisor learns from it.

type RejectDialogProps = { readonly approval: Approval; readonly onClose: () => void };

function RejectDialog({ approval: { approval_id, digest }, onClose }: RejectDialogProps) {
  const decide = useAction("approve");
  const [reason, setReason] = useState("");
  const reject = () => decide.mutate({ approval_id, digest, decision: "reject", reason }, { onSuccess: onClose });
  return (
    <ActionDialog
      decides
      onClose={onClose}
      title="Reject it?"
      description="Nothing of it runs. The supervisor is given the reason."
      problem={decide.error}
      busy={decide.isPending}
      actions={[{ label: "Reject", look: "danger", run: reject, disabled: reason.trim() === "" }]}
    >
      <TextArea label="Reason" required value={reason} onChange={setReason} />
    </ActionDialog>
  );
}

// The last question before a yes.

type ApproveDialogProps = { readonly shown: Shown; readonly onClose: () => void };

function ApproveDialog({ shown, onClose }: ApproveDialogProps) {
  const decide = useAction("approve");
  const { approval_id, digest } = shown.approval;
  const approve = () => decide.mutate({ approval_id, digest, decision: "approve" }, { onSuccess: onClose });
  return (
    <ActionDialog
      decides
      onClose={onClose}
      title="Approve it?"
      description={meaningOf(shown)}
      problem={decide.error}
      busy={decide.isPending}
      actions={[{ label: "Approve", look: "primary", run: approve }]}
    >
      <p className="small muted">
        The decision is recorded with your name and is for <code>{shortDigest(digest)}</code>: if anything of it
        changes, it does not hold.
      </p>
    </ActionDialog>
  );
}
