// Finds the files that match a pattern, as bash and find do.
import type { Disk } from "../domain/script.ts";
import { isDeepPattern, isPattern, matchesPattern } from "../policy/file-patterns.ts";

/** More names than that are not looked through. */
const MAX_ENTRIES = 20_000;

/** Directories that programs write while they run. */
const MADE = /^(?:\.git|__pycache__)$/;

/** Null: there are too many names to look through. */
export type Found = readonly string[] | null;

/** The files that match now, in order. */
export async function filesOf(pattern: string, disk: Disk): Promise<Found> {
  const parts = pattern.split("/");
  const fixed = parts.findIndex(isPattern);
  const isDeep = isDeepPattern(pattern);
  const found: string[] = [];
  let seen = 0;
  const walk = async (directory: string, at: number): Promise<boolean> => {
    const entries = (await disk.list(directory === "" ? "/" : directory)) ?? [];
    seen += entries.length;
    if (seen > MAX_ENTRIES) return false;
    for (const { name, is } of entries) {
      const path = `${directory}/${name}`;
      if (is === "file") {
        if (matchesPattern(pattern, path) && (isDeep || !isHidden(name, parts[at]))) found.push(path);
      } else if (enters(name, is, at) && !(await walk(path, at + 1))) return false;
    }
    return true;
  };
  const enters = (name: string, is: "directory" | "linked directory", at: number): boolean =>
    isDeep
      ? is === "directory" && !MADE.test(name)
      : at < parts.length - 1 && matchesPattern(parts[at] ?? "", name) && !isHidden(name, parts[at]);
  return (await walk(parts.slice(0, fixed).join("/"), fixed)) ? found.toSorted() : null;
}

/** `*` matches no name that begins with a dot. */
const isHidden = (name: string, part = ""): boolean => name.startsWith(".") && !part.startsWith(".");
