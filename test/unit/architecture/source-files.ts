// The files of the repository, as the tests of its rules read them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../../..");
export const textOf = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Made from other files. */
const IS_GENERATED = /\/(generated|dist)\/|\/run_steps\.ts$/;
/** The tests of a workspace are beside its sources. */
const IS_TEST = /^test\/|^src\/[^/]+\/test\//;

/** The TypeScript files in these folders, those of the console with its elements too, without the generated ones. */
export function filesIn(...folders: string[]): string[] {
  const files = folders
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
    );
  return files.filter((path) => /\.tsx?$/.test(path) && !IS_GENERATED.test(path)).sort();
}

const ALL = filesIn("src", "graphs", "voice", "cookie", "capabilities", "test");
export const SOURCES = ALL.filter((path) => !IS_TEST.test(path));
export const TESTS = ALL.filter((path) => IS_TEST.test(path));
export const EVERYTHING = [...ALL, ...filesIn("prisma")];

/** Every Markdown file. */
export const DOCUMENTS = readdirSync(ROOT)
  .concat(
    ...["docs", "src", "graphs", "capabilities", "voice", "cookie", "test"].map((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
    ),
  )
  .filter((path) => path.endsWith(".md") && !path.includes("node_modules/"))
  .sort();

/** The files whose text breaks a rule. */
export const offenders = (files: readonly string[], breaks: (text: string, path: string) => boolean): string[] =>
  files.filter((path) => breaks(textOf(path), path));
