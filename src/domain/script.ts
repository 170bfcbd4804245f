// A file that a step runs and that was judged with it. Its text is not kept: it may hold secrets.
import { z } from "zod";
import { digestOf } from "./json.ts";

export const Script = z.strictObject({
  path: z.string(),
  digest: z.string().describe("of the text that was judged"),
});
export type Script = z.infer<typeof Script>;

export const scriptsIn = (texts: ReadonlyMap<string, string>): Script[] =>
  [...texts].map(([path, text]) => ({ path, digest: digestOf(text) })).toSorted((a, b) => (a.path < b.path ? -1 : 1));
