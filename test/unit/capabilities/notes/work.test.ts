import { expect, test } from "vitest";
import { NotesFault } from "../../../../capabilities/notes/notes-server.ts";
import { opened, orFault } from "../../../../capabilities/notes/work.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";

test("a server is opened when it is first needed, once", async () => {
  let times = 0;
  const { server } = memoryNotes();
  const notes = opened(async () => {
    times += 1;
    return server;
  });
  expect(times).toBe(0);
  expect(await Promise.all([notes(), notes()])).toEqual([server, server]);
  expect(times).toBe(1);
});

test("a server that could not be opened is opened again", async () => {
  let times = 0;
  const { server } = memoryNotes();
  const notes = opened(async () => {
    times += 1;
    if (times === 1) throw new NotesFault("unreachable", "no route");
    return server;
  });
  await expect(notes()).rejects.toThrow("no route");
  expect(await notes()).toBe(server);
});

test("a fault is a value, unless it comes of being stopped", async () => {
  const stop = new AbortController();
  const failing = () => Promise.reject(new NotesFault("unreachable", "stopped on request"));
  expect(await orFault(stop, failing)).toEqual({
    ok: false,
    is: "fault",
    code: "unreachable",
    message: "stopped on request",
  });
  stop.abort();
  await expect(orFault(stop, failing)).rejects.toThrow(NotesFault);
});

test("an error that is no fault of the server is thrown", async () => {
  await expect(orFault(new AbortController(), () => Promise.reject(new Error("a bug")))).rejects.toThrow("a bug");
});
