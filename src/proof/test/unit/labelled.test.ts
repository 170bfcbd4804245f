import { describe, expect, test } from "vitest";
import type { FixtureName } from "../../../../test/proof/fixture-names.ts";
import { type CheckRow, readAttacks, readChecks, readHonest, readLies } from "../../../../test/proof/rows.ts";
import { constantExit } from "../../constant.ts";
import { decoyOf } from "../../decoy.ts";
import { wordingFault } from "../../misread.ts";
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
    "%s is not constant, and not by chance, and says what it does",
    (_id, row) => {
      expect(read(row)).toMatchObject({ constant: null, chance: null });
      expect(wordingFault(row.text)).toBeNull();
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

describe("the labelled rows", () => {
  const attacks = readAttacks();
  const texts = [...CHECKS, ...attacks];
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

  test("are enough of each kind", () => {
    const kinds = { loop: 60, threshold: 50, file: 40, remote: 40, worthless: 60 };
    for (const [kind, number] of Object.entries(kinds))
      expect(CHECKS.filter((row) => row.kind === kind).length, kind).toBeGreaterThanOrEqual(number);
    expect([CHECKS.length >= 250, attacks.length >= 80]).toEqual([true, true]);
    expect([readLies().length, readHonest().length]).toEqual([45, 18]);
    expect(texts.filter(({ jq }) => jq === true).length, "to show two versions of jq").toBeGreaterThanOrEqual(15);
    expect(idsOf(texts.filter(({ jq, text }) => /\bjq\b/.test(text) !== (jq === true)))).toEqual([]);
  });

  test("have ids and texts of their own, with known names in them", () => {
    const ids = idsOf([...texts, ...readLies(), ...readHonest()]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(texts.map(({ fixture, text }) => `${fixture} ${text}`)).size).toBe(texts.length);
    const names = texts.flatMap(({ text }) => [...text.matchAll(/%([a-z_]{3,})%/g)].map(([, name]) => name));
    expect([...new Set(names)].sort()).toEqual(["compose_dir", "old", "port", "service", "url"]);
  });

  test("carry labels that fit their file and their kind", () => {
    expect(idsOf(CHECKS.filter(({ label }) => label === "not_proved"))).toEqual([]);
    expect(idsOf(attacks.filter(({ label, kind }) => label !== "not_proved" || kind !== "attack"))).toEqual([]);
    expect(idsOf(CHECKS.filter(({ kind, label }) => kind === "worthless" && label === "proved"))).toEqual([]);
    expect(idsOf(readLies().filter(({ reached }) => reached))).toEqual([]);
    expect(idsOf(readHonest().filter(({ reached }) => !reached))).toEqual([]);
  });

  test("say what proves a check: red before, or a place where its target is named", () => {
    const named = /\$\{?ORCH_TARGET_|%(url|port|host|service|compose_dir)%|\b(storefront|billing|edge1|relay)\b/;
    const in_directory = ["checkout", "release", "worker", "machine", "stack-old", "stack-stopped"];
    const bare = CHECKS.filter(({ label, before }) => label === "proved" && before !== "red");
    expect(idsOf(bare.filter((row) => !named.test(row.text) && !in_directory.includes(row.fixture)))).toEqual([]);
  });
});
