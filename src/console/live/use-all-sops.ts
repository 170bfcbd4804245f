// All versions of all procedures: a list by key needs every version of a key, and a page ends in the middle of one.
import { type QueryKey, useQuery } from "@tanstack/react-query";
import { call } from "../operations.ts";
import type { CallProblem } from "../request.ts";
import type { OperationAnswer } from "../typed-operations.ts";

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
