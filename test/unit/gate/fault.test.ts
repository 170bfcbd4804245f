import { expect, test } from "vitest";
import { fault, reasonOf } from "../../../src/gate/fault.ts";

test.each([
  [fault("not_json"), "not_json"],
  [fault("http_status", 503), "http_status: 503"],
  [new DOMException("late", "TimeoutError"), "timeout"],
  [Object.assign(new Error("connect hunter2"), { code: "ECONNREFUSED" }), "unreachable: ECONNREFUSED"],
  [new TypeError("hunter2"), "unreachable: TypeError"],
  [Object.assign(new Error("x"), { code: "hunter2: 5" }), "unreachable: Error"],
  [Object.assign(new Error("x"), { name: "hunter 2" }), "unreachable"],
  [new Error("hunter2", { cause: "another code" }), "unreachable: Error"],
  ["hunter2", "unreachable"],
  [undefined, "unreachable"],
])("the reason of %s is %j, and quotes nothing foreign", (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
