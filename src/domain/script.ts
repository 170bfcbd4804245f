// Describes what a step runs that is not in the procedure: a file on disk, whose text may hold secrets and is in no record, and a tool of a
// server.
import { z } from "zod";

export const Script = z.strictObject({
  path: z.string(),
  digest: z.string().describe("of the whole text"),
});
export type Script = z.infer<typeof Script>;

/** `judged` is the text without the secrets that orch knows: a finding shows what the shell would make of it (D-265). */
export type ScriptText = { readonly text: string; readonly judged: string };

/** A regular file as it is now. Its text is judged where it is no binary program, and short enough. */
export type FileOnDisk = {
  readonly digest: string;
  readonly content: ScriptText | "too long" | "no text";
  readonly target?: string;
};

/** The longest text that the guard judges, in bytes. */
export const MAX_JUDGED_BYTES = 64 * 1024;

export const textOf = (file: FileOnDisk | null): ScriptText | null =>
  file === null || typeof file.content === "string" ? null : file.content;

/** A name in a directory, and what it leads to. */
export type DirectoryEntry = { readonly name: string; readonly is: "file" | "directory" | "linked directory" };

/** The files where the steps run. Both give null for what is not there, and for what a step cannot read. */
export type Disk = {
  readonly read: (path: string) => Promise<FileOnDisk | null>;
  readonly list: (directory: string) => Promise<readonly DirectoryEntry[] | null>;
};

const judgedTexts = (files: ReadonlyMap<string, FileOnDisk>): ReadonlyMap<string, string> =>
  new Map(
    [...files].flatMap(([path, file]) => {
      const text = textOf(file);
      return text === null ? [] : [[path, text.judged] as const];
    }),
  );

/** Returns what the guard has to know about these files: their texts, and the targets of symbolic links. */
export const fileContext = (files: ReadonlyMap<string, FileOnDisk>) => ({
  scripts: judgedTexts(files),
  targets: new Map([...files].flatMap(([path, { target }]) => (target === undefined ? [] : [[path, target] as const]))),
});

/** Texts that were judged, by the digest of the whole text: they show what has changed in a script. */
export type KeptTexts = {
  readonly keep: (texts: readonly { readonly digest: string; readonly text: string }[]) => Promise<void>;
  /** Null where it is not kept here. */
  readonly read: (digest: string) => Promise<string | null>;
};

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
