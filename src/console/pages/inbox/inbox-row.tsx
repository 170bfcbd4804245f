// One thing that waits: of which kind, about what, the question as a sentence, and since when.
import { Link, type LinkProps } from "@tanstack/react-router";
import type { InboxItem } from "../../../operations/shapes/inbox.ts";
import { InlineCode, Printable } from "../../parts/code.tsx";
import { Status } from "../../parts/status.tsx";
import { ChangeTag } from "../../parts/step-marks.tsx";
import { Time } from "../../parts/time.tsx";
import type { Tone } from "../../parts/tone.ts";
import { CHANGE_ORDER, type StepChange } from "../../parts/words.ts";

const KINDS: Readonly<Record<InboxItem["kind"], readonly [word: string, tone: Tone]>> = {
  plan: ["Approve a run", "ask"],
  promotion: ["Promote a procedure", "ask"],
  replacement: ["Replace a procedure", "ask"],
  skill: ["Approve an action", "ask"],
  agent: ["Approve calls of an agent", "ask"],
  teaching: ["Teach it", "ask"],
  resolution: ["Outcome unknown", "bad"],
  parked: ["Parked", "bad"],
  verification: ["Verify it", "idle"],
};

/** A promotion of what was in use and has lost its proof. */
const SET_BACK = ["Set back: use it again?", "bad"] as const;

const changeIn = (risk: InboxItem["risk"]): StepChange | undefined => CHANGE_ORDER.find((change) => change === risk);

type Props = { readonly item: InboxItem; readonly action: string; readonly onAction: (() => void) | null };

export function InboxRow({ item, action, onAction }: Props) {
  const { kind, risk, intent, target_signature, text, since, expires_at } = item;
  const [word, tone] = risk === "set_back" ? SET_BACK : KINDS[kind];
  return (
    <li className="inbox-row">
      <Link {...placeOf(item)} className="list-row">
        <span className="row">
          <Status tone={tone}>{word}</Status>
          <ChangeTag change={changeIn(risk)} />
          <span className="muted small push">
            <Time at={since} />
            {expires_at !== null && (
              <>
                {" · expires "}
                <Time at={expires_at} />
              </>
            )}
          </span>
        </span>
        <strong className="inbox-about">
          {intent} <InlineCode text={target_signature} />
        </strong>
        <span className="inbox-text">
          <Printable text={text} />
        </span>
      </Link>
      {onAction !== null && (
        <button type="button" className="button quiet small" onClick={onAction}>
          {action}
          <span className="unseen">: {intent}</span>
        </button>
      )}
    </li>
  );
}

function placeOf({ kind, approval_id, thread_id }: InboxItem): LinkProps {
  if (approval_id !== null) return { to: "/approvals/$approval_id", params: { approval_id } };
  if (kind === "teaching") return { to: "/teach", search: { task_id: thread_id } };
  return { to: "/tasks/$task_id", params: { task_id: thread_id } };
}
