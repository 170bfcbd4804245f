import { describe, expect, test } from "vitest";
import { readConfig } from "../../../../src/config/config.ts";
import { OrchError } from "../../../../src/domain/errors.ts";

const HOME = { HOME: "/home/me" };

function refusal(env: Record<string, string>): OrchError {
  try {
    readConfig({ ...HOME, ...env });
  } catch (error) {
    if (error instanceof OrchError) return error;
  }
  throw new Error("the configuration was accepted");
}

describe("the flow engine", () => {
  const FLOW = { FLOWENGINE_URL: "http://127.0.0.1:8000", FLOWENGINE_TOKEN: "x", FLOWENGINE_WORKSPACE: "lab" };

  test("runs the generic flow under its default path [2.flow.path]", () => {
    expect(readConfig({ ...HOME, ...FLOW }).flow_engine).toMatchObject({
      flow_path: "f/orch/execute_task_steps",
      poll_ms: 500,
    });
  });

  test("is sent its token in clear text where the site says so", () => {
    const env = { ...HOME, ...FLOW, FLOWENGINE_URL: "http://engine:8000", FLOWENGINE_PEER: "any" };
    expect(readConfig(env).flow_engine).toMatchObject({ url: "http://engine:8000", peer: "any" });
  });

  test.each([
    ["a token is missing", { ...FLOW, FLOWENGINE_TOKEN: "" }, ["FLOWENGINE_TOKEN"]],
    ["a workspace is missing", { ...FLOW, FLOWENGINE_WORKSPACE: "" }, ["FLOWENGINE_WORKSPACE"]],
    ["the address is missing", { FLOWENGINE_TOKEN: "x" }, ["FLOWENGINE_URL", "FLOWENGINE_WORKSPACE"]],
    ["it is the default and not there", { EXECUTION_BACKEND: "flowengine" }, Object.keys(FLOW)],
    ["the address holds an account", { ...FLOW, FLOWENGINE_URL: "http://a:b@engine" }, ["FLOWENGINE_URL"]],
    ["its token would be sent in clear text", { ...FLOW, FLOWENGINE_URL: "http://engine:8000" }, ["FLOWENGINE_URL"]],
    ["the workspace is a path", { ...FLOW, FLOWENGINE_WORKSPACE: "../admins" }, ["FLOWENGINE_WORKSPACE"]],
    ["the flow's path leaves its folder", { ...FLOW, FLOWENGINE_FLOW_PATH: "f/../x" }, ["FLOWENGINE_FLOW_PATH"]],
  ])("is refused when %s", (_what, env, paths) => {
    expect(refusal(env).issues.map(({ path }) => path)).toEqual(paths);
  });
});
