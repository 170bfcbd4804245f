// The guides, each as its reader uses it. A page takes seconds, so they run every night.
import { expect, test } from "vitest";
import { isGenerated, pageText, stepsOf } from "../../support/documents/page.ts";
import { playPage } from "../../support/documents/play-page.ts";
import { DOCUMENTS } from "../../unit/architecture/source-files.ts";
import { faultOf, needsWorld } from "./page-fault.ts";

const isGuide = (path: string) =>
  /^docs\/[a-z-]+\.md$/.test(path) && path !== "docs/first-procedure.md" && !isGenerated(pageText(path));
const PAGES = DOCUMENTS.filter((path) => isGuide(path) && stepsOf(pageText(path)).length > 0);

test.skipIf(needsWorld).each(PAGES)("what %s says is what its reader sees", async (path) => {
  expect(faultOf(path, await playPage(pageText(path)))).toBeNull();
});
