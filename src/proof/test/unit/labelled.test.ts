import { describe, expect, test } from "vitest";
import type { FixtureName } from "../../../../test/proof/fixture-names.ts";
import { type CheckRow, readAttacks, readChecks } from "../../../../test/proof/rows.ts";
import { constantExit } from "../../constant.ts";
import { decoyOf } from "../../decoy.ts";
import { chanceIn, mayTimeTurnGreen } from "../../read-check.ts";

const DIRECTORY = "/tmp/fixture/srv/shop";
const web = { service: "shop-api", url: "http://127.0.0.1:40123", port: "40123" };
const stack = { service: "storefront", compose_dir: DIRECTORY };
const host = { host: "edge1", service: "relay" };

const TARGETS: Record<FixtureName, Record<string, string>> = {
  "web-down": web,
  "web-old": web,
  "web-starting": web,
  "stack-stopped": stack,
  "stack-old": stack,
  "stack-restarting": stack,
  host,
  "host-down": host,
  checkout: { service: "shop-page", compose_dir: DIRECTORY },
  release: { service: "shop", compose_dir: DIRECTORY },
  unit: { service: "billing" },
  worker: { service: "shop-worker-new", compose_dir: DIRECTORY },
  database: { service: "ledger", host: "127.0.0.1", port: "40124" },
  machine: { service: "node", compose_dir: DIRECTORY },
};

function read(row: CheckRow) {
  const target = TARGETS[row.fixture];
  const names = Object.entries({ ...target, old: "shop-worker-old" });
  const text = names.reduce((filled, [name, value]) => filled.replaceAll(`%${name}%`, value), row.text);
  const env = Object.fromEntries(names.map(([name, value]) => [`ORCH_TARGET_${name.toUpperCase()}`, value]));
  return {
    constant: constantExit(text, { ...env, ORCH_PAYLOAD: "{}", ORCH_TASK_ID: "t-1" }),
    chance: chanceIn(text),
    by_time: mayTimeTurnGreen(text),
    decoy: decoyOf(text, target, "/tmp/empty"),
  };
}

const CHECKS = readChecks();
const labelled = (label: CheckRow["label"]) => CHECKS.filter((row) => row.label === label).map((row) => [row.id, row]);

/** A counter that was never assigned bounds its loop. */
const NOT_FOLLOWED = /^loop-52$/;
/** They are red before the change, and name no target. */
const RED_BEFORE_ONLY = /^(loop-30|remote-41)$/;
/** Red before counts for nothing with these. An empty world and a target that does not exist turn them red. */
const LOOK_AT_CLOCK = /^(loop-(04|05|33|65)|threshold-(33|34|38|39|58|60|63)|file-(14|45|47)|remote-32)$/;

describe("the text of labelled check", () => {
  test.each(labelled("constant") as [string, CheckRow][])("%s is constant", (id, row) => {
    expect(read(row).constant === null).toBe(NOT_FOLLOWED.test(id));
  });

  test.each([...labelled("proved"), ...labelled("sensitive")] as [string, CheckRow][])(
    "%s is not constant, and not by chance",
    (_id, row) => {
      expect(read(row)).toMatchObject({ constant: null, chance: null });
    },
  );

  test.each(labelled("proved") as [string, CheckRow][])("%s names its target", (id, row) => {
    expect(read(row).decoy.names_target).toBe(!RED_BEFORE_ONLY.test(id));
  });

  test.each(labelled("proved") as [string, CheckRow][])("%s looks at the clock or does not", (id, row) => {
    expect(read(row).by_time).toBe(LOOK_AT_CLOCK.test(id));
  });

  test("each attack that only waits looks at the clock", () => {
    const waits = readAttacks().filter(({ wait_s }) => wait_s !== undefined);
    expect(waits.length).toBeGreaterThanOrEqual(14);
    expect(waits.filter((row) => !read(row).by_time).map(({ id }) => id)).toEqual([]);
  });

  test("no attack is constant with another exit code than that of its first run", () => {
    const wrong = readAttacks().filter((row) => read(row).constant?.exit_code === 1 && row.before === "green");
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });
});
