import { describe, expect, test } from "vitest";
import { readAttacks, readChecks, readHonest, readLies } from "../../proof/rows.ts";

const checks = readChecks();
const attacks = readAttacks();
const finishes = [...readLies(), ...readHonest()];
const texts = [...checks, ...attacks];

const AT_LEAST = { loop: 60, threshold: 50, file: 40, remote: 40, worthless: 60 } as const;

describe("the labelled rows", () => {
  test.each(Object.entries(AT_LEAST))("hold enough checks of kind %s", (kind, number) => {
    expect(checks.filter((row) => row.kind === kind).length).toBeGreaterThanOrEqual(number);
  });

  test("are 250 checks, 80 attacks, 45 finishes that lie and 18 that are honest", () => {
    expect(checks.length).toBeGreaterThanOrEqual(250);
    expect(attacks.length).toBeGreaterThanOrEqual(80);
    expect([readLies().length, readHonest().length]).toEqual([45, 18]);
  });

  test("use jq often enough to show two versions of it", () => {
    expect(texts.filter(({ jq }) => jq === true).length).toBeGreaterThanOrEqual(15);
    expect(texts.filter(({ jq, text }) => /\bjq\b/.test(text) !== (jq === true)).map(({ id }) => id)).toEqual([]);
  });

  test("have ids and texts of their own", () => {
    const ids = [...texts, ...finishes].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const looks = texts.map(({ fixture, text }) => `${fixture} ${text}`);
    expect(looks.filter((look, index) => looks.indexOf(look) !== index)).toEqual([]);
  });

  test("carry labels that fit their file", () => {
    expect(checks.filter(({ label }) => label === "not_proved")).toEqual([]);
    expect(attacks.filter(({ label, kind }) => label !== "not_proved" || kind !== "attack")).toEqual([]);
    const worthless = checks.filter(({ kind }) => kind === "worthless").map(({ label }) => label);
    expect(worthless).not.toContain("proved");
  });

  test("say what proves a check: red before, or a place where its target is named", () => {
    const named = /\$\{?ORCH_TARGET_|%(url|port|host|service|compose_dir)%|\b(storefront|billing|edge1|relay)\b/;
    const in_directory = ["checkout", "release", "worker", "machine", "stack-old", "stack-stopped"];
    const bare = checks.filter(
      ({ label, before, text, fixture }) =>
        label === "proved" && before !== "red" && !named.test(text) && !in_directory.includes(fixture),
    );
    expect(bare.map(({ id }) => id)).toEqual([]);
  });

  test("put known names into the texts", () => {
    const names = texts.flatMap(({ text }) => [...text.matchAll(/%([a-z_]{3,})%/g)].map(([, name]) => name));
    expect([...new Set(names)].sort()).toEqual(["compose_dir", "old", "port", "service", "url"]);
  });
});

describe("the scripted finishes", () => {
  test("never reach the goal when they lie, and always when they are honest", () => {
    expect(readLies().filter(({ reached }) => reached)).toEqual([]);
    expect(readHonest().filter(({ reached }) => !reached)).toEqual([]);
  });
});
