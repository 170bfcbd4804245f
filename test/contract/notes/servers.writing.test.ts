// Writes on every notes server, over the real client: each is sent once, and a failure is a result, not an exception.
import { describe, expect, test } from "vitest";
import type { ContentChange } from "../../../capabilities/notes/notes-server.ts";
import { unopposed } from "../../support/notes/one-move.ts";
import { openNotes, PROFILES } from "./open-notes.ts";

const MOVE = { note_id: "meeting1", from: "inbox", to: "archive" };
const SENT_ONCE = 1;

describe.each(PROFILES)("on the notes server %s", (profile) => {
  const sent = (words: string) => (profile === "native" ? words : `<p>${words}</p>`);
  const change = (over: Partial<ContentChange>): ContentChange => ({
    note_id: "meeting1",
    type: "text",
    mode: "replace",
    content: sent("new"),
    over: "first",
    only_over: true,
    ...over,
  });
  /** It reports what its own backend refused as an internal error, after which the tool may have acted. */
  const refused = profile === "npm" ? "unknown" : "refused";
  const opened = async (limit_ms?: number) => {
    const server = await openNotes(profile, limit_ms === undefined ? {} : { limit_ms });
    const { model } = server;
    model.add({ note_id: "inbox", title: "Inbox" });
    model.add({ note_id: "archive", title: "Archive" });
    model.add({ note_id: "meeting1", title: "Meeting", parents: ["inbox"], content: "first" });
    model.add({ note_id: "script1", title: "Script", parents: ["inbox"], type: "code", content: "let a" });
    model.add({ note_id: "shown2x", title: "Twice", parents: ["inbox", "archive"] });
    return Object.assign(server, { notes: await server.connect() });
  };

  test("a move of or to a note that is not there is refused with the server's message", async () => {
    await using server = await opened();
    const before = server.model.snapshot();
    const message = expect.stringMatching(/not found|404/);
    for (const one of [{ note_id: "nowhere1" }, { to: "nowhere1" }])
      expect(await server.notes.move({ ...MOVE, ...one }, unopposed)).toMatchObject({ is: refused, message });
    expect(server.model.snapshot()).toEqual(before);
  });

  test.each([
    [null, "done", ["archive"]],
    ["refuse_write", "refused", ["inbox"]],
    ["lying_success", "done", ["inbox"]],
    ["lose_reply_after_write", "unknown", ["archive"]],
    ["crash_in_move", "unknown", ["inbox", "archive"]],
    ["garbage", "unknown", ["archive"]],
  ] as const)("with %s a move is reported as %s", async (fault, is, parents) => {
    await using server = await opened();
    if (fault !== null) server.switches[fault] = true;
    expect(await server.notes.move(MOVE, unopposed)).toMatchObject({ is: is === "refused" ? refused : is });
    // A server that cannot be read does not lose the note: it is not taken out of its old place.
    const isHalf = profile === "git" && fault === "garbage";
    expect(server.model.parentsOf("meeting1")).toEqual(isHalf ? ["inbox", "archive"] : parents);
    expect(server.puts()).toHaveLength(SENT_ONCE);
  });

  test("a move that times out is unknown, and not sent again", async () => {
    await using server = await opened(300);
    server.switches.delay_ms = 900;
    expect(await server.notes.move(MOVE, unopposed)).toMatchObject({ is: "unknown" });
    expect(server.writes()).toHaveLength(SENT_ONCE);
  });

  test("an unauthorized move is refused", async () => {
    await using server = await opened();
    server.switches.unauthorized = true;
    expect(await server.notes.move(MOVE, unopposed)).toMatchObject({
      is: "refused",
      message: expect.stringContaining("401"),
    });
    expect(server.writes()).toEqual([]);
  });

  test.runIf(profile !== "native").each([
    ["inbox", ["archive", "root"]],
    ["archive", ["inbox", "root"]],
  ])("a note with two parents is moved from the one that is named: %s", async (from, parents) => {
    await using server = await opened();
    expect(await server.notes.move({ note_id: "shown2x", from, to: "root" }, unopposed)).toEqual({ is: "done" });
    expect(server.model.parentsOf("shown2x")).toEqual(parents);
  });

  test.runIf(profile === "git")("a note whose place has a name from early years is moved", async () => {
    await using server = await opened();
    server.model.rename("inbox_meeting1", "Xy7early");
    expect(await server.notes.move(MOVE, unopposed)).toEqual({ is: "done" });
    expect(server.model.parentsOf("meeting1")).toEqual(["archive"]);
  });

  test("content is replaced and appended to, once each, and is read as it was written", async () => {
    await using server = await opened();
    const content = sent("a &amp; b, 1 &lt; 2");
    expect(await server.notes.setContent(change({ content }))).toMatchObject({ is: "done" });
    const over = await server.notes.content("meeting1");
    expect(over).toBe(profile === "native" ? "a & b, 1 < 2" : content);
    const append = change({ mode: "append", content: sent("second"), over: over ?? "" });
    expect(await server.notes.setContent(append)).toMatchObject({ is: "done" });
    expect((await server.notes.content("meeting1"))?.replace(/\s|<[^>]*>/g, "")).toMatch(/^a.*second$/);
    expect(server.writes()).toHaveLength(2);
  });

  test("content of a missing or a protected note is refused, and nothing is written", async () => {
    await using server = await opened();
    server.model.add({ note_id: "secret1", title: "Secret", content: "kept", is_protected: true });
    for (const note_id of ["nowhere1", "secret1"])
      expect(await server.notes.setContent(change({ note_id }))).toMatchObject({ is: "refused" });
    expect(server.model.note("secret1")?.content).toBe("kept");
  });

  test.each([
    ["refuse_write", "refused", "first"],
    ["lying_success", "done", "first"],
    ["lose_reply_after_write", "unknown", "new"],
  ] as const)("with %s a change of content is reported as %s", async (fault, is, content) => {
    await using server = await opened();
    server.switches[fault] = true;
    expect(await server.notes.setContent(change({}))).toMatchObject({ is: is === "refused" ? refused : is });
    expect(server.model.note("meeting1")?.content).toContain(content);
    expect(server.writes()).toHaveLength(SENT_ONCE);
  });

  test.runIf(profile === "native")("an append keeps what another client writes in between", async () => {
    await using server = await opened();
    let others = 0;
    server.switches.before_write = () => {
      others += 1;
      const note = server.model.note("meeting1");
      if (note !== undefined && others === 1) note.content += " theirs";
    };
    expect(await server.notes.setContent(change({ mode: "append", content: "ours" }))).toMatchObject({ is: "done" });
    expect(server.model.note("meeting1")?.content).toMatch(/first theirs.*ours/s);
  });

  test.runIf(profile === "npm").each(["append", "replace"] as const)(
    "content that another client has changed is not overwritten: %s",
    async (mode) => {
      await using server = await opened();
      const theirs = () => {
        const note = server.model.note("meeting1");
        if (note !== undefined) note.content = "theirs";
      };
      server.switches.before_write = theirs;
      const order = change({ mode, content: sent("ours") });
      expect(await server.notes.setContent(order)).toMatchObject({
        is: "refused",
        message: expect.stringContaining("CONFLICT"),
      });
      server.switches.before_write = undefined;
      const late = await server.notes.setContent(order);
      expect(late).toMatchObject({ is: "refused", message: expect.stringContaining("has changed since") });
      expect(server.model.note("meeting1")?.content).toBe("theirs");
    },
  );
});
