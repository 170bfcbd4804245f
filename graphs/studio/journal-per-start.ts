// In the service a task has one thread and one journal. In Studio the same contract is started again and again, on new
// threads and on the same one, so every start gets a journal: `<Studio's thread>/<task_id>/<number of the start>`. What
// continues a thread (an answer, a fork from an earlier checkpoint) goes on with the journal of its last start, and what
// was done there stays so. A fork from before an approval asks for it again.
import { getConfig } from "@langchain/langgraph";
import { z } from "zod";
import type { Thread, ThreadOf } from "../../src/tasks/thread.ts";

/** The nodes that look into a journal first when a graph starts. A graph within a node of another has no start of its own. */
const FIRST_NODES = /^(admit|replace_sop|request_promotion|load_tools):[^|]*$/;

/** The nodes that wait for a decision. Only their own answer decides in Studio, so one on record is that of another branch. */
const ASKING_NODES = /(^|\|)await_(approval|replacement|skill_approval|agent_approval|call_approval|promotion):[^|]*$/;

const RunConfig = z.object({
  configurable: z.object({ thread_id: z.string() }),
  metadata: z.object({ langgraph_checkpoint_ns: z.string() }),
  signal: z.instanceof(AbortSignal).optional(),
});

export const journalPerStart =
  (open: ThreadOf): ThreadOf =>
  async (name) => {
    const { configurable, metadata, signal } = RunConfig.parse(getConfig());
    const startOf = (number: number) => open(`${configurable.thread_id}/${name}/${number}`);
    let number = 1;
    while ((await startOf(number + 1)).journal.events.length > 0) number += 1;
    let thread = await startOf(number);
    if (FIRST_NODES.test(metadata.langgraph_checkpoint_ns) && hasBegun(thread)) {
      thread = await startOf(number + 1);
      await thread.journal.commit([{ kind: "taken_up", body: { owner: "studio", recovery: false } }]);
    }
    const shown = ASKING_NODES.test(metadata.langgraph_checkpoint_ns) ? undecided(thread) : thread;
    return signal === undefined ? shown : { ...shown, cancel: AbortSignal.any([shown.cancel, signal]) };
  };

/** The same thread, in which nothing has been decided yet. */
function undecided(thread: Thread): Thread {
  const { journal } = thread;
  const projection = { ...journal.projection, approvals: { ...journal.projection.approvals, decisions: new Map() } };
  return { ...thread, journal: Object.create(journal, { projection: { value: projection } }) };
}

const hasBegun = ({ journal }: Thread): boolean => journal.projection.has_begun;
