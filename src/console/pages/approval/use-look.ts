// What is true on the target now: looked at once when the page of an open question is opened, and again when a person asks. Only
// what policy knows to look runs; nothing that changes something does (D-355). A look that is not waited for any more is ended.
import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { call, type OperationAnswer } from "../../operations.ts";
import { useMay } from "../../parts/notice.tsx";
import type { CallProblem } from "../../request.ts";
import type { Shown } from "./meaning.ts";

export type LookAtTarget = {
  /** Null where nothing can be looked at: it is settled, or it has no steps. */
  readonly start: (() => void) | null;
  /** The scope that the session lacks for it. */
  readonly lacks: "submit" | null;
  readonly is_running: boolean;
  readonly problem: CallProblem | null;
  readonly seen: OperationAnswer<"look_at_approval"> | null;
};

type Asked = { readonly approval_id: string; readonly signal: AbortSignal };

export function useLook({ approval_id, status, content }: Shown["approval"]): LookAtTarget {
  const may_submit = useMay("submit");
  const may = useMay("approve") || may_submit;
  const { mutate, data, error, isPending } = useMutation<OperationAnswer<"look_at_approval">, CallProblem, Asked>({
    mutationFn: ({ signal, ...asked }) => call("look_at_approval", asked, signal),
  });
  const left = useRef(new AbortController());
  const look = useCallback(() => {
    left.current.abort();
    left.current = new AbortController();
    mutate({ approval_id, signal: left.current.signal });
  }, [approval_id, mutate]);
  const is_open = status === "pending" && "steps" in content;
  useEffect(() => {
    if (is_open && may) look();
    return () => left.current.abort();
  }, [is_open, may, look]);
  return {
    start: is_open && may ? look : null,
    lacks: is_open && !may ? "submit" : null,
    is_running: isPending,
    problem: error,
    seen: data ?? null,
  };
}
