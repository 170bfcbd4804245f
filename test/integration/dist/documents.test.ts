// Which files of the documents get into the package.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyDocuments } from "../../../src/dist/documents.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";

test("pages and pictures are copied, and no secret of a compose file beside them", async () => {
  await using directory = await temporaryDirectory();
  const [from, to] = [join(directory.path, "docs"), join(directory.path, "package/docs")];
  mkdirSync(join(from, "deploy/secrets"), { recursive: true });
  const files = [
    "a.md",
    "picture.png",
    "deploy/README.md",
    "deploy/secrets/orch_token",
    "deploy/secrets/a.md",
    "deploy/.env",
  ];
  for (const path of files) writeFileSync(join(from, path), "text");
  await copyDocuments(from, to);
  expect(files.filter((path) => existsSync(join(to, path)))).toEqual(["a.md", "picture.png", "deploy/README.md"]);
});
