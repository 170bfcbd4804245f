// What is read of a header `traceparent`, by W3C Trace Context.
import { expect, test } from "vitest";
import { readTraceparent } from "../../../src/domain/trace-mark.ts";

const IDS = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331";

test.each([
  ["sampled", `00-${IDS}-01`, `00-${IDS}-01`],
  ["not sampled", `00-${IDS}-00`, `00-${IDS}-00`],
  ["with flags that are not known", `00-${IDS}-ff`, `00-${IDS}-01`],
  ["of a later version", `cc-${IDS}-01-what-the-future-will-be-like`, `00-${IDS}-01`],
])("a trace context %s is read", (_what, given, read) => {
  expect(readTraceparent(given)).toBe(read);
});

test.each([
  ["more than its version has", `00-${IDS}-01-more`],
  ["the version that is none", `ff-${IDS}-01`],
  ["a trace of zeros", `00-${"0".repeat(32)}-b7ad6b7169203331-01`],
  ["a parent of zeros", `00-0af7651916cd43dd8448eb211c80319c-${"0".repeat(16)}-01`],
  ["capital letters", `00-${IDS.toUpperCase()}-01`],
  ["a line feed", `00-${IDS}-01\n`],
  ["no text", 1],
  ["several values", [`00-${IDS}-01`, `00-${IDS}-01`]],
  ["nothing", undefined],
])("a trace context with %s is ignored", (_what, given) => {
  expect(readTraceparent(given)).toBeNull();
});
