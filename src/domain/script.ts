// Describes what a step runs that is not in the procedure: a file on disk, whose text may hold secrets and is in no record, and a tool of a
// server.
import { z } from "zod";
import { digestOf } from "./json.ts";

export const Script = z.strictObject({
  path: z.string(),
  digest: z.string().describe("of the whole text"),
});
export type Script = z.infer<typeof Script>;

/** `judged` is the text without the secrets that orch knows: a finding shows what the shell would make of it (D-265). */
export type ScriptText = { readonly text: string; readonly judged: string };

/** Texts that were judged, by the digest of the whole text: they show what has changed in a script. */
export type KeptTexts = {
  readonly keep: (texts: readonly { readonly digest: string; readonly text: string }[]) => Promise<void>;
  /** Null where it is not kept here. */
  readonly read: (digest: string) => Promise<string | null>;
};

export const judgedTexts = (texts: ReadonlyMap<string, ScriptText>): ReadonlyMap<string, string> =>
  new Map([...texts].map(([path, { judged }]) => [path, judged]));

export const scriptsIn = (texts: ReadonlyMap<string, ScriptText>): Script[] =>
  [...texts]
    .map(([path, { text }]) => ({ path, digest: digestOf(text) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));

export const BoundTool = z.strictObject({
  server: z.string(),
  tool: z.string(),
  digest: z
    .string()
    .nullable()
    .describe("of the name, the description, the schemas and the annotations; null where the server did not list it"),
  destructive: z.literal(true).optional().describe("its server says that it may destroy something"),
  says: z.array(z.string()).describe("the server's own words about it, shortened, one line for each part"),
});
export type BoundTool = z.infer<typeof BoundTool>;

export const toolName = ({ server, tool }: Pick<BoundTool, "server" | "tool">): string => `${server}.${tool}`;
