// The inbox: everything that waits for a person, riskiest first, each with what it asks.
import { Link, type LinkProps } from "@tanstack/react-router";
import type { InboxItem } from "../../../features/approvals/shapes.ts";
import { useOperation } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { InlineCode, Printable } from "../../parts/code.tsx";
import { useTitle } from "../../parts/hooks.ts";
import { Empty, Loaded } from "../../parts/loaded.tsx";
import { ChangeTag } from "../../parts/marks.tsx";
import { Notice, Unreadable } from "../../parts/notice.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { useListKeys } from "../../parts/use-keys.ts";
import { CHANGE_ORDER, type StepChange } from "../../parts/words.ts";
import { keyOf, usePutOff } from "./put-off.ts";

export function InboxPage() {
  useTitle("Inbox");
  const inbox = useOperation("list_inbox", { limit: 500 });
  return (
    <>
      <header className="page-head">
        <h1>Inbox</h1>
      </header>
      <Loaded query={inbox}>{(data) => <Items {...data} />}</Loaded>
    </>
  );
}

function Items({ items, more, quarantined, notices }: OperationAnswer<"list_inbox">) {
  const { isPutOff, mayPutOff, putOff, takeBack } = usePutOff(items);
  const list = useListKeys();
  const shown = items.filter((item) => !isPutOff(item));
  const later = items.filter(isPutOff);
  return (
    <div className="stack">
      {shown.length === 0 && (
        <Empty icon="check" title="Nothing waits for you">
          <p>
            Approvals, tasks to teach, steps of unknown outcome and checks that are owed appear here by themselves. A
            supervisor submits tasks; <code>orch submit</code> does so from a terminal.
          </p>
        </Empty>
      )}
      {shown.length > 0 && (
        <ul className="list" ref={list} aria-label="What waits">
          {shown.map((item) => (
            <InboxRow
              key={keyOf(item)}
              item={item}
              action="Not now"
              onAction={mayPutOff(item) ? () => putOff(item) : null}
            />
          ))}
        </ul>
      )}
      {more && <p className="muted">More wait than are shown. Answering these shows them.</p>}
      {later.length > 0 && (
        <details className="put-off">
          <summary>Put off on this device ({later.length}): they still wait, and nothing is decided</summary>
          <ul className="list">
            {later.map((item) => (
              <InboxRow key={keyOf(item)} item={item} action="Show again" onAction={() => takeBack(item)} />
            ))}
          </ul>
        </details>
      )}
      {notices.map((notice) => (
        <Notice key={notice} tone="ask">
          {notice}
        </Notice>
      ))}
      <Unreadable records={quarantined} />
    </div>
  );
}

// One thing that waits: of which kind, about what, the question as a sentence, and since when.

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

function InboxRow({ item, action, onAction }: Props) {
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
