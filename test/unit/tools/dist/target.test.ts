// Which directories `npm run dist -- --to` deletes for a new package, and which it refuses.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { targetFault } from "../../../../src/tools/dist/dist.ts";

const folder = mkdtempSync(join(tmpdir(), "orch-target-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A directory with these files. */
function made(path: string, files: Readonly<Record<string, string>>): string {
  const directory = join(folder, path);
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

const PACKAGE = { "package.json": '{"name":"orch"}', "npm-shrinkwrap.json": "{}" };
const checkout = made("home/checkout", { "package.json": '{"name":"orch"}' });

describe("the target of a package", () => {
  test.each(["", ".", "..", "../../..", "/"])(
    "is refused where --to %j leads to the checkout or above it",
    async (to) => {
      expect(await targetFault(resolve(checkout, to), checkout)).toMatch(
        / is the checkout, or holds it, and would be /,
      );
    },
  );

  test("is refused where a link leads to the checkout, or nowhere", async () => {
    const link = join(folder, "link");
    symlinkSync(checkout, link);
    expect(await targetFault(link, checkout)).toMatch(/is the checkout/);
    expect(await targetFault(checkout, link)).toMatch(/is the checkout/);
    symlinkSync(join(folder, "none"), join(folder, "dead"));
    expect(await targetFault(join(folder, "dead"), checkout)).toMatch(/leads nowhere/);
  });

  test.each([
    ["files of others", { "letter.txt": "x" }],
    ["another package", { ...PACKAGE, "package.json": '{"name":"other"}' }],
    ["a package.json that is none", { ...PACKAGE, "package.json": "{" }],
    ["a checkout", { "package.json": '{"name":"orch"}' }],
    ["a repository", { ...PACKAGE, ".git": "gitdir: x" }],
  ])("is refused where it holds %s", async (name, files) => {
    const target = made(name, files);
    expect(await targetFault(target, checkout)).toMatch(/^--to: \/.* has files, and is no package of orch .*empty\.$/);
  });

  test("is refused where it is a file, or a directory of the sources", async () => {
    expect(await targetFault(join(checkout, "package.json"), checkout)).toMatch(/is no directory/);
    const sources = made("home/checkout/src", { "orch.ts": "" });
    expect(await targetFault(sources, checkout)).toMatch(/has files/);
  });

  test("may be one that is not there or is empty, an earlier package, and what the build has left of its own", async () => {
    expect(await targetFault(join(folder, "new/one"), checkout)).toBeNull();
    expect(await targetFault(made("empty", {}), checkout)).toBeNull();
    expect(await targetFault(made("earlier", PACKAGE), checkout)).toBeNull();
    expect(await targetFault(made("home/..begun", PACKAGE), dirname(checkout))).toBeNull();
    expect(await targetFault(made("home/checkout/dist", { "half-written": "" }), checkout)).toBeNull();
  });
});
