import { expect, test } from "vitest";
import { formatOrigin, parseOrigin, type SopOrigin } from "../../../src/domain/sop.ts";

test.each<[string, SopOrigin]>([
  ["t-1", { by: "task", task_id: "t-1" }],
  ["teach", { by: "teach" }],
  ["update_sop t-2", { by: "update_sop", task_id: "t-2" }],
])("the origin %j of an SOP is read and written as that text", (text, origin) => {
  expect(parseOrigin(text)).toEqual(origin);
  expect(formatOrigin(origin)).toBe(text);
});
