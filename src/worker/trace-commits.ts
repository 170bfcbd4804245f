// Tells whoever listens on the diagnostics channel `orch:commit` before and after each commit: for tracing, and for the
// tests that kill the server on either side of one.
import { channel } from "node:diagnostics_channel";
import type { Store } from "../ports.ts";

const commits = channel("orch:commit");

export const traceCommits = (store: Store): Store => ({
  ...store,
  commit: async (commit) => {
    if (!commits.hasSubscribers) return store.commit(commit);
    const about = { thread_id: commit.thread_id, kinds: commit.events.map((event) => event.kind) };
    commits.publish({ when: "before", ...about });
    const result = await store.commit(commit);
    commits.publish({ when: "after", ...about });
    return result;
  },
});
