// The documents of the package: the README, and each file that a link leads to from it, so that no link in the package is dead.
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path/posix";
import { lexer, walkTokens } from "marked";

/** Paths from `root`, the first one first. A page that is linked and missing stops the build. */
export async function documentsFrom(root: string, first: string): Promise<string[]> {
  const reached = new Set([first]);
  for (const path of reached) {
    if (!path.endsWith(".md")) continue;
    const links = linksIn(await readFile(join(root, path), "utf8"));
    for (const linked of links.map((link) => join(dirname(path), link))) {
      if (linked.startsWith("../")) throw new Error(`${path} links to ${linked}, which is outside of the package`);
      if ((await stat(join(root, linked))).isFile()) reached.add(linked);
    }
  }
  return [...reached];
}

/** Of links and images: the files that they name, without a part of one and without addresses. */
function linksIn(page: string): string[] {
  const found: string[] = [];
  void walkTokens(lexer(page), (token) => {
    if (token.type !== "link" && token.type !== "image") return;
    const [path = ""] = String(token.href).split("#");
    if (path !== "" && !/^[a-z]+:/.test(path)) found.push(path);
  });
  return found;
}
