// Finds the kind of a notes server from its list of tools, or from NOTES_TOOLSET (D-118).
import type { Tool } from "../../src/domain/tool.ts";
import type { SkillContext } from "../../src/ports.ts";
import { NotesFault, type NotesServer } from "./notes-server.ts";
import { CHILDREN_LIST_TOOLS, createChildrenListServer } from "./servers/children-list.ts";
import { createOrganizerServer, ORGANIZER_TOOLS } from "./servers/organizer.ts";
import { type CallTool, faultOf } from "./servers/read-reply.ts";
import { createSubtreeServer, SUBTREE_TOOLS } from "./servers/subtree.ts";

type Toolset = {
  readonly name: string;
  /** Only this kind of server has these tools. */
  readonly signs: readonly string[];
  readonly needs: readonly string[];
  readonly create: (call: CallTool) => NotesServer;
};

const TOOLSETS: readonly Toolset[] = [
  { name: "subtree", signs: ["get_subtree", "get_child_notes"], needs: SUBTREE_TOOLS, create: createSubtreeServer },
  { name: "organizer", signs: ["organize_note"], needs: ORGANIZER_TOOLS, create: createOrganizerServer },
  {
    name: "children_list",
    signs: ["list_children_notes"],
    needs: CHILDREN_LIST_TOOLS,
    create: createChildrenListServer,
  },
];

type Environment = { readonly NOTES_TOOLSET?: string | undefined };

/** Reads the list of tools. A NotesFault `unknown_tools` names the missing tools, or the values of NOTES_TOOLSET. */
export async function createNotesServer(
  ctx: Pick<SkillContext, "call" | "listTools">,
  server = "notes",
  environment: Environment = process.env,
): Promise<NotesServer> {
  const wanted = toolsetIn(environment);
  const listed = await ctx.listTools(server);
  if (!listed.ok) throw faultOf(`the tools of ${server} cannot be listed`, listed.stderr, "unreachable");
  const { create } = choose(listed.tools, server, wanted);
  return create((tool, args) => ctx.call(server, tool, args));
}

/** Null: detect it. */
function toolsetIn({ NOTES_TOOLSET = "" }: Environment): Toolset | null {
  const name = NOTES_TOOLSET.trim() || "auto";
  const wanted = TOOLSETS.find((toolset) => toolset.name === name) ?? null;
  if (wanted !== null || name === "auto") return wanted;
  throw unknownTools(`NOTES_TOOLSET is ${JSON.stringify(name)}; it may be auto, ${NAMES}`);
}

function choose(tools: readonly Tool[], server: string, wanted: Toolset | null): Toolset {
  const names = new Set(tools.map(({ name }) => name));
  const lacks = (needed: readonly string[]): readonly string[] => needed.filter((name) => !names.has(name));
  const [found, ...others] = wanted === null ? TOOLSETS.filter(({ signs }) => lacks(signs).length === 0) : [wanted];
  if (found === undefined) {
    throw unknownTools(`${server} has none of the tools of a notes server (${SIGNS}); it has ${shown([...names])}`);
  }
  if (others.length > 0) {
    const both = [found, ...others].map(({ name }) => name).join(" and ");
    throw unknownTools(`${server} has the tools of more than one notes server; set NOTES_TOOLSET to one of ${both}`);
  }
  const missing = lacks(found.needs);
  if (missing.length === 0) return found;
  const has = `it has ${shown([...names])}`;
  throw unknownTools(`${server} lacks tools that are needed (toolset ${found.name}): ${missing.join(", ")}; ${has}`);
}

const NAMES = TOOLSETS.map(({ name }) => name).join(", ");
const SIGNS = TOOLSETS.map(({ name, signs }) => `${name}: ${signs.join(" and ")}`).join("; ");

const SHOWN = 40;

function shown(names: readonly string[]): string {
  if (names.length === 0) return "no tools";
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return `${names.slice(0, SHOWN).join(", ")}${more}`;
}

const unknownTools = (message: string): NotesFault => new NotesFault("unknown_tools", message);
