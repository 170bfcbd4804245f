import { expect, test } from "vitest";
import { surface, writtenSurface } from "../../../support/surface.ts";

test("docs/surface.json is what npm run docs writes: a change of the surface is seen in the review", async () => {
  expect(await writtenSurface()).toEqual(JSON.parse(JSON.stringify(surface())));
});

test("the surface has every kind of thing that others rely on", () => {
  const { operations, events, environment, commands, exports, ...rest } = surface();
  expect(operations["submit_task"]).toMatchObject({ http: "POST /v1/tasks", scope: "submit" });
  expect(operations["submit_task"]?.input).toMatch(/^task_id .*payload\? /);
  expect(events["step_started"]).toContain("index");
  expect(environment).toEqual(expect.arrayContaining(["ORCH_PORT", "ORCH_TOKEN (or ORCH_TOKEN_FILE)"]));
  expect(commands["submit"]).toMatch(/^<file> .*--wait \[seconds\]/);
  expect(exports).toContain("./approval");
  expect(rest["exit codes"]).toMatchObject({ done: 0, need_input: 3 });
});
