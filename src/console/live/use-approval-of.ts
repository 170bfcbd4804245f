// The approval that a version waits for, by its id; the list of what waits is read by the shell already.
import { useOperation } from "./use-operation.ts";

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
