import { expect, test } from "vitest";
import { isPassing } from "../../../src/cli/commands/service.ts";

test.each([
  ["/home/ann/.nvm/versions/node/v24.0.0/bin/node", true],
  ["/root/.npm/_npx/1234/node_modules/orch/src/orch.cjs", true],
  ["/var/cache/_npx/1234/node_modules/orch/src/orch.cjs", true],
  ["/usr/bin/node", false],
  ["/usr/local/lib/node_modules/orch/src/orch.cjs", false],
])("a program at %s is one that may go away: %s", (path, expected) => {
  expect(isPassing(path)).toBe(expected);
});
