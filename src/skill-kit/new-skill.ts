// The files of a new skill: a handler that works, what tries it, and what an editor needs.
import { importPaths, TYPE_OPTIONS, typeRoots } from "./compiler-check.ts";

/** Text by name. `directory` is where they go. */
export function newSkill(name: string, directory: string): Readonly<Record<string, string>> {
  const intent = intentOf(name);
  return {
    "handler.ts": handler(intent),
    "test.ts": test(intent),
    "README.md": readme(name, intent),
    "package.json": json({ name, private: true, type: "module" }),
    "tsconfig.json": json({
      compilerOptions: { ...TYPE_OPTIONS, typeRoots: typeRoots(directory), paths: importPaths() },
      exclude: ["node_modules"],
    }),
  };
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const handler = (intent: string): string => `// Handles ${intent}: sets each item of the payload, after an approval.

import { notApproved, requestApproval, waitForApproval } from "orch/approval";
import type { TaskContract } from "orch/domain/contract";
import type { SkillEnd } from "orch/domain/skill";
import type { SkillContext } from "orch/ports";
import { z } from "zod";

export const HANDLED_INTENTS = ["${intent}"];

const isOnce = (names: readonly string[]) => new Set(names).size === names.length;
const Items = z.array(z.string()).min(1, "must name an item").refine(isOnce, "must name each item once");
const Payload = z.object({ items: Items });

export async function handle(ctx: SkillContext, task: TaskContract): Promise<SkillEnd> {
  const { success, data, error } = Payload.safeParse(task.payload);
  if (!success) {
    const wrong = error.issues.map(({ path, message }) => \`\${["payload", ...path].join(".")}: \${message}\`);
    // A message has at most 4,096 characters.
    return { status: "blocked", code: "payload_invalid", message: wrong.slice(0, 10).join("; ") };
  }
  const details = data.items.map((item) => \`set \${item}\`);
  const approval_id = await requestApproval(ctx, { action: "Set items", details, data });
  const decided = await waitForApproval(ctx, approval_id);
  if (decided.status !== "approved") return notApproved(decided);
  for (const item of data.items) {
    const set = () => ctx.call("${intent}", "set", { item });
    // The third argument is for a server that was killed in the step: set twice is set.
    const answer = await ctx.step(\`set \${item}\`, set, set);
    if (!answer.ok) return { status: "failed", code: "not_set", message: \`\${item} is not set: \${answer.stderr}\` };
  }
  return { status: "ok", code: "items_set", message: \`\${data.items.length} items are set.\` };
}
`;

const test = (intent: string): string => `// How \`orch skill test\` tries this skill.
import type { SkillTest } from "orch/skill-test";

export const TEST: SkillTest = {
  // A new world for each task. Call \`changed\` for what really changes: an item that is set already does not.
  open: ({ changed }) => {
    const done = new Set<string>();
    const set = ({ item }: { item: string }) => {
      if (item === "broken") throw new Error("it cannot be set");
      if (!done.has(item)) changed(\`\${item} is set\`);
      done.add(item);
      return "set";
    };
    return { servers: { ${intent}: { set: { effect: "changes", run: set } } } };
  },
  task: { intent: "${intent}", payload: { items: ["one", "two"] } },
  code: "items_set",
  changes: ["one is set", "two is set"],
  asks: true,
  wrong: [
    { field: "payload.items", payload: {} },
    { field: "payload.items", payload: { items: [] } },
    { field: "payload.items.0", payload: { items: [1] } },
    { field: "payload.items", payload: { items: ["one", "one"] } },
  ],
  cases: [
    {
      title: "an item that cannot be set ends the task",
      task: { payload: { items: ["one", "broken", "two"] } },
      status: "failed",
      code: "not_set",
      changes: ["one is set"],
    },
  ],
};
`;

const readme = (name: string, intent: string): string => `# ${name}

A skill for orch that handles \`${intent}\`.

| file | holds |
|---|---|
| \`handler.ts\` | the handler: what is done, and what is asked before |
| \`test.ts\` | how it is tried: a task with imitated servers, and what has to come of it |
| \`tools.ts\` | not there yet: tools for agents, if the skill is to have any |
| \`tsconfig.json\` | for your editor: where orch is on this machine. \`orch skill check\` does not read it |

## What to do next

1. Write in \`test.ts\` what the skill is to do, and which servers it calls.
2. Write \`handler.ts\`. \`orch skill check .\` names every fault with its line, \`orch skill test .\` tries the skill: it also stops and
   cancels a task after each of its commits.
3. Start orch with the directory that holds this one, and with the address of each server that the skill calls, in \`MCP_<NAME>_URL\`: the
   name that \`ctx.call\` uses, in upper case:
   \`ORCH_CAPABILITIES=$(dirname "$PWD") MCP_${intent.toUpperCase()}_URL=http://127.0.0.1:9000/mcp orch serve\`
4. Have a task of it: \`orch run ${intent} --mode known_only --scope ${intent} --payload 'items=["one"]' --wait\`

How a handler is written, and what \`test.ts\` and \`tools.ts\` may have, is in docs/skills.md of orch.
`;

// The names that a skill may have: that of its directory, which is in the names of its tools.

const NAME = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;
const MAX_NAME = 32;

/** What is wrong with the name, as the rest of a sentence; null when nothing is. */
export const nameFault = (name: string): string | null =>
  NAME.test(name) && name.length <= MAX_NAME
    ? null
    : `${JSON.stringify(name)} is no name for a skill: use lower case letters, digits, and - or _ between them, at most ${MAX_NAME}`;

/** The first intent of a new skill. */
export const intentOf = (name: string): string => name.replaceAll("-", "_");
