// Reads the library of procedures that comes with orch. It needs no server.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { nearestName } from "../domain/nearest-name.ts";
import { type LibraryFile, readLibraryFile } from "../schema/sop-file.ts";
import { EXIT } from "./exit-codes.ts";
import { failed } from "./failure.ts";

const LIBRARY = join(import.meta.dirname, "../../capabilities/library");
const ENDING = ".yaml";

export type NamedProcedure = { readonly name: string; readonly entry: LibraryFile };

const namesIn = async (directory: string): Promise<string[]> => {
  const files = (await readdir(directory)).filter((file) => file.endsWith(ENDING));
  return files.map((file) => file.slice(0, -ENDING.length)).sort();
};

const entryIn = async (directory: string, name: string): Promise<NamedProcedure> => ({
  name,
  entry: readLibraryFile(await readFile(join(directory, `${name}${ENDING}`), "utf8")),
});

/** By name. */
export async function readLibrary(directory = LIBRARY): Promise<NamedProcedure[]> {
  return Promise.all((await namesIn(directory)).map((name) => entryIn(directory, name)));
}

/** A name that is not one of the library opens no file. */
export async function findInLibrary(name: string, directory = LIBRARY): Promise<NamedProcedure> {
  const names = await namesIn(directory);
  if (names.includes(name)) return await entryIn(directory, name);
  const near = nearTo(name, names);
  const detail = `There is no procedure ${JSON.stringify(name)} in the library.`;
  const fix = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "See: orch library list";
  return failed({ exit: EXIT.usage, code: "library_unknown", detail, fix });
}

const MAX_CHANGES = 3;

/** Names with a word of it, or its beginning, and the one that is spelled nearly so. */
function nearTo(name: string, names: readonly string[]): string[] {
  const words = new Set(
    name
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word.length > 1),
  );
  const sharing = names.filter((known) => known.split("-").some((word) => words.has(word)) || known.startsWith(name));
  const spelled = nearestName(name.toLowerCase(), names, MAX_CHANGES);
  return [...new Set([...(spelled === null ? [] : [spelled]), ...(name === "" ? [] : sharing)])];
}
