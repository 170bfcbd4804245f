// The effects that can be counted: lines that commands append to a file, and calls that a tool server has received. It sometimes
// drops its answer after the call, so that the caller cannot know.
import { join } from "node:path";
import { linesOf } from "../support/orch-process.ts";
import { afterHandshake, rpcResult, sendJson, startRawServer } from "../support/tool-server.ts";
import { markOf } from "./plan.ts";
import type { Random } from "./random.ts";
import type { Acted } from "./supervisor.ts";

const DROPPED = 0.1;
const TOOLS = [{ name: "create", inputSchema: { type: "object" }, annotations: {} }];

export type Marks = {
  /** Where the tool server listens. */
  readonly url: string;
  readonly all: () => string[];
  readonly has: (mark: string) => boolean;
  readonly dropped: () => number;
} & AsyncDisposable;

export async function createMarks(data_dir: string, random: Random): Promise<Marks> {
  const calls: string[] = [];
  let dropped = 0;
  const server = await startRawServer(
    afterHandshake(({ body }, response) => {
      if (body.method === "tools/list") return sendJson(response, rpcResult(body.id, { tools: TOOLS }));
      if (body.method !== "tools/call") return sendJson(response, rpcResult(body.id, {}));
      calls.push(String(body.params.arguments.mark));
      if (!random.chance(DROPPED)) return sendJson(response, rpcResult(body.id, { content: [] }));
      dropped += 1;
      return response.destroy();
    }),
  );
  const all = () => [...linesOf(join(data_dir, "marks")), ...calls];
  return {
    url: server.url,
    all,
    has: (mark) => all().includes(mark),
    dropped: () => dropped,
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

export const actedByMarks =
  ({ has }: Marks): Acted =>
  async (task_id, index, kind) => {
    if (!has(markOf(task_id, index, kind))) return "no";
    return kind === "mcp_call" || has(`${task_id}.${index}.done`) ? "done" : "begun";
  };
