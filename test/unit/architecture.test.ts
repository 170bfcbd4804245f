// What ARCHITECTURE.md and CONTRIBUTING.md promise of the files themselves, where no other tool holds it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ReactState } from "../../graphs/react-state.ts";
import { PipelineState } from "../../graphs/state.ts";
import { draw, edgesOf, type PictureName, pictureIn, README } from "../support/picture.ts";

const ROOT = join(import.meta.dirname, "../..");
const textOf = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Made from other files, and named by whoever reads it. */
const IS_MADE = /\/generated\/|\/run_steps\.ts$/;

function filesIn(...folders: string[]): string[] {
  const found = folders
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
    );
  return found.filter((path) => path.endsWith(".ts") && !IS_MADE.test(path)).sort();
}

const sources = filesIn("src", "graphs", "voice", "cookie", "capabilities");
const everything = [...sources, ...filesIn("test", "prisma")];
const offenders = (files: readonly string[], breaks: (text: string) => boolean) =>
  files.filter((path) => breaks(textOf(path)));

/** The words that a fact can be, of its JSON Schema. */
const Schema = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ enum: z.array(z.string()).optional() })),
});

/** The comment lines with which a file begins; behind the line by which a system finds the interpreter of a program. */
function headerOf(text: string): string[] {
  const lines = text.replace(/^#!.*\n/, "").split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines.slice(0, end);
}

/** Each graph with the facts that no edge asks. */
const GRAPHS: readonly (readonly [PictureName, { getJsonSchema: () => unknown }, readonly string[]])[] = [
  ["pipeline", PipelineState, []],
  // What a human has decided is told to the agent, which chooses.
  ["react", ReactState, ["decision"]],
];

describe.each(GRAPHS)("the graph %s", async (name, state, unasked) => {
  const edges = await edgesOf(name);
  const nodes = new Set(edges.flatMap(({ source, target }) => [source, target]));

  /** What can be reached from `start`, which is part of it. */
  function reach(start: string, from: "source" | "target", to: "source" | "target"): Set<string> {
    const reached = new Set([start]);
    for (const name of reached) {
      for (const edge of edges) if (edge[from] === name) reached.add(edge[to]);
    }
    return reached;
  }

  test("is drawn in the README as it is compiled; npm run picture draws it anew", async () => {
    expect(pictureIn(readFileSync(README, "utf8"), name)).toBe(await draw(name));
  });

  test("reaches every node from its start, and its end from every node", () => {
    expect(reach("__start__", "source", "target")).toEqual(nodes);
    expect(reach("__end__", "target", "source")).toEqual(nodes);
  });

  test("has an edge for every answer that a fact can give, and no edge for any other", () => {
    const { properties } = Schema.parse(state.getJsonSchema());
    const answers = new Map(
      Object.entries(properties).flatMap(([fact, { enum: given }]) =>
        given === undefined || unasked.includes(fact) ? [] : [[fact, new Set(given)] as const],
      ),
    );
    const drawn = new Map([...answers.keys()].map((fact) => [fact, new Set<string>()]));
    const labelled = edges.flatMap(({ source, answer }) => (answer === null ? [] : [{ source, answer }]));
    for (const [source, from] of Map.groupBy(labelled, (edge) => edge.source)) {
      const labels = new Set(from.map(({ answer }) => answer));
      const facts = [...answers]
        .filter(([, given]) => [...labels].every((label) => given.has(label)))
        .map(([fact]) => fact);
      expect(facts, `the fact that ${source} is left by: ${[...labels]}`).toHaveLength(1);
      for (const label of labels) drawn.get(facts[0] ?? "")?.add(label);
    }
    expect(drawn).toEqual(answers);
  });
});

describe("every file", () => {
  test("is looked at", () => {
    expect(sources).toEqual(expect.arrayContaining(["src/app/main.ts", "src/policy/judge-plan.ts", "graphs/sop.ts"]));
    expect(sources.filter((path) => path.includes("generated"))).toEqual([]);
  });

  test("has at most 250 lines", () => {
    expect(offenders(sources, (text) => text.trimEnd().split("\n").length > 250)).toEqual([]);
  });

  test("begins with a comment of one to five lines that says what it is for", () => {
    // The titles of a test say what it is for.
    const files = everything.filter((path) => !path.endsWith(".test.ts"));
    expect(offenders(files, (text) => headerOf(text).length < 1 || headerOf(text).length > 5)).toEqual([]);
  });

  test("exports names, and no default", () => {
    expect(offenders(everything, (text) => /^export (default\b|\{[^}]*\bas default\b)/m.test(text))).toEqual([]);
  });

  test("casts nothing to any", () => {
    expect(offenders(sources, (text) => /\b(as|:) any\b|<any>/.test(text))).toEqual([]);
  });

  test("leaves nothing for later", () => {
    expect(offenders(everything, (text) => /\/\/.*\b(TODO|FIXME|XXX|HACK)\b/.test(text))).toEqual([]);
  });

  test("has a name of words with hyphens that says what it holds", () => {
    const name = /^[a-z][a-z0-9]*(-[a-z0-9]+)*(\.[a-z]+(-[a-z0-9]+)*)?(\.test)?\.ts$/;
    const says_nothing = /(^|-)(utils?|helpers?|managers?|types?|index|common|misc)(-|\.)/;
    const bad = everything.map((path) => basename(path)).filter((file) => !name.test(file) || says_nothing.test(file));
    expect(bad).toEqual([]);
  });
});

test("the decisions are numbered without a gap", () => {
  const numbers = [...textOf("DECISIONS.md").matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  expect(numbers.length).toBeGreaterThan(30);
  expect(numbers).toEqual(numbers.map((_, position) => position + 1));
});
