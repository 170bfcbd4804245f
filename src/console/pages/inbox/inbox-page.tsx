// The inbox: everything that waits for a person, riskiest first, each with what it asks.

import { useOperation } from "../../live/use-operation.ts";
import { Empty } from "../../parts/empty.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Notice } from "../../parts/notice.tsx";
import { useListKeys } from "../../parts/use-list-keys.ts";
import { useTitle } from "../../parts/use-title.ts";
import type { OperationAnswer } from "../../typed-operations.ts";
import { InboxRow } from "./inbox-row.tsx";
import { keyOf, usePutOff } from "./put-off.ts";
import { Unreadable } from "./unreadable.tsx";

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
