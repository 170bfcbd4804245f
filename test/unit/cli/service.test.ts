import { expect, test } from "vitest";
import { isPassing, valueIn } from "../../../src/cli/commands/service.ts";

test("the time to drain is read as systemd reads it: the last value, with or without quotes", () => {
  const text =
    '# ORCH_DRAIN_SECONDS=1\nORCH_DRAIN_SECONDS=20\n ORCH_DRAIN_SECONDS="600"\nORCH_DRAIN_SECONDS=\nORCH_HOST=a\n';
  expect(valueIn(text, "ORCH_DRAIN_SECONDS")).toBe("600");
  expect(valueIn("", "ORCH_DRAIN_SECONDS")).toBeUndefined();
});

test.each([
  ["/home/ann/.nvm/versions/node/v24.0.0/bin/node", true],
  ["/root/.npm/_npx/1234/node_modules/orch/src/orch.cjs", true],
  ["/var/cache/_npx/1234/node_modules/orch/src/orch.cjs", true],
  ["/usr/bin/node", false],
  ["/usr/local/lib/node_modules/orch/src/orch.cjs", false],
])("a program at %s is one that may go away: %s", (path, expected) => {
  expect(isPassing(path)).toBe(expected);
});
