import { describe, expect, test } from "vitest";
import { createNotesServer } from "../../../../../capabilities/notes/find-toolset.ts";
import type { SkillContext } from "../../../../../src/ports.ts";
import { canned, says } from "./canned.ts";

const SUBTREE = [
  ...["get_subtree", "get_child_notes", "get_note", "get_note_content", "search_notes"],
  ...["move_note", "set_note_content", "append_to_note"],
];
const ORGANIZER = ["organize_note", "get_note_tree", "get_note", "search_notes", "write_note"];
const CHILDREN_LIST = ["list_children_notes", "get_note", "search_notes", "move_note", "update_note"];

const tool = (name: string) => ({
  name,
  description: "",
  input_schema: {},
  effect: "unknown" as const,
  idempotent: false,
});

function contextWith(names: readonly string[] | { readonly fault: string }) {
  const meta = { noteId: "a", title: "A", type: "text", parentNoteIds: [] };
  const { call, sent } = canned({ get_note: says(meta) });
  const servers: string[] = [];
  const ctx: Pick<SkillContext, "call" | "listTools"> = {
    call: (server, name, args) => {
      servers.push(server);
      return call(name, args);
    },
    listTools: async (server) => {
      servers.push(server);
      return "fault" in names ? { ok: false, stderr: names.fault } : { ok: true, tools: names.map(tool) };
    },
  };
  return { ctx, sent, servers };
}

const NOTE_ARGS = { subtree: {}, organizer: { include_content: false }, children_list: { includeContent: false } };

describe("the toolset is", () => {
  test.each([
    ["subtree", SUBTREE],
    ["organizer", ORGANIZER],
    ["children_list", CHILDREN_LIST],
  ] as const)("%s, found by its tools, of which there may be more", async (name, names) => {
    for (const NOTES_TOOLSET of [undefined, "", "auto", " auto ", name]) {
      const { ctx, sent, servers } = contextWith(["delete_note", ...names]);
      const server = await createNotesServer(ctx, "zettel", { NOTES_TOOLSET });
      await server.note("a");
      expect(sent[0]?.args).toEqual({ noteId: "a", ...NOTE_ARGS[name] });
      expect(servers).toEqual(["zettel", "zettel"]);
    }
  });

  test("that of the environment where a server has the tools of two", async () => {
    const { ctx, sent } = contextWith([...SUBTREE, ...ORGANIZER]);
    await (await createNotesServer(ctx, "notes", { NOTES_TOOLSET: "organizer" })).note("a");
    expect(sent[0]?.args).toHaveProperty("include_content");
  });
});

describe("it is a fault, in words that help, when", () => {
  const faultOf = async (names: Parameters<typeof contextWith>[0], NOTES_TOOLSET?: string) => {
    const { ctx, sent } = contextWith(names);
    const end = await createNotesServer(ctx, "notes", { NOTES_TOOLSET }).catch((error: unknown) => error);
    expect(sent).toEqual([]);
    return end;
  };
  const fault = (code: string, ...words: readonly string[]) =>
    expect.objectContaining({
      name: "NotesFault",
      code,
      message: expect.toSatisfy((message: string) => words.every((word) => message.includes(word))),
    });

  test("none is known: what there is, and what is needed", async () => {
    const end = await faultOf(["create_issue", "get_note"]);
    expect(end).toEqual(
      fault(
        "unknown_tools",
        "create_issue, get_note",
        "get_subtree and get_child_notes",
        "organize_note",
        "list_children_notes",
      ),
    );
  });

  test("there are no tools, or more than can be read", async () => {
    expect(await faultOf([])).toEqual(fault("unknown_tools", "it has no tools"));
    const many = Array.from({ length: 60 }, (_, at) => `tool_${at}`);
    expect(await faultOf(many)).toEqual(fault("unknown_tools", "tool_39 and 20 more"));
  });

  test.each([
    ["subtree", SUBTREE.filter((name) => !["move_note", "append_to_note"].includes(name)), "move_note, append_to_note"],
    ["organizer", ["organize_note", "get_note"], "get_note_tree, search_notes, write_note"],
    ["children_list", CHILDREN_LIST.filter((name) => name !== "update_note"), "update_note"],
  ])("tools of %s are missing: which", async (name, names, missing) => {
    expect(await faultOf(names)).toEqual(fault("unknown_tools", `(toolset ${name}): ${missing};`));
  });

  test("the one that is set is not there", async () => {
    expect(await faultOf(ORGANIZER, "subtree")).toEqual(fault("unknown_tools", "get_subtree", "toolset subtree"));
  });

  test("the one that is set is not known, and no tools are listed for it", async () => {
    const { ctx, servers } = contextWith(SUBTREE);
    const end = await createNotesServer(ctx, "notes", { NOTES_TOOLSET: "Subtree" }).catch((error: unknown) => error);
    expect(end).toEqual(fault("unknown_tools", '"Subtree"', "auto, subtree, organizer, children_list"));
    expect(servers).toEqual([]);
  });

  test("a server has the tools of two", async () => {
    expect(await faultOf([...SUBTREE, ...CHILDREN_LIST])).toEqual(
      fault("unknown_tools", "NOTES_TOOLSET", "subtree and children_list"),
    );
  });

  test("the tools cannot be listed", async () => {
    expect(await faultOf({ fault: "no route" })).toEqual(fault("unreachable", "notes", "no route"));
    expect(await faultOf({ fault: "HTTP 401 {}" })).toEqual(fault("token_refused", "notes", "HTTP 401"));
  });
});
