import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createReader, faultOf, head } from "../../../../../capabilities/notes/servers/read-reply.ts";
import type { ToolAnswer } from "../../../../../src/domain/tool.ts";
import { canned, fails, says } from "./canned.ts";

const Shape = z.object({ noteId: z.string(), title: z.string() });
const QUESTION = { tool: "get_note", args: { depth: 1 } };
const SOUND = { noteId: "a1", title: "One" };

const asking = (answer: ToolAnswer) => {
  const { call, sent } = canned({ get_note: answer });
  const reader = createReader(call, (words, id) => words === `no ${id}`);
  return { sent, about: () => reader.aboutNote("a1", QUESTION, Shape), ask: () => reader.ask(QUESTION, Shape) };
};

describe("a reply about a note", () => {
  test("is asked for with the note's id and the rest of the arguments", async () => {
    const { about, sent } = asking(says(SOUND));
    expect(await about()).toEqual(SOUND);
    expect(sent).toEqual([{ tool: "get_note", args: { noteId: "a1", depth: 1 } }]);
  });

  test("may have further fields, and content that is no text", async () => {
    const content = [
      { type: "image", data: "", mimeType: "image/png" },
      { type: "text", text: JSON.stringify({ ...SOUND, more: [1] }) },
    ];
    expect(await asking({ ok: true, stdout: JSON.stringify({ content, _meta: {} }) }).about()).toEqual(SOUND);
  });

  test.each([
    ["a failed call", fails("no a1")],
    ["an error that comes as content", says({ error: "no a1" })],
    ["an error beside other fields", says({ error: "no a1", noteId: "a1", hint: "search" })],
  ])("is null when the server says that there is no such note, in %s", async (_how, answer) => {
    expect(await asking(answer).about()).toBeNull();
  });

  test.each([
    ["another note that is missing", fails("no a2"), "refused", "no a2"],
    ["words about something else", fails("no a1 session"), "refused", "no a1 session"],
    ["a failure of the tool", fails("it broke"), "refused", "it broke"],
    ["a call that never arrived", fails("ECONNREFUSED", false), "unreachable", "ECONNREFUSED"],
    ["a call without an answer", fails("too late", "unknown"), "unreachable", "too late"],
    ["a refusal in the protocol's own error", fails("MCP error -32602: denied", false), "refused", "denied"],
    ["a soft error", says({ error: "it broke" }), "refused", "get_note: it broke"],
    ["a soft error beside the note itself", says({ ...SOUND, error: "half of it" }), "refused", "half of it"],
    ["a soft error that is an object", says({ ...SOUND, error: { code: 7 } }), "refused", '{"code":7}'],
    ["an empty soft error", says({ ...SOUND, error: "" }), "refused", "get_note"],
    ["success: false", says({ ...SOUND, success: false, message: "not today" }), "refused", "not today"],
    ["a success that is no boolean", says({ ...SOUND, success: "false" }), "refused", "false"],
    ["a question back", says({ ...SOUND, requiresBranchId: true, message: "which?" }), "refused", "which?"],
    ["another note", says({ ...SOUND, noteId: "a2" }), "unreadable", "it is about the note a2, and a1 was asked for"],
    ["a field that is missing", says({ noteId: "a1" }), "unreadable", "title"],
    ["a field of another type", says({ ...SOUND, title: 5 }), "unreadable", "title"],
    ["plain words", says("Here is your note!"), "unreadable", "it is no JSON: Here is your note!"],
    ["half of a JSON", says('{"noteId": "a1", "ti'), "unreadable", "it is no JSON"],
    ["no text", says(), "unreadable", "it has 0 texts"],
    ["two texts", says(SOUND, SOUND), "unreadable", "it has 2 texts"],
    ["null", says("null"), "unreadable", "get_note"],
    ["a list", says([SOUND]), "unreadable", "get_note"],
    ["a result that is no result", { ok: true, stdout: '"yes"' }, "unreadable", "no result of a tool"],
    ["a result without content", { ok: true, stdout: "{}" }, "unreadable", "no result of a tool"],
    ["output that is no JSON", { ok: true, stdout: "<html>" }, "unreadable", "<html>"],
    ["a nesting without end", says("[".repeat(5_000) + "]".repeat(5_000)), "unreadable", "nested deeper"],
    ["a key of the prototype", says('{"noteId":"a1","title":"x","__proto__":{}}'), "unreadable", "__proto__"],
  ] as const)("is a fault when it is %s", async (_what, answer, code, words) => {
    await expect(asking(answer).about()).rejects.toMatchObject({
      name: "NotesFault",
      code,
      message: expect.stringContaining(words),
    });
  });
});

test("a reply about no note in particular has no note that can be missing", async () => {
  await expect(asking(fails("no a1")).ask()).rejects.toMatchObject({ code: "refused", message: "get_note: no a1" });
  expect(await asking(says(SOUND)).ask()).toEqual(SOUND);
});

test("long words are cut to their head, within no character", () => {
  expect(head("x".repeat(500))).toBe("x".repeat(500));
  expect(head(`${"x".repeat(499)}😀 and so on`)).toBe(`${"x".repeat(499)}\uFFFD…`);
});

describe("the code of a fault", () => {
  test.each([
    ['HTTP 401 {"error":"Use \'Authorization: Bearer <token>\'"}', "unreachable", "token_refused"],
    ["MCP error -32602: Request failed with status code 401", "refused", "token_refused"],
    ["**Error**: no\n**Status**: 401 (NOT_AUTHENTICATED)", "refused", "token_refused"],
    ['HTTP 403 {"error":"MCP server is disabled. Enable it in the options."}', "unreachable", "disabled"],
    ['HTTP 403 {"error":{"message":"Invalid Host header: notes:8080"}}', "unreachable", "host_refused"],
    ["HTTP 403 no", "unreachable", "unreachable"],
    ["HTTP 429 slow down", "unreachable", "too_many_requests"],
    ["HTTP 502 Bad Gateway", "unreachable", "application_down"],
    ["MCP error -32603: connect ECONNREFUSED 127.0.0.1:8080", "refused", "application_down"],
    ["connect ECONNREFUSED 127.0.0.1:8080", "unreachable", "unreachable"],
    ["the tool was run, and its answer is not kept: the answer has more than 4194304 bytes", "refused", "too_long"],
    ["it broke", "refused", "refused"],
    ["Note 401 is not there", "refused", "refused"],
  ] as const)("names the cause: %s", (words, otherwise, code) => {
    expect(faultOf("get_note", words, otherwise)).toMatchObject({ name: "NotesFault", code });
  });

  test("comes with the words of the server, but for those about the form of a token", () => {
    expect(faultOf("get_note", "HTTP 502 Bad Gateway", "unreachable").message).toBe("get_note: HTTP 502 Bad Gateway");
    const { message } = faultOf("get_note", "HTTP 401 use Authorization: Bearer <token>", "unreachable");
    expect(message).toBe("get_note: HTTP 401: MCP_NOTES_TOKEN is missing, or is another than the server takes");
  });
});
