// That something does not start, what, why and by whom, above every page.
import { Link } from "@tanstack/react-router";
import { useOperation } from "../live/use-operation.ts";
import { scopeOf } from "../pages/servers/freeze-scope.ts";
import { Printable } from "../parts/code.tsx";
import type { OperationAnswer } from "../typed-operations.ts";

type Frozen = OperationAnswer<"list_inbox">["frozen"];

export const FrozenBar = ({ frozen }: { readonly frozen: Frozen }) =>
  frozen[0] === undefined ? null : <Bar first={frozen[0]} more={frozen.length - 1} />;

function Bar({ first, more }: { readonly first: Frozen[number]; readonly more: number }) {
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
