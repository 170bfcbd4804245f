// A version in use that was promoted, with files in the directory of its target and a tool server whose tools a test changes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyBundle } from "../../src/engine/evidence/verify/bundle.ts";
import { mcpCall } from "./builders.ts";
import { type ListedDefinition, startChangingTools } from "./changing-tools.ts";
import { type Engine, openEngine } from "./engine.ts";

export const DELETE: ListedDefinition = {
  name: "delete",
  description: "Deletes one entry",
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
};
export const OTHER: ListedDefinition = { name: "other", inputSchema: { type: "object" } };
export const READ: ListedDefinition = { ...OTHER, name: "read", annotations: { readOnlyHint: true } };
export const TOOLS = [DELETE, READ, OTHER];

export const SCOPE = { constraints: { implicit_scope: ["memory"], require_approval_for: [], max_minutes: 1 } };
export const KNOWN = { intent: "deploy", delegation_mode: "known_only", success_criteria: [], ...SCOPE };
export const deletes = mcpCall({ server: "memory", tool: "delete", arguments: { id: "1" } });
export const DONE = mcpCall({ server: "memory", tool: "read", arguments: {}, expect: { contains: "done" } });
export const ASKED = {
  status: "need_approval",
  outcome: { findings: [{ code: "safety.not_as_promoted", verdict: "ask" }] },
};

/** What does not verify in the evidence of a task. */
export async function evidenceFaults(engine: Pick<Engine, "call">, task_id: string): Promise<readonly string[]> {
  const bundle = await engine.call("get_evidence", { task_id });
  return verifyBundle(JSON.parse(JSON.stringify(bundle))).faults;
}

export async function openWithMemory(env: Readonly<Record<string, string>> = {}) {
  const memory = await startChangingTools(TOOLS);
  const engine = await openEngine({ env: { MCP_MEMORY_URL: memory.url, MCP_MEMORY_TOKEN: "a-token", ...env } });

  /** A directory with files. */
  function directoryWith(name: string, files: Readonly<Record<string, string>>): string {
    const directory = join(engine.directory, name);
    mkdirSync(directory, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);
    return directory;
  }

  return {
    memory,
    engine,
    directoryWith,
    /** A version that was promoted with these files beside it. */
    promoted: async (name: string, steps: readonly object[], files: Readonly<Record<string, string>> = {}) => {
      const directory = directoryWith(name, files);
      const target = { service: name, compose_dir: directory };
      await engine.learn("deploy", target, steps);
      let runs = 0;
      return {
        directory,
        target,
        write: (file: string, text: string) => writeFileSync(join(directory, file), text),
        ran: () => readFileSync(join(directory, "ran"), "utf8"),
        run: async () => {
          runs += 1;
          const task_id = `${name}-${runs}`;
          return { task_id, task: await engine.run(task_id, { ...KNOWN, target }) };
        },
      };
    },
    decide: async (task_id: string, decision: "approve" | "reject") => {
      const { approval_id } = await engine.approvalOf(task_id);
      await engine.call("approve", { approval_id, decision });
      return engine.outcomeOf(task_id);
    },
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await memory[Symbol.asyncDispose]();
    },
  };
}
