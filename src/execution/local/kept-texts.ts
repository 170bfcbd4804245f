// Keeps the texts of scripts that were judged, without the secrets that orch knows, so that an approval can show what has changed
// in one. They are in the data directory, which no step sees, and in no journal: a text may hold other secrets (D-239).
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KeptTexts } from "../../domain/script.ts";

/** Those that were kept first are removed. */
const MOST_KEPT = 500;

/** What cannot be kept or read is shown by its digest only. */
export const createKeptTexts = (directory: string): KeptTexts => ({
  keep: async (texts) => {
    for (const { digest, text } of texts) await keepOne(directory, digest, text).catch(() => undefined);
  },
  read: async (digest) => (isDigest(digest) ? readFile(join(directory, digest), "utf8").catch(() => null) : null),
});

const isDigest = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

async function keepOne(directory: string, digest: string, text: string): Promise<void> {
  const path = join(directory, digest);
  if (!isDigest(digest) || (await stat(path).catch(() => null)) !== null) return;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const unfinished = `${path}.new`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, path);
  await removeOldest(directory);
}

async function removeOldest(directory: string): Promise<void> {
  const names = await readdir(directory);
  if (names.length <= MOST_KEPT) return;
  const files = await Promise.all(
    names.map(async (name) => ({ name, kept_at: (await stat(join(directory, name))).mtimeMs })),
  );
  const oldest = files.toSorted((a, b) => a.kept_at - b.kept_at).slice(0, names.length - MOST_KEPT);
  for (const { name } of oldest) await rm(join(directory, name), { force: true });
}
