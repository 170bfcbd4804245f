import { expect, test } from "vitest";
import { warnOfSkew } from "../../../src/app/stages.ts";
import { AT } from "../../support/builders.ts";

test.each([
  ["600 s ahead", 600_000, [600]],
  ["600 s slow", -600_000, [-600]],
  ["2 s ahead", 2_000, []],
])("a clock that is %s is warned about once, when it is more than two seconds off", async (_how, ms, warned) => {
  const seen: object[] = [];
  await warnOfSkew({
    store: {
      describeServers: async () => ({
        now: AT,
        servers: [],
        held: [],
        unread: [],
        waiting: { tasks: 0, oldest_seconds: null },
      }),
    },
    clock: () => new Date(Date.parse(AT) + ms),
    log: { warn: (details) => void seen.push(details) },
  });
  expect(seen).toEqual(warned.map((ahead_seconds) => ({ ahead_seconds })));
});
