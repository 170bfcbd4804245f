// That nothing starts, and why, above every page.
import { Printable } from "../parts/code.tsx";
import type { OperationAnswer } from "../typed-operations.ts";

export function FrozenBar({ frozen }: { readonly frozen: OperationAnswer<"list_inbox">["frozen"] }) {
  const [first] = frozen;
  if (first === undefined) return null;
  const more = frozen.length > 1 ? ` (and ${frozen.length - 1} more)` : "";
  return (
    <div className="frozen" role="status">
      <strong>Frozen:</strong> <Printable text={first.reason} />
      {more}
    </div>
  );
}
