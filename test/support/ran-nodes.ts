// Lists the nodes of the pipeline that LangGraph has run of each task, as they announce themselves.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { z } from "zod";
import { PIPELINE_NODES } from "../../src/domain/pipeline.ts";

const Beginning = z.object({ name: z.string(), state: z.object({ contract: z.object({ task_id: z.string() }) }) });
const KNOWN: ReadonlySet<string> = new Set(PIPELINE_NODES);

/** A node that waited runs again when it was answered, and counts once. */
const once = (nodes: readonly string[]): string[] => nodes.filter((node, at) => node !== nodes[at - 1]);

export function watchNodes() {
  const ran = new Map<string, string[]>();
  const note = (message: unknown) => {
    const { success, data } = Beginning.safeParse(message);
    if (!success || !KNOWN.has(data.name)) return;
    const { task_id } = data.state.contract;
    ran.set(task_id, [...(ran.get(task_id) ?? []), data.name]);
  };
  subscribe("orch:node", note);
  return {
    ranOf: (task_id: string): string[] => once(ran.get(task_id) ?? []),
    [Symbol.dispose]: () => void unsubscribe("orch:node", note),
  };
}
