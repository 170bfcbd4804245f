// How much a browser loads: the console opens quickly over a slow line too. What is counted is what is built and sent, with gzip.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";

const BUILT = join(import.meta.dirname, "../../../src/console/built");
const FIRST_LOAD = 200_000;
/** CodeMirror, which two pages share (D-349). */
const ONE_EDITOR = 120_000;
const ONE_PAGE_MORE = 60_000;

const textOf = (name: string): string => readFileSync(join(BUILT, "assets", name), "utf8");
const sizeOf = (names: Iterable<string>): number =>
  [...names].reduce((total, name) => total + statSync(join(BUILT, "assets", `${name}.gz`)).size, 0);

/** The style of CodeMirror itself is in it, and in no other. */
const isEditor = (name: string): boolean => textOf(name).includes(".cm-lineWrapping");

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

  test("loads at most 60 kB more for any page and its drawings, and one editor of at most 120 kB where it has one", () => {
    const [entry = ""] = first;
    const pages = new Set([...first].flatMap((name) => namesBy(DYNAMIC, textOf(name))));
    const more = [...pages].map((page) => {
      const own = closure(page);
      const late = [...own].flatMap((name) => namesBy(DYNAMIC, textOf(name)));
      const whole = late.reduce((into, name) => closure(name, into), own);
      return { page, files: [...whole].filter((name) => !first.has(name)) };
    });
    const editors = new Set(more.flatMap(({ files }) => files.filter(isEditor)));
    expect(entry).toMatch(/^main-/);
    expect(more.length).toBeGreaterThanOrEqual(9);
    expect([...editors].map((name) => sizeOf([name]) <= ONE_EDITOR)).toEqual([true]);
    const sizes = more.map(({ page, files }) => ({ page, bytes: sizeOf(files.filter((name) => !isEditor(name))) }));
    expect(sizes.filter(({ bytes }) => bytes > ONE_PAGE_MORE)).toEqual([]);
  });
});
