// The links of a Markdown file, and whether what they name is there. Nothing is asked of the network.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const withoutCode = (text: string): string =>
  text.replaceAll(/^(`{3,})[^\n]*\n.*?^\1[ \t]*$/gms, "").replaceAll(/(`+)[^`]*?\1/g, "code");

const TARGET = /\]\((?<target>[^)\s]+)\)/g;

/** What a file links to in this repository, as the file writes it. */
export const linksIn = (text: string): string[] =>
  [...withoutCode(text).matchAll(TARGET)]
    .map(({ groups }) => groups?.["target"] ?? "")
    .filter((target) => !/^[a-z]+:/.test(target));

/** The anchors of its headings, as the pages of the repository make them. */
export function anchorsIn(text: string): Set<string> {
  const anchors = new Set<string>();
  const code = text.replaceAll(/^(`{3,})[^\n]*\n.*?^\1[ \t]*$/gms, "");
  for (const [, title = ""] of code.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-");
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The path of the file that a link of `from` names, from the root. */
export const linkedFile = (from: string, target: string): string => {
  const [path = ""] = target.split("#");
  return path === "" ? from : relative(".", join(dirname(from), path));
};

/** What is wrong with a link of the file `from`, or null. */
export function faultOfLink(root: string, from: string, target: string): string | null {
  const file = join(root, linkedFile(from, target));
  const [, anchor] = target.split("#");
  if (!existsSync(file)) return `${from}: ${target}: there is no such file`;
  if (anchor === undefined || statSync(file).isDirectory()) return null;
  const isThere = anchorsIn(readFileSync(file, "utf8")).has(anchor);
  return isThere ? null : `${from}: ${target}: the file has no such heading`;
}
