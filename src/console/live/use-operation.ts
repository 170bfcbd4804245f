// Operations as queries and as actions of components.
import { keepPreviousData, type QueryKey, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../operations.ts";
import type { CallProblem } from "../request.ts";
import type { Input, OperationAnswer, OperationName } from "../typed-operations.ts";

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
