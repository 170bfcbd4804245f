// Whether a directory may be deleted for a new package: `--to` names any, and the checkout itself by a slip.
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import metadata from "../../../package.json" with { type: "json" };
import { isRecord, parseJson } from "../../domain/json-values.ts";

/** Why the package is not written there, as a sentence; null where it may be. What `npm run dist` writes without `--to` is its own. */
export async function targetFault(target: string, checkout: string): Promise<string | null> {
  if ((await lstat(target).catch(unlessMissing)) === null) return null;
  const real = await realpath(target).catch(unlessMissing);
  if (real === null) return refusal(target, "is a link that leads nowhere");
  if (!/^\.\.(\/|$)/.test(relative(real, await realpath(checkout))))
    return refusal(target, "is the checkout, or holds it");
  const names = await readdir(real).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR") return null;
    throw error;
  });
  if (names === null) return refusal(target, "is no directory");
  if (names.length === 0 || target === join(checkout, "dist") || (await isPackage(real, names))) return null;
  return refusal(target, "has files, and is no package of orch that was written before");
}

const refusal = (target: string, why: string): string =>
  `--to: ${target} ${why}, and would be deleted. Name a directory that is not there or is empty.`;

async function isPackage(directory: string, names: readonly string[]): Promise<boolean> {
  if (!names.includes("npm-shrinkwrap.json") || !names.includes("package.json") || names.includes(".git")) return false;
  const found = parseJson(await readFile(join(directory, "package.json"), "utf8"));
  return isRecord(found) && found["name"] === metadata.name;
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
