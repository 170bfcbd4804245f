// How much a browser loads: the console opens quickly over a slow line too. What is counted is what is built and sent, with gzip.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";

const BUILT = join(import.meta.dirname, "../../../src/console/built");
const FIRST_LOAD = 200_000;
/** Of the editor, the largest. */
const ONE_CHUNK = 120_000;
/** The page of teaching needs the reader of YAML with it (D-349). */
const ONE_PART_MORE = 160_000;

const textOf = (name: string): string => readFileSync(join(BUILT, "assets", name), "utf8");
const sizeOf = (names: Iterable<string>): number =>
  [...names].reduce((total, name) => total + statSync(join(BUILT, "assets", `${name}.gz`)).size, 0);

/** As esbuild writes them: a dynamic import is a call. */
const STATIC = /(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g;
const DYNAMIC = /\bimport\(\s*"\.\/([^"]+\.js)"\s*\)/g;

const namesBy = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);

/** A file and all that it cannot run without. */
function closure(name: string, into = new Set<string>()): Set<string> {
  if (into.has(name)) return into;
  into.add(name);
  for (const next of namesBy(STATIC, textOf(name))) closure(next, into);
  return into;
}

describe("the built console", () => {
  let first: Set<string>;
  let style: string;

  beforeAll(() => {
    if (!existsSync(join(BUILT, "index.html"))) throw new Error("the console is not built: npm run generate");
    const page = readFileSync(join(BUILT, "index.html"), "utf8");
    const [, script = ""] = /src="\/console\/assets\/([^"]+)"/.exec(page) ?? [];
    style = /href="\/console\/assets\/([^"]+\.css)"/.exec(page)?.[1] ?? "";
    const inbox = namesBy(DYNAMIC, textOf(script)).find((name) => name.startsWith("inbox-page-")) ?? "";
    first = closure(inbox, closure(script));
  });

  test("is first loaded with at most 200 kB: its page, script, style, and the inbox", () => {
    expect(style).not.toBe("");
    expect([...first].some((name) => name.startsWith("inbox-page-"))).toBe(true);
    const all = sizeOf([...first, style]);
    expect(all, [...first].join(" ")).toBeLessThanOrEqual(FIRST_LOAD);
    // That nothing was missed: the framework alone is more than this.
    expect(all).toBeGreaterThan(80_000);
  });

  test("has no chunk of more than 120 kB", () => {
    const chunks = readdirSync(join(BUILT, "assets")).filter((name) => name.endsWith(".js"));
    expect(chunks.length).toBeGreaterThan(first.size);
    expect(chunks.filter((name) => sizeOf([name]) > ONE_CHUNK)).toEqual([]);
  });

  test("loads at most 160 kB more at once: a page with what it cannot do without, and then its editor or its drawing", () => {
    const more = (
      name: string,
      before: ReadonlySet<string>,
      of: string,
    ): { readonly of: string; readonly bytes: number }[] => {
      const own = closure(name);
      const bytes = sizeOf([...own].filter((file) => !before.has(file)));
      const then = new Set([...before, ...own]);
      const late = [...own].flatMap((file) => namesBy(DYNAMIC, textOf(file))).filter((file) => !then.has(file));
      return [{ of, bytes }, ...late.flatMap((file) => more(file, then, `${of} > ${file}`))];
    };
    const pages = new Set([...first].flatMap((name) => namesBy(DYNAMIC, textOf(name))));
    const sizes = [...pages].flatMap((page) => more(page, first, page));
    expect(pages.size).toBeGreaterThanOrEqual(9);
    // Those of a page come with it, and are parts of its own.
    expect(sizes.some(({ of }) => /^scorecard-page-.* > trend-chart-/.test(of))).toBe(true);
    expect(sizes.filter(({ bytes }) => bytes > ONE_PART_MORE)).toEqual([]);
  });
});
