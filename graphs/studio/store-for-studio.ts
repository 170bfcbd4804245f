// The store of Studio's graphs. Studio has threads of its own and no task rows, so changes of tasks are left out of a commit, and so
// is a second decision on an approval, which a fork from before it has asked for again. Committed events are streamed (mode
// `custom`): they are all that shows of a step.
import { getWriter } from "@langchain/langgraph";
import type { Change } from "../../src/domain/change.ts";
import type { Store } from "../../src/ports.ts";

export function storeForStudio(store: Store): Store {
  const isDecided = async (change: Change): Promise<boolean> =>
    change.on === "approval" && (await store.findApproval(change.approval_id))?.status !== "pending";
  return {
    ...store,
    commit: async (commit) => {
      const changes: Change[] = [];
      for (const change of commit.changes ?? [])
        if (change.on !== "task" && !(await isDecided(change))) changes.push(change);
      const result = await store.commit({ ...commit, changes });
      if (result.ok) for (const event of result.events) getWriter()?.(event);
      return result;
    },
  };
}
