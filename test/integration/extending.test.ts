// Applies the examples of docs/extending.md to a copy of the code: their types are right, a server from the copy has what they add, and each
// touches as few files as the page says.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const COPIED = ["src", "graphs", "capabilities", "prisma", "test/support", "package.json", "tsconfig.json"];
const NODE_MODULES = join(ROOT, "node_modules");

type Example = {
  readonly section: string;
  readonly file: string;
  readonly how: "before" | "replace";
  readonly at: string;
  readonly code: string;
};

const HEAD = /^```ts add=(\S+) (before|replace)=(?:"((?:[^"\\]|\\.)*)"|'([^']*)')$/;

function examplesIn(page: string): Example[] {
  const examples: Example[] = [];
  let section = "";
  let open: (Omit<Example, "code"> & { readonly lines: string[] }) | null = null;
  for (const line of page.split("\n")) {
    const [, file = "", how, quoted, plain] = HEAD.exec(line) ?? [];
    if (line.startsWith("## ")) section = line.slice(3);
    if (how === "before" || how === "replace")
      open = { section, file, how, at: (quoted ?? plain ?? "").replaceAll('\\"', '"'), lines: [] };
    else if (open !== null && line === "```") {
      const { lines, ...example } = open;
      examples.push({ ...example, code: lines.join("\n") });
      open = null;
    } else open?.lines.push(line);
  }
  return examples;
}

/** The place must be there once, so that the page says where. */
function applied(text: string, { file, how, at, code }: Example): string {
  const places = text.split(at).length - 1;
  if (places !== 1) throw new Error(`${file} has ${JSON.stringify(at)} ${places} times`);
  return text.replace(at, () => (how === "replace" ? code : `${code}\n${at}`));
}

let copy: string;
let examples: readonly Example[];

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "orch-extending-"));
  for (const path of COPIED) await cp(join(ROOT, path), join(copy, path), { recursive: true });
  await symlink(NODE_MODULES, join(copy, "node_modules"));
  examples = examplesIn(await readFile(join(ROOT, "docs/extending.md"), "utf8"));
  for (const example of examples) {
    const path = join(copy, example.file);
    await writeFile(path, applied(await readFile(path, "utf8"), example));
  }
});

afterAll(() => rm(copy, { recursive: true, force: true }));

const filesOf = (section: string): string[] => [
  ...new Set(examples.filter((example) => example.section === section).map(({ file }) => file)),
];

test("each section of the page touches as many files as its heading says, and no more than three", () => {
  const sections = [...new Set(examples.map(({ section }) => section))];
  expect(sections).toHaveLength(6);
  for (const section of sections) {
    const [, count] = /: (\d) files$/.exec(section) ?? [];
    expect(filesOf(section), section).toHaveLength(Number(count));
    expect(filesOf(section).length).toBeLessThanOrEqual(3);
  }
});

test("the copy has no type error, and neither has the console", { timeout: 180_000 }, async () => {
  const config = {
    extends: "./tsconfig.json",
    include: ["src", "graphs", "test/support/engine.ts"],
    exclude: ["src/console", "src/*/test"],
  };
  await writeFile(join(copy, "tsconfig.copy.json"), JSON.stringify(config));
  const tsc = join(NODE_MODULES, "typescript/bin/tsc");
  for (const project of ["tsconfig.copy.json", "src/console"]) {
    const run = promisify(execFile)(process.execPath, [tsc, "-p", project], { cwd: copy });
    const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
    expect(stdout, project).toBe("");
  }
});

test("a server from the copy has what the page adds", { timeout: 60_000 }, async () => {
  // In a process of its own, whose modules are those of the copy.
  const { stdout } = await promisify(execFile)(process.execPath, ["test/support/use-extended.ts"], { cwd: copy });
  expect(JSON.parse(stdout)).toEqual({
    noted: { noted_by: "supervisor" },
    issues: [{ path: "note", message: "is too long" }],
    kind: "freeze_noted",
    line: expect.stringContaining("it has come, by supervisor"),
    steps: [
      ["wait_until", 0],
      ["check", 0],
    ],
    goal: "it is there",
    command: "add a note to the journal of a freeze",
  });
});
