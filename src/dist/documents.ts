// Copies what a reader of the package looks up, and nothing else: the secrets of a compose file are beside the documents of the checkout.
import { cp, lstat } from "node:fs/promises";
import { basename } from "node:path";

const isDocument = async (path: string): Promise<boolean> =>
  (await lstat(path)).isDirectory() ? basename(path) !== "secrets" : /\.(md|png|ts)$/.test(path);

export const copyDocuments = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, filter: isDocument });
