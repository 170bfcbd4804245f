// Failed reads on every notes server, over the real client: each is a fault with the server's message, never a missing
// note or an empty list.
import { describe, expect, test } from "vitest";
import { openNotes, PROFILES } from "./open-notes.ts";

describe.each(PROFILES)("the notes server %s", (profile) => {
  const opened = async (limit_ms?: number) => {
    const server = await openNotes(profile, limit_ms === undefined ? {} : { limit_ms });
    server.model.add({ note_id: "inbox", title: "Inbox" });
    return Object.assign(server, { notes: await server.connect() });
  };

  test.each([
    ["unauthorized", "token_refused", "401: MCP_NOTES_TOKEN is missing"],
    ["disabled", "disabled", "disabled"],
    ["application_down", "application_down", "ECONNREFUSED"],
    ["redirect", "unreachable", "redirect"],
    ["garbage", "unreadable", "no JSON"],
  ] as const)("with %s makes every read a fault", async (fault, code, words) => {
    await using server = await opened();
    server.switches[fault] = true;
    const query = { title: "x", ancestor_note_id: null, limit: 5 };
    for (const read of [
      server.notes.note,
      server.notes.children,
      server.notes.content,
      () => server.notes.search(query),
    ]) {
      await expect(read("inbox")).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
    }
  });

  test.each([
    ["unauthorized", "token_refused"],
    ["disabled", "disabled"],
    ["redirect", "unreachable"],
  ] as const)("with %s from the start cannot be connected to: %s", async (fault, code) => {
    await using server = await openNotes(profile, { switches: { [fault]: true } });
    await expect(server.connect()).rejects.toMatchObject({ code });
  });

  test("that wants a token and gets another says so, without words that look like one", async () => {
    await using server = await openNotes(profile, { switches: { bearer: "another-token" } });
    await expect(server.connect()).rejects.toMatchObject({
      code: "token_refused",
      message: expect.not.stringMatching(/bearer/i),
    });
  });

  test("gives a note that is longer than an answer may be as too_long", async () => {
    await using server = await opened();
    server.model.add({ note_id: "log1", title: "Log", content: `<p>${"x".repeat(5 * 1024 * 1024)}</p>` });
    if (profile === "git") expect((await server.notes.content("log1"))?.length).toBeGreaterThan(5_000_000);
    else await expect(server.notes.content("log1")).rejects.toMatchObject({ code: "too_long" });
  });

  test("does not show the title of a note that its user protects", async () => {
    await using server = await opened();
    server.model.add({ note_id: "secret1", title: "Secret plan", is_protected: true });
    expect(await server.notes.note("secret1")).toMatchObject({ title: "[protected]", is_protected: true });
  });

  test("that does not answer in time makes a read a fault", async () => {
    await using server = await opened(300);
    server.switches.delay_ms = 900;
    await expect(server.notes.note("inbox")).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("0.3 s"),
    });
  });

  test("may answer as an event stream", async () => {
    await using server = await opened();
    server.switches.sse = true;
    expect(await server.notes.note("inbox")).toMatchObject({ title: "Inbox" });
    expect((await server.notes.children("root"))?.notes).toHaveLength(1);
  });

  test("that has restarted is asked again", async () => {
    await using server = await opened();
    server.forgetSessions();
    expect(await server.notes.note("inbox")).toMatchObject({ title: "Inbox" });
  });

  test("that requires a token gets it", async () => {
    await using server = await openNotes(profile, { switches: { bearer: "a-token" } });
    expect(await (await server.connect()).note("root")).toMatchObject({ note_id: "root" });
  });

  test.runIf(profile === "npm")("with a cycle of notes makes every read a fault, and no note is missing", async () => {
    await using server = await opened();
    server.model.add({ note_id: "lower1", title: "Lower", parents: ["inbox"] });
    server.model.move({ note_id: "inbox", from: "root", to: "lower1" });
    for (const read of [server.notes.note, server.notes.children, server.notes.content]) {
      await expect(read("inbox")).rejects.toMatchObject({
        code: "refused",
        message: expect.stringContaining("call stack"),
      });
    }
  });
});
