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
    ["unauthorized", "unreachable", "401"],
    ["disabled", "unreachable", "disabled"],
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

  test.each(["unauthorized", "disabled", "redirect"] as const)(
    "with %s from the start cannot be connected to",
    async (fault) => {
      await using server = await openNotes(profile, { switches: { [fault]: true } });
      await expect(server.connect()).rejects.toMatchObject({ code: "unreachable" });
    },
  );

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
    expect(await server.notes.children("root")).toHaveLength(1);
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
