// Defines list_anchors: the roots over all journals, one for each day.
import { z } from "zod";
import { READ, shape } from "../../api/operations/operation.ts";
import { Restore } from "../../domain/anchor.ts";
import { KEEPING_EVENTS } from "./events.ts";

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
    anchors: z.array(KEEPING_EVENTS.anchored.body).describe("oldest first"),
    restores: z.array(Restore).describe("when the database went on from a backup, oldest first"),
  }),
  example: {},
});

export const KEEPING_SHAPES = [listAnchors] as const;
