// The transport of the three simulated notes servers: sessions, Host, token, and faults before any tool.
import { execFile } from "node:child_process";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { startNotesServer } from "../../simulators/notes/notes-server.ts";
import { connectNotes, startNotes } from "../../support/notes/notes-client.ts";

const PROFILES = ["native", "git", "npm"] as const;
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const BARE = {
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name: "get_note", arguments: { noteId: "root" } },
};

async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    redirect: "manual",
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** fetch cannot set the Host header. */
const postAs = (url: string, host: string, headers: Readonly<Record<string, string>> = {}) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const sent = request(url, { method: "POST", headers: { ...HEADERS, ...headers, host } }, async (response) =>
      resolve({ status: response.statusCode, text: await text(response) }),
    );
    sent.on("error", reject).end(JSON.stringify(BARE));
  });

describe.each(PROFILES)("%s", (profile) => {
  test("goes through the handshake with the official client, and calls a tool as JSON and as a stream", async () => {
    await using notes = await startNotes(profile);
    expect(notes.client.getServerVersion()).toMatchObject({ name: "notes" });
    expect(await notes.json("get_note", { noteId: "root" })).toMatchObject({ noteId: "root" });
    const begin = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };
    expect((await post(notes.url, begin)).headers.get("content-type")).toBe("application/json");
    notes.switches.sse = true;
    expect((await post(notes.url, begin)).headers.get("content-type")).toBe("text/event-stream");
    expect(await notes.json("get_note", { noteId: "root" })).toMatchObject({ noteId: "root" });
    await notes.client.ping();
    expect(notes.calls()).toEqual([
      { tool: "get_note", args: { noteId: "root" } },
      { tool: "get_note", args: { noteId: "root" } },
    ]);
    expect(notes.writes()).toEqual([]);
  });

  test("annotates the reading tools when that is switched on", async () => {
    await using notes = await startNotes(profile);
    const plain = await notes.client.listTools();
    expect(plain.tools.filter(({ annotations }) => annotations !== undefined)).toEqual([]);
    notes.switches.annotate = true;
    const { tools } = await notes.client.listTools();
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
    expect(reading).toEqual(expect.arrayContaining(["get_note", "search_notes"]));
    expect(reading.filter((name) => /move|organize|set_|append|write|update|clone/.test(name))).toEqual([]);
  });

  test("refuses an unknown tool, and records the call", async () => {
    await using notes = await startNotes(profile);
    const asked = notes.ask("drop_everything", { now: true });
    if (profile === "npm") await expect(asked).rejects.toMatchObject({ code: -32_601 });
    else expect(await asked).toMatchObject({ isError: true });
    expect(notes.calls()).toEqual([{ tool: "drop_everything", args: { now: true } }]);
    expect(notes.writes()).toEqual([]);
  });

  test("refuses missing arguments", async () => {
    await using notes = await startNotes(profile);
    const asked = notes.ask("get_note", {});
    if (profile === "npm") await expect(asked).rejects.toMatchObject({ code: -32_602 });
    else expect(await asked).toMatchObject({ isError: true });
  });

  test("refuses a client that does not accept both content types, and a malformed message", async () => {
    await using server = await startNotesServer(profile);
    const begin = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };
    expect(await post(server.url, begin, { accept: "application/json" })).toMatchObject({ status: 406 });
    expect(await post(server.url, "{")).toMatchObject({ status: 400 });
    expect(server.calls()).toEqual([]);
  });
});

describe.each(["native", "npm"] as const)("%s has no sessions", (profile) => {
  test("so it answers a stateless call", async () => {
    await using server = await startNotesServer(profile);
    const { status, text: body } = await post(server.url, BARE);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ id: 7, result: { content: [{ type: "text" }] } });
  });

  test("so it serves nothing but POST", async () => {
    await using server = await startNotesServer(profile);
    expect((await fetch(server.url)).status).toBe(405);
    expect((await fetch(server.url, { method: "DELETE" })).status).toBe(405);
  });
});

describe("git has sessions", () => {
  test("so it refuses a call without a session or with an unknown one", async () => {
    await using server = await startNotesServer("git");
    expect(await post(server.url, BARE)).toMatchObject({ status: 400, text: '{"error":"missing_session_id"}' });
    expect(await post(server.url, BARE, { "mcp-session-id": "another" })).toMatchObject({ status: 404 });
    expect(server.calls()).toEqual([]);
  });

  test("so a restart or a DELETE ends them", async () => {
    await using notes = await startNotes("git");
    notes.forgetSessions();
    await expect(notes.ask("get_note", { noteId: "root" })).rejects.toMatchObject({ code: 404 });
    const begun = await post(notes.url, { jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    expect(await post(notes.url, BARE, session)).toMatchObject({ status: 200 });
    expect((await fetch(notes.url, { method: "DELETE", headers: session })).status).toBe(200);
    expect(await post(notes.url, BARE, session)).toMatchObject({ status: 404 });
  });
});

describe("before the tools", () => {
  test("native serves only a local Host, unless a token is required", async () => {
    await using server = await startNotesServer("native");
    expect(await postAs(server.url, "notes.example:8080")).toMatchObject({ status: 403 });
    expect(await postAs(server.url, "localhost:8080")).toMatchObject({ status: 200 });
    server.switches.bearer = "right";
    const authorization = { authorization: "Bearer right" };
    expect(await postAs(server.url, "notes.example:8080", authorization)).toMatchObject({ status: 200 });
    expect(server.calls()).toHaveLength(2);
  });

  test.each(["git", "npm"] as const)("%s serves any Host", async (profile) => {
    await using server = await startNotesServer(profile);
    expect((await postAs(server.url, "notes.example:8080")).status).toBe(profile === "git" ? 400 : 200);
  });

  test("a server can be disabled, refuse all tokens or redirect, for a number of requests", async () => {
    await using server = await startNotesServer("native", { switches: { disabled: 1 } });
    const disabled = await post(server.url, BARE);
    expect(disabled.status).toBe(403);
    expect(JSON.parse(disabled.text)).toEqual({ error: expect.stringMatching(/^MCP server is disabled/) });
    server.switches.unauthorized = 1;
    expect((await post(server.url, BARE)).status).toBe(401);
    server.switches.redirect = true;
    const { status, headers } = await post(server.url, BARE);
    expect(status).toBe(307);
    const there = headers.get("location") ?? "";
    expect(new URL(there).hostname).toBe("localhost");
    expect(server.calls()).toEqual([]);
    expect((await post(there, BARE)).status).toBe(200);
    expect(server.calls()).toHaveLength(1);
  });
});

test("the command line starts a server with a small tree", async () => {
  const file = new URL("../../simulators/notes/serve.ts", import.meta.url);
  const child = execFile(process.execPath, [fileURLToPath(file), "--profile", "native"]);
  try {
    const printed = new Promise<string>((resolve) => child.stdout?.once("data", (data) => resolve(String(data))));
    await using notes = await connectNotes((await printed).trim());
    const inbox = await notes.json("get_child_notes", { noteId: "inbox" });
    expect(inbox).toHaveLength(12);
    expect(inbox.filter(({ title }: { title: string }) => title.startsWith("Meeting "))).toHaveLength(5);
  } finally {
    child.kill();
  }
});
