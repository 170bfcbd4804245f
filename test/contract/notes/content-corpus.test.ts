// Every text of the corpus is written on every notes server, over the real client: what is said of a write is compared with the
// labels and with what the server has stored. The figures are printed.
import { afterAll, describe, expect, test } from "vitest";
import type { NotesServer } from "../../../capabilities/notes/notes-server.ts";
import { type Labelled, TEXTS } from "../../support/notes/texts.ts";
import { undertake } from "../../support/notes/undertake.ts";
import { openNotes, PROFILES } from "./open-notes.ts";

type Profile = (typeof PROFILES)[number];
type Write = "append" | "replace" | "again";
/** `is_true`: what was said fits the label and what is stored. */
type Said = { profile: Profile; write: Write; text: string; said: string; label: string; is_true: boolean };

const BASE = "<p>so far</p>";
const WRITES = ["append", "replace", "again"] as const;
const said: Said[] = [];

function labelOf({ is_invisible }: Labelled, profile: Profile, write: Write): string {
  if (is_invisible === true && profile === "npm") return "refused";
  if (write === "again") return "unchanged";
  return is_invisible === true && write === "append" ? "unchanged" : "changed";
}

async function writeAll(profile: Profile): Promise<void> {
  await using fake = await openNotes(profile);
  fake.model.add({ note_id: "log", title: "Log" });
  const note = fake.model.note("log");
  if (note === undefined) throw new Error("there is no note");
  const server = await fake.connect();
  for (const labelled of TEXTS) {
    for (const write of WRITES) {
      if (write !== "again") note.content = BASE;
      const before = note.content;
      const code = await codeOf(server, write === "again" ? "replace" : write, labelled.text);
      const label = labelOf(labelled, profile, write);
      const word = ["not_verified", "not_applied"].includes(code) ? "lost" : code;
      const isChange = ["changed", "not_verified"].includes(code) === (note.content !== before);
      const isKept = code !== "changed" || labelled.keeps.every((part) => note.content.includes(part));
      const isAppended = write !== "append" || note.content.startsWith(BASE);
      const is_true = word === label && isChange && isKept && isAppended;
      said.push({ profile, write, text: labelled.text, said: word, label, is_true });
    }
  }
}

async function codeOf(server: NotesServer, mode: string, content: string): Promise<string> {
  const end = await undertake({ operation: "apply_note_change", note_id: "log", mode, content }, server).end();
  return end.code;
}

describe.each(PROFILES)("on the notes server %s", (profile) => {
  test("a write is said to be what it was, for each of 120 texts [4.notes.apply_note_change]", async () => {
    await writeAll(profile);
    expect(said.filter((one) => one.profile === profile && !one.is_true)).toEqual([]);
  });
});

test("the corpus has 120 texts, and no text twice", () => {
  expect(new Set(TEXTS.map(({ text }) => text)).size).toBe(120);
});

afterAll(() => {
  for (const profile of PROFILES) {
    for (const writes of [["append", "replace"], ["again"]] as const) {
      const all = said.filter((one) => one.profile === profile && writes.some((write) => write === one.write));
      const count = (isCounted: (one: Said) => boolean): number => all.filter(isCounted).length;
      const word = (wanted: string): string => `${wanted} ${count((one) => one.said === wanted)}`;
      const isSuccess = (one: Said): boolean => ["changed", "unchanged"].includes(one.said);
      const words = ["changed", "unchanged", "refused", "lost"].map(word).join(", ");
      const wrong = `false failures ${count((one) => !one.is_true && !isSuccess(one))}, false successes ${count((one) => !one.is_true && isSuccess(one))}`;
      process.stdout.write(
        `notes corpus, ${profile}, ${writes.join(" and ")}: ${all.length} writes: ${words}; ${wrong}\n`,
      );
    }
  }
});
