import { expect, test } from "vitest";
import { cpuTimeOf } from "../../../../../test/support/cpu-time.ts";
import { initialState } from "../../../interpreter/interpret.ts";
import { RECORDS } from "../../../programs/registry.ts";
import { commandEffect } from "../../../readings/effect.ts";
import { words } from "../../../words/options.ts";
import { UNKNOWN } from "../../../words/symbols.ts";
import { CONTEXT } from "../guard-outcome.ts";

const PROGRAMS = RECORDS.filter(({ effect, looks }) => (effect ?? looks) !== undefined).flatMap(({ names }) =>
  words(names),
);
const STATE = initialState(CONTEXT);

test("the effect of more than 1,300 programs is known", () => {
  expect(PROGRAMS.length).toBeGreaterThan(1300);
});

test("a known program that prints its version or help only reads", () => {
  for (const name of PROGRAMS) {
    expect(commandEffect([name, "--version"], STATE).is, name).toBe("reads");
    expect(commandEffect([name, "--help"], STATE).is, name).toBe("reads");
  }
});

test("an unknown word never turns a changing program into a reading one", () => {
  const always = PROGRAMS.filter((name) => commandEffect([name, "zq"], STATE).is === "changes");
  expect(always.length).toBeGreaterThan(100);
  for (const name of always) expect(commandEffect([name, UNKNOWN], STATE).is, name).not.toBe("reads");
});

test("a subcommand that cannot be determined has an unknown effect", () => {
  for (const name of [
    "docker",
    "git",
    "kubectl",
    "systemctl",
    "npm",
    "apt",
    "helm",
    "terraform",
    "zpool",
    "ufw",
    "snap",
  ])
    expect(commandEffect([name, UNKNOWN, "x"], STATE).is, name).toBe("unknown");
});

test("words that are property names of objects have an unknown effect", () => {
  for (const name of ["constructor", "__proto__", "toString"]) {
    expect(commandEffect([name], STATE).is).toBe("unknown");
    expect(commandEffect(["git", name], STATE).is).toBe("unknown");
  }
});

test.each([
  ["deeply nested", "(".repeat(4000)],
  ["full of escapes", `s/${"\\a".repeat(2000)}`],
  ["full of quotes", '\\"'.repeat(2000)],
  ["full of statements", "print ".repeat(600)],
  ["full of comments", "/*".repeat(2000)],
])("code that is %s is judged within two seconds of the processor", (_what, code) => {
  const lines = [
    ["awk", code],
    ["sed", code],
    ["psql", "-c", code],
    ["mysql", "-e", code],
    ["mongosh", "--eval", code],
  ];
  const judged = () => {
    for (const line of lines) expect(["reads", "unknown"]).toContain(commandEffect(line, STATE).is);
  };
  expect(cpuTimeOf(judged)).toBeLessThan(2_000);
});

test.each(["awk", "sed"])("a program for %s that is too long has an unknown effect", (name) => {
  expect(commandEffect([name, "p;".repeat(100)], STATE).is).toBe("reads");
  expect(commandEffect([name, "p;".repeat(3000)], STATE).is).toBe("unknown");
});
