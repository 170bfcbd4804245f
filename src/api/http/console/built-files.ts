// The files that `npm run generate` builds from src/console: one page, and its assets in one directory. What is served is what was
// there when they were read; no name of a request becomes a path.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const BUILT = fileURLToPath(new URL("../../../console/built", import.meta.url));

export type Asset = {
  readonly type: string;
  readonly body: Buffer;
  readonly gzip: Buffer | null;
  readonly tag: string;
  /** Its name has the hash of its content, so it never changes. */
  readonly is_hashed: boolean;
};
export type BuiltFiles = { readonly page: string; readonly assets: ReadonlyMap<string, Asset> };

const TYPES: ReadonlyMap<string, string> = new Map([
  ["js", "text/javascript; charset=utf-8"],
  ["css", "text/css; charset=utf-8"],
  ["svg", "image/svg+xml"],
  ["png", "image/png"],
  ["ico", "image/x-icon"],
  ["json", "application/json"],
  ["map", "application/json"],
  ["webmanifest", "application/manifest+json"],
  ["woff2", "font/woff2"],
]);

/** Null where they have not been built. */
async function readBuilt(directory: string): Promise<BuiltFiles | null> {
  try {
    const page = await readFile(join(directory, "index.html"), "utf8");
    const folder = join(directory, "assets");
    const names = (await readdir(folder, { withFileTypes: true })).flatMap((one) => (one.isFile() ? [one.name] : []));
    const known = new Set(names);
    const assets = names.flatMap((name) => {
      const type = TYPES.get(name.split(".").at(-1) ?? "");
      return type === undefined ? [] : [[name, type] as const];
    });
    const read = ([name, type]: readonly [string, string]) =>
      readAsset(folder, { name, type, has_gzip: known.has(`${name}.gz`) });
    return { page, assets: new Map(await Promise.all(assets.map(async (one) => [one[0], await read(one)] as const))) };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

type Named = { readonly name: string; readonly type: string; readonly has_gzip: boolean };

async function readAsset(folder: string, { name, type, has_gzip }: Named): Promise<Asset> {
  const body = await readFile(join(folder, name));
  const gzip = has_gzip ? await readFile(join(folder, `${name}.gz`)) : null;
  const tag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  return { type, body, gzip, tag, is_hashed: /-[A-Za-z0-9]{8,}\.[a-z0-9]+(\.map)?$/.test(name) };
}

/** Read with the first page, and kept; those that are not there yet are looked for again. */
export function builtFiles(directory: string): () => Promise<BuiltFiles | null> {
  let built: BuiltFiles | null = null;
  return async () => {
    built ??= await readBuilt(directory);
    return built;
  };
}
