// What is true on the target now: looked at once when the page of an open question is opened, and again when a person asks. Only
// what policy knows to look runs; nothing that changes something does (D-355).
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "../../operations.ts";
import { useMay } from "../../parts/scopes.ts";
import type { CallProblem } from "../../request.ts";
import type { OperationAnswer } from "../../typed-operations.ts";
import type { Shown } from "./shown.ts";

export type LookAtTarget = {
  /** Null where nothing can be looked at: it is settled, or it has no steps. */
  readonly start: (() => void) | null;
  /** The scope that the session lacks for it. */
  readonly lacks: "submit" | null;
  readonly is_running: boolean;
  readonly problem: CallProblem | null;
  readonly seen: OperationAnswer<"look_at_approval"> | null;
};

export function useLook({ approval_id, status, content }: Shown["approval"]): LookAtTarget {
  const may_submit = useMay("submit");
  const may = useMay("approve") || may_submit;
  const { mutate, data, error, isPending } = useMutation<OperationAnswer<"look_at_approval">, CallProblem, string>({
    mutationFn: (id) => call("look_at_approval", { approval_id: id }),
  });
  const is_open = status === "pending" && "steps" in content;
  useEffect(() => {
    if (is_open && may) mutate(approval_id);
  }, [is_open, may, approval_id, mutate]);
  return {
    start: is_open && may ? () => mutate(approval_id) : null,
    lacks: is_open && !may ? "submit" : null,
    ...{ is_running: isPending, problem: error, seen: data ?? null },
  };
}
