// Shows the freezes on the page of servers and in a bar above every page, and lets a human freeze and thaw.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAction, useOperation } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { Printable } from "../../parts/code.tsx";
import { ActionDialog, Dialog } from "../../parts/dialog.tsx";
import { Field, TextArea } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";
import { count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { ROW } from "../../parts/use-keys.ts";

export function FreezeButton() {
  const [is_open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Freeze …
      </button>
      {is_open && <FreezeDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function FreezeDialog({ onClose }: { readonly onClose: () => void }) {
  const freeze = useAction("freeze");
  const [reason, setReason] = useState("");
  if (freeze.data !== undefined) return <Frozen result={freeze.data} onClose={onClose} />;
  const start = (given: FormData) => {
    const text = (name: string): string => String(given.get(name) ?? "").trim();
    const target = attributesIn(text("target"));
    freeze.mutate({
      reason: reason.trim(),
      except_diagnostics: given.has("except_diagnostics"),
      now: given.has("now"),
      ...(text("intent") !== "" && { intent: text("intent") }),
      ...(Object.keys(target).length > 0 && { target }),
    });
  };
  return (
    <ActionDialog
      decides
      onClose={onClose}
      title="Freeze"
      description={DESCRIPTION}
      problem={freeze.error}
      busy={freeze.isPending}
      actions={[{ label: "Freeze", look: "danger", run: start, disabled: reason.trim() === "" }]}
    >
      <FreezeFields reason={reason} onReason={setReason} />
    </ActionDialog>
  );
}

const DESCRIPTION = "No task starts, on any server, until somebody thaws it. Tasks are still accepted, and wait.";

function Frozen({ result, onClose }: { readonly result: OperationAnswer<"freeze">; readonly onClose: () => void }) {
  const { created, running, paused, cancelled } = result;
  return (
    <Dialog onClose={onClose} title="Frozen" description={DESCRIPTION}>
      <ul>
        {!created && <li>The same freeze was open already.</li>}
        <li>
          {running.length === 0
            ? "Nothing runs."
            : `${count(running.length, "task")} had begun, and go on to their end.`}
        </li>
        {paused.length > 0 && (
          <li>
            These had begun and wait for an answer, with which they go on, frozen or not: {paused.join(", ")}. Cancel
            what is not to.
          </li>
        )}
        {cancelled.map(({ task_id, outcome }) => (
          <li key={task_id}>
            <code>{task_id}</code>: {outcome}
          </li>
        ))}
      </ul>
      <div className="actions">
        <button type="button" className="button primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

type FreezeDialogProps = { readonly reason: string; readonly onReason: (reason: string) => void };

const FreezeFields = ({ reason, onReason }: FreezeDialogProps) => (
  <>
    <TextArea
      label="Reason"
      hint="Every task that waits for it shows it."
      required
      most={1_024}
      value={reason}
      onChange={onReason}
    />
    <Field label="Only this intent">
      {(id) => <input id={id} name="intent" className="input mono" autoComplete="off" placeholder="deploy" />}
    </Field>
    <Field label="Only targets with" hint="Leave both empty to hold everything.">
      {(id) => (
        <input
          id={id}
          name="target"
          className="input mono"
          autoComplete="off"
          placeholder="service=web; environment=prod"
        />
      )}
    </Field>
    <label className="tick">
      <input type="checkbox" name="except_diagnostics" defaultChecked /> Diagnostic tasks, which change nothing, start
      all the same
    </label>
    <label className="tick">
      <input type="checkbox" name="now" /> Also cancel what runs
    </label>
  </>
);

// A freeze in words, and a target as it is typed.

type ShownFreeze = OperationAnswer<"list_freezes">["freezes"][number];

function scopeOf({ intent, target_signature, except_diagnostics }: ShownFreeze): string {
  const what = intent ?? "every task";
  const on = target_signature === null ? "" : ` on ${target_signature}`;
  return `${what}${on}${except_diagnostics ? ", but not diagnostics" : ""}`;
}

/** The attributes of `service=web; environment=prod`; a part without a value has an empty one, which the server refuses. */
const attributesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(";")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => {
        const [key = "", ...value] = part.split("=");
        return [key.trim(), value.join("=").trim()];
      }),
  );

// Lists what holds tasks now: each freeze with a button that ends it, and a calendar window, which ends by itself.

type Freezes = OperationAnswer<"list_freezes">;

export function InForce({ in_force, freezes }: Freezes) {
  const [asked, setAsked] = useState<ShownFreeze | null>(null);
  return (
    <>
      {in_force.map((held) => {
        const freeze = freezes.find(({ freeze_id }) => freeze_id === held.freeze_id) ?? null;
        return (
          <Notice key={held.freeze_id ?? `window ${held.until}`} tone="stop">
            <div className="in-force">
              <div>
                <p>
                  <strong>
                    {freeze === null ? "A freeze window holds every change" : `Frozen: ${scopeOf(freeze)}`}
                  </strong>
                </p>
                <p>{held.reason}</p>
                <p className="muted small">
                  {freeze !== null && (
                    <>
                      by {freeze.frozen_by}, <Time at={freeze.created_at} />
                    </>
                  )}
                  {held.until !== null && (
                    <>
                      {" "}
                      it ends <Time at={held.until} />
                    </>
                  )}
                </p>
              </div>
              {freeze !== null && (
                <button type="button" className="button" onClick={() => setAsked(freeze)}>
                  Thaw
                </button>
              )}
            </div>
          </Notice>
        );
      })}
      {asked !== null && <ThawDialog freeze={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function ThawDialog({ freeze, onClose }: { readonly freeze: ShownFreeze; readonly onClose: () => void }) {
  const thaw = useAction("thaw");
  const start = () => thaw.mutate({ freeze_id: freeze.freeze_id }, { onSuccess: onClose });
  return (
    <ActionDialog
      decides
      onClose={onClose}
      title={`Thaw ${scopeOf(freeze)}?`}
      description="What it held starts at once, oldest first."
      problem={thaw.error}
      busy={thaw.isPending}
      actions={[{ label: "Thaw it", look: "primary", run: start }]}
    />
  );
}

// Freezes that were thawed: what was held, why, and by whom.

export function PastFreezes({ freezes }: { readonly freezes: readonly ShownFreeze[] }) {
  const past = freezes.filter(({ thawed_at }) => thawed_at !== null);
  if (past.length === 0) return null;
  return (
    <details className="past-freezes">
      <summary>Freezes that were thawed ({past.length})</summary>
      <ul className="list">
        {past.map(({ freeze_id, thawed_at, thawed_by, ...freeze }) => (
          <li key={freeze_id} className="schedule" {...ROW}>
            <p>
              <strong>{scopeOf({ freeze_id, thawed_at, thawed_by, ...freeze })}</strong>: {freeze.reason}
            </p>
            <p className="muted small">
              frozen by {freeze.frozen_by} <Time at={freeze.created_at} />, thawed by {thawed_by ?? "an unknown token"}{" "}
              {thawed_at !== null && <Time at={thawed_at} />}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}

// Says above every page what is frozen, why and by whom.

type HeldNow = OperationAnswer<"list_inbox">["frozen"];

export const FrozenBar = ({ frozen }: { readonly frozen: HeldNow }) =>
  frozen[0] === undefined ? null : <Bar first={frozen[0]} more={frozen.length - 1} />;

function Bar({ first, more }: { readonly first: HeldNow[number]; readonly more: number }) {
  const { data } = useOperation("list_freezes", { limit: 50 });
  const freeze = data?.freezes.find(({ freeze_id }) => freeze_id === first.freeze_id);
  const scope = first.freeze_id === null ? "every change, by calendar" : freeze === undefined ? "" : scopeOf(freeze);
  return (
    <div className="frozen row" role="status">
      <span>
        <strong>
          <Printable text={scope === "" ? "Frozen:" : `Frozen (${scope}):`} />
        </strong>{" "}
        <Printable text={freeze === undefined ? first.reason : `${first.reason}, by ${freeze.frozen_by}`} />
      </span>
      <Link className="push" to="/servers" hash="frozen">
        {more > 0 ? `See it and ${more} more` : "See it"}
      </Link>
    </div>
  );
}
