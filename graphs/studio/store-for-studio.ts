// The store as Studio's graphs see it. Studio has threads of its own and no task rows, so what a commit would change in
// one is left out. What is committed to a journal is streamed (mode `custom`): it is all there is to see of a step.
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
