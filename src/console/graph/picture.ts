// The pictures of the pipeline: where its nodes and edges are drawn. They are laid out when the console is built, because they never change
// while a server runs (D-347).
import { z } from "zod";

const Point = z.tuple([z.number(), z.number()]);

const GraphPicture = z.strictObject({
  width: z.number(),
  height: z.number(),
  nodes: z.array(
    z.strictObject({ id: z.string(), x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
  ),
  edges: z.array(
    z.strictObject({
      source: z.string(),
      target: z.string(),
      answer: z.string(),
      points: z.array(Point),
      /** The middle of its answer; null without one. */
      label: Point.nullable(),
    }),
  ),
});
export type GraphPicture = z.infer<typeof GraphPicture>;

/** The ways that a task can take. */
export const PATH_NAMES = ["procedure", "replacement", "skill", "agent"] as const;
export type PathName = (typeof PATH_NAMES)[number];

export const GraphPictures = z.record(z.enum(PATH_NAMES), GraphPicture);
export type GraphPictures = z.infer<typeof GraphPictures>;
