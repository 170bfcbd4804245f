// list_anchors.
import { z } from "zod";
import { Restore } from "../../domain/anchor.ts";
import { EVENT_BODIES } from "../../domain/journal.ts";
import { READ, shape } from "../operation.ts";

export const listAnchors = shape({
  name: "list_anchors",
  summary: "The roots over all journals, one for each day on which one grew.",
  method: "GET",
  path: "/v1/anchors",
  scope: "read",
  hints: READ,
  no_tool: true,
  input: z.strictObject({}),
  output: z.strictObject({
    anchors: z.array(EVENT_BODIES.anchored).describe("oldest first"),
    restores: z.array(Restore).describe("when the database went on from a backup, oldest first"),
  }),
});
