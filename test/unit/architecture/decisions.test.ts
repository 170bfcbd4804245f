// What docs/decisions/README.md promises of the entries and of the code that cites them.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, textOf } from "./source-files.ts";

const DECISIONS = "docs/decisions";
const CITING = ["src", "graphs", "capabilities", "voice", "cookie", "prisma", "test", "docs"];

const pathsIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`);

const areas = pathsIn(DECISIONS).filter((path) => path.endsWith(".md") && !path.endsWith("/README.md"));

const entries = areas.flatMap((file) =>
  textOf(file)
    .split(/^### /m)
    .slice(1)
    .map((text) => ({ file, id: text.slice(0, "D-nnn".length), text })),
);
const ids = entries.map(({ id }) => id).sort();

/** The line below the title: the date and the governed paths, which may fill several lines. */
const FORM =
  /^D-\d{3}: .+\n\n\d{4}-\d{2}-\d{2}\. Governs (?<paths>`[^`]+`(,\s`[^`]+`)*)\.\n\n- \*\*Question:\*\* [\s\S]+\n- \*\*Choice:\*\* [\s\S]+\n- \*\*Why:\*\* [\s\S]+$/;

test("the decisions have unique ids without a gap over all files", () => {
  expect(ids.length).toBeGreaterThan(160);
  expect(ids).toEqual(ids.map((_, position) => `D-${String(position + 1).padStart(3, "0")}`));
});

test("every decision has a date, governed paths, a question, a choice and a reason", () => {
  expect(entries.filter(({ text }) => !FORM.test(text)).map(({ id }) => id)).toEqual([]);
});

test("every path that a decision governs exists", () => {
  const missing = entries.flatMap(({ id, text }) =>
    [...(FORM.exec(text)?.groups?.["paths"] ?? "").matchAll(/`([^`]+)`/g)]
      .map(([, path = ""]) => path)
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `${id}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test("the index of the decisions lists every id beside its file", () => {
  const index = textOf(`${DECISIONS}/README.md`);
  for (const file of areas) {
    const name = file.slice(DECISIONS.length + 1);
    const row = index.split("\n").find((line) => line.startsWith(`| [${name}](${name}) |`)) ?? "";
    const listed = [...row.matchAll(/D-\d{3}/g)].map(([id]) => id);
    expect(listed, name).toEqual(entries.filter((entry) => entry.file === file).map(({ id }) => id));
  }
});

test("every decision that a file cites exists", () => {
  const files = CITING.flatMap(pathsIn).filter(
    (path) => /\.(ts|md|prisma)$/.test(path) && !path.includes("/generated/"),
  );
  const known = new Set(ids);
  const unknown = [...files, "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].flatMap((path) =>
    [...textOf(path).matchAll(/\bD-\d{3}\b/g)].filter(([id]) => !known.has(id)).map(([id]) => `${path}: ${id}`),
  );
  expect(unknown).toEqual([]);
});
