// Calls operations as queries and as actions of components, and reads what several pages need: all versions of all
// procedures, and the approval that a version waits for.
import { keepPreviousData, type QueryKey, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call, type Input, type OperationAnswer, type OperationName } from "../operations.ts";
import type { CallProblem } from "../request.ts";

/** Answers that another input has given stay in view until the new ones are there, so that nothing jumps. */
export function useOperation<N extends OperationName>(
  name: N,
  input: Input<N>,
  { enabled = true, refetch_ms = false }: { readonly enabled?: boolean; readonly refetch_ms?: number | false } = {},
) {
  return useQuery<OperationAnswer<N>, CallProblem, OperationAnswer<N>, QueryKey>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refetch_ms,
    enabled,
  });
}

/** Everything in view is read anew after it, refused or not: a refusal often says that the view was old. */
export function useAction<N extends OperationName>(name: N) {
  const queries = useQueryClient();
  return useMutation<OperationAnswer<N>, CallProblem, Input<N>>({
    mutationFn: (input) => call(name, input),
    onSettled: () => queries.invalidateQueries(),
  });
}

// All versions of all procedures: a list by key needs every version of a key, and a page ends in the middle of one.

const PAGE = 500;
const MOST_PAGES = 20;

type AllSops = Pick<OperationAnswer<"list_sops">, "sops" | "quarantined"> & { readonly more: boolean };

async function readAll(signal: AbortSignal): Promise<AllSops> {
  const sops: OperationAnswer<"list_sops">["sops"] = [];
  let after: string | undefined;
  for (let page = 1; ; page++) {
    const answer: OperationAnswer<"list_sops"> = await call("list_sops", { limit: PAGE, after }, signal);
    sops.push(...answer.sops);
    const more = answer.next_after !== null;
    if (!more || page === MOST_PAGES) return { sops, quarantined: answer.quarantined, more };
    after = answer.next_after ?? undefined;
  }
}

export const useAllSops = () =>
  useQuery<AllSops, CallProblem, AllSops, QueryKey>({
    queryKey: ["list_sops", "all"],
    queryFn: ({ signal }) => readAll(signal),
  });

// The approval that a version waits for, by its id; the list of what waits is read by the shell already.

const PROMOTION = /^promotion\/([^/]+)/;

export function useApprovalOf(): (sop_id: string) => string | undefined {
  const inbox = useOperation("list_inbox", { limit: 500 });
  const pairs = (inbox.data?.items ?? []).flatMap(({ thread_id, approval_id }) => {
    const sop_id = PROMOTION.exec(thread_id)?.[1];
    return sop_id === undefined || approval_id === null ? [] : [[sop_id, approval_id] as const];
  });
  const by_sop = new Map(pairs);
  return (sop_id) => by_sop.get(sop_id);
}
