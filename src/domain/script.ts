// A file that a step runs and that was judged with it. Its text is not kept: it may hold secrets.
import { z } from "zod";

export const Script = z.strictObject({
  path: z.string(),
  digest: z.string().describe("of the whole text"),
});
export type Script = z.infer<typeof Script>;

/** `judged` is the text without the secrets that orch knows: a finding shows what the shell would make of it (D-265). */
export type ScriptText = { readonly text: string; readonly judged: string };

/** A regular file as it is now. Its text is judged only where it is text, and short enough. */
export type FileOnDisk = { readonly digest: string; readonly content: ScriptText | "too long" | "no text" };

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

export const judgedTexts = (files: ReadonlyMap<string, FileOnDisk>): ReadonlyMap<string, string> =>
  new Map(
    [...files].flatMap(([path, file]) => {
      const text = textOf(file);
      return text === null ? [] : [[path, text.judged] as const];
    }),
  );
