// Lists the tools that an agent is offered: those that the tool servers in scope list, a shell and the edit of a file when
// `shell` is in scope, and those of skills whose scope the contract names [5.4]. The agent cannot call any other.
import { z } from "zod";
import { type AgentCall, FileEdit, Flag, OfferedFinish } from "../../domain/agent-events.ts";
import { READ_ONLY_INTENTS, scopeOf, type TaskContract } from "../../domain/contract.ts";
import { withoutControlTokens } from "../../domain/data-document.ts";
import { redactedJson } from "../../domain/json.ts";
import { isRecord } from "../../domain/json-values.ts";
import { counted } from "../../domain/printable.ts";
import { Step, withUnixLines } from "../../domain/step.ts";
import type { Tool } from "../../domain/tool.ts";
import type { OfferedSkillTool, ToolServers } from "../../ports.ts";
import type { OfferedTool, ToolWords } from "./agent-message.ts";
import { fitTools, schemaOf, withoutNoise } from "./fit-tools.ts";
import { type FrameDeps, frameOf, toolRoom } from "./transcript.ts";

export const EDIT = "edit_file";

/** Reads the edit that a call of edit_file asks for. */
export const editIn = ({ name, arguments: given }: Pick<AgentCall, "name" | "arguments">): FileEdit | undefined =>
  name === EDIT ? FileEdit.safeParse(given).data : undefined;

/**
 * The tool that replaces exact text in a file. Its call is a command like any other, so policy, containment, evidence and drafts
 * know it: bash reads the file, compares bytes and writes it. The texts are literals in it, of which bash expands nothing
 * (D-251). With LC_ALL=C, texts are bytes: a file in another encoding stays as it is. `$(...)` drops line ends, so a dot guards
 * them.
 */
export function editCommand({ path, old_text, new_text }: FileEdit): string {
  const [file, old, text] = [path, old_text, new_text].map(literal);
  if (old_text === "") {
    return `file=${file}
new=${text}
[[ ! -e $file ]] || { echo "$file exists: give the text in it to replace" >&2; exit 1; }
printf '%s' "$new" > ${file}`;
  }
  return `LC_ALL=C
file=${file}
old=${old}
new=${text}
text=$(cat -- ${file} && echo .)
text=\${text%.}
[[ \${#text} -eq $(wc -c < ${file}) ]] || { echo "$file is no text" >&2; exit 1; }
[[ $text == *"$old"* ]] || { echo "old_text does not occur in $file" >&2; exit 1; }
[[ $text != *"$old"*"$old"* ]] || { echo "old_text occurs more than once in $file: give more of its lines" >&2; exit 1; }
text=\${text/"$old"/"$new"}
printf '%s' "$text" > ${file}`;
}

const literal = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export const SHELL = "shell";

export const FINISH = "finish";

/** The tool that a name refers to. */
export type Entry =
  | { readonly is: "shell" }
  | { readonly is: "edit" }
  | { readonly is: "finish" }
  | { readonly is: "server"; readonly server: string; readonly tool: Tool }
  | { readonly is: "skill"; readonly tool: OfferedSkillTool };

export type AgentCatalogue = {
  readonly offered: readonly OfferedTool[];
  readonly entries: ReadonlyMap<string, Entry>;
  /** Tool servers in scope that did not list their tools, or of which tools are left out, and why. */
  readonly missing: readonly string[];
  /** The tools that do not fit into the model's context. */
  readonly left_out: readonly string[];
};

const LISTING_MS = 10_000;

const MAX_TOOLS = 128;

const MAX_DESCRIPTION = 1_024;

const MAX_SCHEMA = 16_384;

const ANY_OBJECT = { type: "object" };

const NEEDED: ReadonlySet<string> = new Set([FINISH, SHELL, EDIT]);

const isOf = (entry: Entry, server: string): boolean => entry.is === "server" && entry.server === server;

type Redact = (text: string) => string;

/** Descriptions of servers and tools are redacted: they are stored, and shown to the model. */
type Deps = FrameDeps & { readonly toolServers: Pick<ToolServers, "names" | "listTools"> };

export async function createCatalogue(
  deps: Deps,
  contract: TaskContract,
  signal: AbortSignal,
): Promise<AgentCatalogue> {
  const scope = scopeOf(contract);
  const entries = new Map<string, Entry>([[FINISH, { is: "finish" }]]);
  const missing: string[] = [];
  if (scope.has(SHELL)) {
    entries.set(SHELL, { is: "shell" });
    if (!READ_ONLY_INTENTS.has(contract.intent)) entries.set(EDIT, { is: "edit" });
  }
  for (const tool of deps.agent.skill_tools) {
    if (scope.has(tool.scope.toLowerCase())) entries.set(nameOf(tool.skill, tool.name), { is: "skill", tool });
  }
  for (const server of [...deps.toolServers.names].filter((name) => scope.has(name))) {
    const listed = await deps.toolServers.listTools(server, { limit_ms: LISTING_MS, signal });
    if ("fault" in listed) missing.push(deps.redact(`${server}: ${listed.fault}`));
    // A name that contains a secret would put it into every call (D-147).
    else {
      for (const tool of listed.tools) if (deps.redact(tool.name) === tool.name) place(entries, server, tool);
      const left_out = listed.tools.length - [...entries.values()].filter((one) => isOf(one, server)).length;
      if (left_out > 0)
        missing.push(
          `${server}: ${counted(left_out, "tool")} of ${listed.tools.length} left out: at most ${MAX_TOOLS} are offered, each name once`,
        );
    }
  }
  const all = [...entries].map(([name, entry]) => offered(name, entry, deps.redact));
  const frame = frameOf(deps, contract, { missing, left_out: [], ...usableIn({ entries }) });
  const room_tokens = toolRoom((await deps.agent.model?.context()) ?? null, frame);
  const { offered: fitting, left_out } = fitTools(all, { room_tokens, task: frame.task, needed: NEEDED });
  for (const name of left_out) entries.delete(name);
  return { offered: fitting, entries, missing, left_out };
}

/** Names the means by which an agent can check its work: a shell, and tools that only read. */
export const usableIn = ({ entries }: Pick<AgentCatalogue, "entries">) => ({
  has_shell: entries.has(SHELL),
  readers: [...entries].flatMap(([name, entry]) => (entry.is === "server" && canExpect(entry.tool) ? [name] : [])),
});

/** Whether a call of the tool may have `expect`, as a check step has. */
export const canExpect = ({ effect, input_schema }: Tool): boolean => {
  const { properties } = input_schema;
  return effect === "reads" && !(isRecord(properties) && EXPECT in properties);
};

/** The argument of a call that says what it expects. */
export const EXPECT = "expect";

const EXPECTED: OfferedTool["parameters"] = {
  type: "object",
  description: "makes the call a check of its answer: {path, equals} or {path, contains}; path is a JSON pointer",
};

/** Models accept names of letters, digits, _ and -, at most 64 characters long. */
export const nameOf = (owner: string, tool: string): string => `${owner}__${tool}`.replace(/[^\w-]/g, "_").slice(0, 64);

function place(entries: Map<string, Entry>, server: string, tool: Tool): void {
  const name = nameOf(server, tool.name);
  if (entries.size < MAX_TOOLS && !entries.has(name)) entries.set(name, { is: "server", server, tool });
}

const ShellCall = z.strictObject({
  command: Step.options[0].shape.value,
  check: z.boolean().default(false).describe("true for a check"),
});

/** A call of it, as it is read. */
export const ShellInput = ShellCall.extend({
  command: ShellCall.shape.command.overwrite(withUnixLines),
  check: Flag.default(false),
});

const SHELL_TOOL: ToolWords = {
  description:
    "Runs a bash command and returns its exit code and output. It ends at its first error (set -euo pipefail), except in a check. Its network: only hosts that the contract names.",
  parameters: schemaOf(ShellCall),
};

const EDIT_TOOL: ToolWords = {
  description: "Replaces text in a file, without any quoting.",
  parameters: schemaOf(FileEdit),
};

const FINISH_TOOL: ToolWords = {
  description: "Ends the task. Each check must have exited with 0 after the last change, and must be able to fail.",
  parameters: schemaOf(OfferedFinish),
};

function offered(name: string, entry: Entry, redact: Redact): OfferedTool {
  if (entry.is === "shell") return { name, ...SHELL_TOOL };
  if (entry.is === "edit") return { name, ...EDIT_TOOL };
  if (entry.is === "finish") return { name, ...FINISH_TOOL };
  if (entry.is === "skill")
    return { name, description: entry.tool.description, parameters: schemaOf(entry.tool.parameters) };
  const { description, input_schema: schema } = entry.tool;
  const input_schema = canExpect(entry.tool) ? withExpect(schema) : schema;
  const shown = (text: string) => withoutControlTokens(redact(text));
  const isLarge = JSON.stringify(input_schema).length > MAX_SCHEMA;
  const parameters = isLarge ? ANY_OBJECT : schemaAs(input_schema, shown);
  return { name, description: shown(description).slice(0, MAX_DESCRIPTION).toWellFormed(), parameters };
}

const withExpect = (schema: Tool["input_schema"]): Tool["input_schema"] => ({
  ...schema,
  properties: {
    ...(isRecord(schema["properties"]) && (schema["properties"] as Tool["input_schema"])),
    [EXPECT]: EXPECTED,
  },
});

const schemaAs = (schema: Tool["input_schema"], shown: Redact): OfferedTool["parameters"] =>
  Object.fromEntries(
    Object.entries(withoutNoise(schema)).map(([key, value]) => [shown(key), redactedJson(shown, value)]),
  );
