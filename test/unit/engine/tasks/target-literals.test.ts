// Values of the old target in the steps of a copy.
import { expect, test } from "vitest";
import { targetLiterals } from "../../../../src/engine/tasks/sop-proof.ts";
import { check, cmd, mcpCall } from "../../../support/builders.ts";

const WEB = { service: "web", host: "alpha", port: "8" };
const DB = { service: "db", host: "alpha", port: "9" };
const found = (...steps: Parameters<typeof targetLiterals>[0]) =>
  targetLiterals(steps, WEB, DB).map(({ step_index, key, value }) => `${step_index} ${key}=${value}`);

test("are found in commands, checks, previews, arguments and expectations", () => {
  const plan = { kind: "cmd" as const, value: "terraform apply", preview: "terraform plan -target web" };
  const call = mcpCall({ server: "home", tool: "dim", arguments: { of: ["x", "web"] } });
  expect(found(cmd("docker restart web"), check("curl -f http://web/health"), plan, call)).toEqual([
    "0 service=web",
    "1 service=web",
    "2 service=web",
    "3 service=web",
  ]);
});

test.each([
  ["is a parameter", 'docker restart "$ORCH_TARGET_SERVICE"'],
  ["is within a longer word", "docker restart webhook cobweb web_1"],
  ["is the same for both targets", "ssh alpha uptime"],
  ["is too short to be no accident", "sleep 8"],
])("are none where the value %s", (_name, command) => {
  expect(found(cmd(command), { kind: "wait", value: "5s" })).toEqual([]);
});
