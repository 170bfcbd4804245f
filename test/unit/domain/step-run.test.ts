import { expect, test } from "vitest";
import { stepEnvironment } from "../../../src/domain/step-run.ts";

test("a step gets its target, payload and task in variables of fixed names", () => {
  const contract = { task_id: "t-1", target: { compose_dir: "/srv/app", host: "h 1" }, payload: { b: 1, a: "$(x)" } };
  expect(stepEnvironment(contract)).toEqual({
    ORCH_TARGET_COMPOSE_DIR: "/srv/app",
    ORCH_TARGET_HOST: "h 1",
    ORCH_PAYLOAD: '{"a":"$(x)","b":1}',
    ORCH_TASK_ID: "t-1",
  });
});
