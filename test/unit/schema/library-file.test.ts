// The procedures of the library: each file has the form, says what its procedure needs and does, and keeps the rules.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { READ_ONLY_INTENTS, SentContract } from "../../../src/domain/contract.ts";
import { OrchError } from "../../../src/domain/errors.ts";
import { stepEnvironment } from "../../../src/domain/step-run.ts";
import { consequencesOf, effectOf, inspect } from "../../../src/guard/guard.ts";
import {
  aimed,
  contractFor,
  type LibraryFile,
  readLibraryFile,
  readSopFile,
  writeSopFile,
} from "../../../src/schema/sop-file.ts";

const ROOT = join(import.meta.dirname, "../../..");
const LIBRARY = join(ROOT, "capabilities/library");
const textOf = (name: string) => readFileSync(join(LIBRARY, name), "utf8");
const FILES = readdirSync(LIBRARY).sort();
const ENTRIES = FILES.map((file) => ({ name: file.replace(/\.yaml$/, ""), entry: readLibraryFile(textOf(file)) }));
const PAGE = readFileSync(join(ROOT, "docs/library.md"), "utf8");

/** What these delete has a fixed name, and they have made it themselves: nothing is asked (D-393). */
const OWN_LEFTOVERS = ["restore-drill", "restore-drill-postgresql"];

/** The commands of a procedure, as the guard sees them for the example. */
function commandsOf({ procedure, contract: { task_id, payload = {} } }: LibraryFile) {
  const { target, steps } = procedure;
  const shell = {
    home: "/home/orch",
    cwd: target["compose_dir"] ?? "/home/orch",
    env: stepEnvironment({ task_id, target, payload }),
  };
  return steps.flatMap((step) => {
    const texts = step.kind === "cmd" || step.kind === "check" ? [step.value] : [];
    return texts.map((text) => ({ kind: step.kind, text, shell }));
  });
}

describe("the library", () => {
  test("has nineteen procedures for sixteen jobs, and the page of the library has a line of each", () => {
    expect(ENTRIES).toHaveLength(19);
    const rows = PAGE.split("\n").filter((line) => /^\| \d+ \|/.test(line));
    expect(rows).toHaveLength(16);
    for (const { name } of ENTRIES) expect(rows.filter((row) => row.includes(`\`${name}\``))).toHaveLength(1);
  });

  test.each(ENTRIES)("has in $name a procedure that is exported as it is, and a contract for it", ({ entry }) => {
    const file = writeSopFile(entry.procedure);
    expect(writeSopFile(readSopFile(file))).toBe(file);
    const contract = contractFor(entry, entry.procedure);
    expect(SentContract.parse(contract)).toMatchObject({
      intent: entry.procedure.intent,
      delegation_mode: "known_only",
    });
    expect(contract.success_criteria).toEqual(Object.keys(entry.procedure.criteria ?? {}));
  });

  test.each(ENTRIES)("has in $name nothing that policy blocks or asks about by itself", ({ entry }) => {
    for (const { text, shell } of commandsOf(entry)) expect(inspect(text, shell)).toMatchObject({ verdict: "allow" });
  });

  test.each(ENTRIES)("says of $name what it changes, as policy sees it", ({ name, entry }) => {
    const commands = commandsOf(entry);
    const found = commands.flatMap(({ text, shell }) => consequencesOf(text, shell).consequences.map(({ is }) => is));
    expect(entry.effect === "deletes").toBe(found.includes("deletes_data"));
    expect(entry.effect === "looks").toBe(READ_ONLY_INTENTS.has(entry.procedure.intent));
    const asked = entry.contract.constraints.require_approval_for;
    if (OWN_LEFTOVERS.includes(name)) return expect(asked).toEqual([]);
    for (const kind of ["deletes_data", "changes_network"] as const)
      expect(asked.includes(kind)).toBe(found.includes(kind));
  });

  test.each(ENTRIES.filter(({ name }) => name !== "record-to-notes"))(
    "has in $name checks of which policy knows that they only look",
    ({ entry }) => {
      for (const { kind, text, shell } of commandsOf(entry))
        if (kind === "check") expect(effectOf(text, shell)).toMatchObject({ is: "reads" });
    },
  );

  test.each(ENTRIES)("names in $name every value of the target by its variable", ({ entry: { procedure } }) => {
    const texts = JSON.stringify(procedure.steps);
    for (const value of Object.values(procedure.target))
      if (value.startsWith("/") || value.includes("://")) expect(texts).not.toContain(value);
  });

  test("records to notes as the example of the skill does", () => {
    const [ours] = ENTRIES.filter(({ name }) => name === "record-to-notes");
    const example = readSopFile(
      readFileSync(join(ROOT, "capabilities/notes/examples/record-to-notes.sop.yaml"), "utf8"),
    );
    const valuesOf = (steps: readonly object[]) => steps.map((step) => ({ ...step, kind: null }));
    expect(valuesOf(ours?.entry.procedure.steps ?? [])).toEqual(valuesOf(example.steps));
  });
});

describe("a file of the library", () => {
  const text = textOf("compose-restart.yaml");

  test.each([
    [
      "an attribute of the target without a meaning",
      text.replace("    service: the service", "    unit: the service"),
      "needs.target",
    ],
    ["a field that is not known", `${text}more: 1\n`, "more"],
    ["a check without a criterion", text.replace("    the service answers: 2\n", ""), "procedure.criteria"],
    ["a tool server that no step calls", text.replace("  programs:", "  servers: [dns]\n  programs:"), "needs.servers"],
    ["an effect that is none", text.replace("effect: changes", "effect: harmless"), "effect"],
  ])("is refused with %s", (_what, wrong, path) => {
    expect(wrong).not.toBe(text);
    const read = () => readLibraryFile(wrong);
    expect(read).toThrow(OrchError);
    try {
      read();
    } catch (error) {
      expect((error as OrchError).issues.map((issue) => issue.path)).toContain(path);
    }
  });

  test("is aimed at a target of one's own, and keeps the example elsewhere", () => {
    const entry = readLibraryFile(text);
    const { intent, target, steps } = aimed(entry, { target: { service: "shop", environment: "prod" } });
    expect(intent).toBe("restart");
    expect(target).toEqual({ ...entry.procedure.target, service: "shop", environment: "prod" });
    expect(steps).toEqual(entry.procedure.steps);
    expect(contractFor(entry, { ...entry.procedure, target }).target).toEqual(target);
  });
});
