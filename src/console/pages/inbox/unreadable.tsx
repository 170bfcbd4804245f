// Records that cannot be read and are not run: an operator has to mend them.
import { InlineCode } from "../../parts/code.tsx";
import { Notice } from "../../parts/notice.tsx";
import { count } from "../../parts/text.ts";
import type { OperationAnswer } from "../../typed-operations.ts";

export function Unreadable({ records }: { readonly records: OperationAnswer<"list_inbox">["quarantined"] }) {
  if (records.length === 0) return null;
  return (
    <Notice tone="bad">
      <p>
        {count(records.length, "record")} cannot be read, and what they are about does not run. <code>orch doctor</code>{" "}
        says how to mend them.
      </p>
      <ul>
        {records.map((record) => (
          <li key={JSON.stringify(record)}>
            <InlineCode text={Object.values(record).join(" ")} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
