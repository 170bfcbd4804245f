// A thread of Studio, as its user drives it through the SDK.
import { z } from "zod";
import type { StudioProcess } from "./studio-process.ts";

const Seen = z.looseObject({ kind: z.string(), body: z.looseObject({}) });
type Seen = z.infer<typeof Seen>;

/** Answers in the shape of the agent inbox. */
export const approve = { decisions: [{ type: "approve" }] };
export const reject = { decisions: [{ type: "reject", message: "not on a Friday" }] };

/** Of a new thread. Each act resolves with the events that the run has added to the journal. */
export async function openThread({ client }: StudioProcess, graph: string) {
  const { thread_id } = await client.threads.create();
  const run = async (payload: object) => {
    const events: Seen[] = [];
    for await (const { event, data } of client.runs.stream(thread_id, graph, { ...payload, streamMode: "custom" })) {
      if (event === "custom") events.push(Seen.parse(data));
      if (event === "error") throw new Error(JSON.stringify(data));
    }
    return events;
  };
  const before = async (node: string) => {
    const found = (await client.threads.getHistory(thread_id)).find(({ next }) => next.includes(node));
    if (found === undefined) throw new Error(`no checkpoint lies before ${node}`);
    return found.checkpoint;
  };
  return {
    start: (input: object) => run({ input }),
    answer: (resume: unknown) => run({ command: { resume } }),
    /** Goes on from before this node, as someone does who has looked at what came of it. */
    fork: async (node: string) => run({ input: null, checkpoint: await before(node) }),
    /** The same with an edited state, as Studio forks: nothing that was answered there is answered here. */
    branch: async (node: string, values: object) => {
      await client.threads.updateState(thread_id, { values, checkpoint: await before(node) });
      return run({ input: null });
    },
    status: async () => (await client.threads.get(thread_id)).status,
    facts: async () => (await client.threads.getState<Record<string, unknown>>(thread_id)).values,
    /** What the subgraphs of the waiting nodes would do next. */
    innerNext: async () => {
      const { tasks } = await client.threads.getState(thread_id, undefined, { subgraphs: true });
      return tasks.map(({ name, state }) => ({ name, next: state?.next }));
    },
    questions: async () => {
      const { tasks } = await client.threads.getState(thread_id);
      return tasks.flatMap((task) => task.interrupts.map(({ value }) => value));
    },
  };
}

export const bodiesOf = (events: readonly Seen[], kind: string) =>
  events.filter((event) => event.kind === kind).map(({ body }) => body);

export const stdoutOf = (events: readonly Seen[]) => bodiesOf(events, "step_finished").map(({ stdout }) => stdout);
