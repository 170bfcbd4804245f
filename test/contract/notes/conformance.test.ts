// The cases of `npm run notes:conformance` on the three simulated notes servers, and one that fails them.
import { expect, test } from "vitest";
import { createNotesServer } from "../../../capabilities/notes/find-toolset.ts";
import { CASES, conform } from "../../support/notes/conformance-cases.ts";
import { openNotes, PROFILES } from "./open-notes.ts";

test.each(PROFILES)(
  "all operations conform on the notes server %s, and leave the rest of the tree alone",
  async (profile) => {
    await using server = await openNotes(profile);
    server.model.add({ note_id: "scratch", title: "Scratch" });
    server.model.add({ note_id: "other", title: "Other" });
    const findings = await conform(server.tools, await createNotesServer(server.tools, "notes", {}), "scratch");
    expect(findings.filter(({ is_ok }) => !is_ok)).toEqual([]);
    expect(findings).toHaveLength(CASES.size);
    expect(server.model.childrenOf("root")).toEqual(["scratch", "other"]);
  },
);

test("a notes server that says that it has moved, and has not, does not conform", async () => {
  await using server = await openNotes("native");
  server.switches.before_write = ({ tool }) => {
    server.switches.lying_success = tool === "move_note";
  };
  const findings = await conform(server.tools, await createNotesServer(server.tools, "notes", {}), "root");
  expect(findings.find(({ name }) => name === "the plan is carried out")).toMatchObject({
    is_ok: false,
    found: expect.stringMatching(/^not_verified/),
  });
});
