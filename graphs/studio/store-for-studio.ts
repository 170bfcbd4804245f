// The store of Studio's graphs. Studio has threads of its own and no task rows, so changes of tasks are left out of a commit.
// Committed events are streamed (mode `custom`): they are all that shows of a step.
import { getWriter } from "@langchain/langgraph";
import type { Store } from "../../src/ports.ts";

export const storeForStudio = (store: Store): Store => ({
  ...store,
  commit: async (commit) => {
    const changes = (commit.changes ?? []).filter(({ on }) => on !== "task");
    const result = await store.commit({ ...commit, changes });
    if (result.ok) for (const event of result.events) getWriter()?.(event);
    return result;
  },
});
