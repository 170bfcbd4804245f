// The first two pages that a new user reads. The others are long: guides.test.ts.
import { expect, test } from "vitest";
import { pageText } from "../../support/documents/page.ts";
import { playPage } from "../../support/documents/play-page.ts";
import { faultOf, needsWorld } from "./page-fault.ts";

test.skipIf(needsWorld)("what README and the first procedure say is what a new user sees", async () => {
  const pages = ["README.md", "docs/first-procedure.md"];
  const faults = await Promise.all(pages.map(async (path) => faultOf(path, await playPage(pageText(path)))));
  expect(faults).toEqual([null, null]);
});
