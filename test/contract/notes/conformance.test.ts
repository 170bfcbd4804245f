// The cases of `npm run notes:conformance` on the three simulated notes servers, one that fails them, and what the command says.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { TOOLS } from "../../../capabilities/notes/tools.ts";
import { CASES, conform } from "../../support/notes/conformance-cases.ts";
import { openNotes, PROFILES } from "./open-notes.ts";

const COMMAND = new URL("../../conformance/notes/run.ts", import.meta.url).pathname;

async function commanded(args: readonly string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [COMMAND, ...args], { env: { PATH: process.env["PATH"], ...environment } });
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { out, err, code };
}

test("the cases run every operation", () => {
  const operations = new Set([...CASES.values()].map(({ operation }) => operation));
  const all = [...TOOLS.map(({ name }) => name), "apply_note_moves", "execute_move_plan"];
  expect([...operations].sort()).toEqual(all.sort());
});

describe.each(PROFILES)("on the notes server %s", (profile) => {
  test("all operations conform, and leave the rest of the tree alone", async () => {
    await using server = await openNotes(profile);
    server.model.add({ note_id: "scratch", title: "Scratch" });
    server.model.add({ note_id: "other", title: "Other" });
    const { out, err, code } = await commanded(["--under", "scratch"], { MCP_NOTES_URL: server.url });
    expect([err, code]).toEqual(["", 0]);
    const [top = ""] = server.model.childrenOf("scratch");
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(CASES.size + 2);
    expect(lines[0]).toContain(`(${top}), below scratch`);
    expect(lines.slice(1, -1).filter((line) => !line.startsWith("ok "))).toEqual([]);
    expect(lines.at(-1)).toBe(`12 of 12 passed. The scratch subtree stays: delete ${top} in the application.`);
    expect(server.model.childrenOf("root")).toEqual(["scratch", "other"]);
  });

  test("a note that is not there, and a server that makes no notes, are one line each, with what to do", async () => {
    await using server = await openNotes(profile);
    const unknown = await commanded(["--under", "nowhere"], { MCP_NOTES_URL: server.url });
    expect(unknown).toEqual({
      out: "",
      err: expect.stringMatching(
        /^Nothing was run: The note nowhere is not there\. Next: .*--under the id of a note.*\n$/,
      ),
      code: 69,
    });
    server.switches.refuse_write = true;
    const refused = await commanded(["--under", "root"], { MCP_NOTES_URL: server.url });
    expect([refused.out, refused.code]).toEqual(["", 69]);
    expect(refused.err).toMatch(
      /^Nothing was run: "orch conformance [^\n]*was not made under root: [^\n]* Next: [^\n]*\n$/,
    );
  });
});

test.each([
  ["no server", ["--under", "root"], "http://127.0.0.1:1/mcp", 69, /unreachable|ECONNREFUSED|refused/i],
  ["no address", ["--under", "root"], "notes", 64, /^MCP_NOTES_URL must be an address/],
  ["no note", [], "http://127.0.0.1:1/mcp", 64, /^--under is missing/],
  ["another option", ["--below", "root"], "http://127.0.0.1:1/mcp", 64, /^--under is missing/],
])("%s is one line, with what to do", async (_, args, url, code, words) => {
  const said = await commanded(args, { MCP_NOTES_URL: url });
  expect([said.out, said.code]).toEqual(["", code]);
  expect(said.err).toMatch(words);
  expect(said.err.trimEnd().split("\n")).toHaveLength(1);
});

test("a notes server that says that it has moved, and has not, does not conform", async () => {
  await using server = await openNotes("native");
  server.switches.before_write = ({ tool }) => {
    server.switches.lying_success = tool === "move_note";
  };
  const { out, code } = await commanded(["--under", "root"], { MCP_NOTES_URL: server.url });
  expect(code).toBe(1);
  expect(out).toMatch(
    /FAILED {2}the plan is carried out \(execute_move_plan\): expected moved, found not_verified: [^\n]+ Next: look at the note/,
  );
  expect(out).toMatch(/FAILED {2}the plan is undone [^\n]+ found not run Next: see to "the plan is carried out" first/);
  expect(out).toMatch(/\n9 of 12 passed/);
});

test("a case that fails says which code was expected, and what was found", async () => {
  await using server = await openNotes("git");
  const cases = new Map([
    ["it is gone", { operation: "list_children", payload: () => ({ note_id: "x" }), code: "children_listed" }],
  ]);
  const conformance = await conform(server.tools, "root", cases);
  expect(conformance).toMatchObject({
    is: "ended",
    findings: [{ is_ok: false, expected: "children_listed", found: "not_found: The note x is not there." }],
  });
});
