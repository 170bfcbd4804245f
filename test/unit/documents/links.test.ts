import { expect, test } from "vitest";
import { anchorsIn, faultOfLink, linksIn } from "../../support/documents/links.ts";
import { ROOT } from "../architecture/source-files.ts";

test("the links of a page are those to files, and not those in code", () => {
  const page = "[a](docs/a.md#b) ![p](p.png) [w](https://w.example) `[c](c.md)`\n```text\n[d](d.md)\n```\n";
  expect(linksIn(page)).toEqual(["docs/a.md#b", "p.png"]);
});

test("the anchors of a page are its headings in lower case, and the second of one title is numbered", () => {
  const page = "# What `orch` does, and not\n\n## On it\n\n## On it\n\n```sh\n# no heading\n```\n";
  expect([...anchorsIn(page)]).toEqual(["what-orch-does-and-not", "on-it", "on-it-1"]);
});

test("a link to a file or a heading that is missing is a fault that names it", () => {
  const faultIn = (target: string) => faultOfLink(ROOT, "docs/console.md", target);
  expect(faultIn("../README.md#documents")).toBeNull();
  expect(faultIn("../README.md#no-such-heading")).toContain("has no such heading");
  expect(faultIn("no-such-file.md")).toContain("no such file");
});
