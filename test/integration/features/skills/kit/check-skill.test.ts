// The check of skills that are new but for one change, in a directory of their own.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkSkill } from "../../../../../src/features/skills/kit/check-skill.ts";
import { newSkill } from "../../../../../src/features/skills/kit/new-skill.ts";

const PLACES = { capabilities: [], skill_memory_mb: 256 };
const TIME = 60_000;
const base = await mkdtemp(join(tmpdir(), "orch-check-skill-"));
afterAll(() => rm(base, { recursive: true, force: true }));

async function made(parent: string, name: string, change = (handler: string) => handler): Promise<string> {
  const directory = join(base, parent, name);
  await mkdir(directory, { recursive: true });
  for (const [file, text] of Object.entries(newSkill(name, directory)))
    await writeFile(join(directory, file), file === "handler.ts" ? change(text) : text);
  return directory;
}

test.each([
  ["a wrong type", "types", (text: string) => text.replace("data.items.length", "data.things.length"), /things/],
  ["a text that cannot be parsed", "broken", (text: string) => `${text}\nexport const = 1;\n`, /declaration expected/i],
  ["an enum", "enums", (text: string) => `${text}\nenum A { B }\n`, /erasableSyntaxOnly/],
  ["a package that is missing", "lacks", (text: string) => `import "some-lamps";\n${text}`, /npm install some-lamps/],
  [
    "a module of orch that is none for skills",
    "opener",
    (text: string) => `import "orch/src/store/store.ts";\n${text}`,
    /does not export src\/store\/store\.ts; orch has for skills: orch\/approval, .*orch\/domain\/tool$/,
  ],
  ["an intent of orch", "taker", (text: string) => text.replace('["taker"]', '["deploy"]'), /which orch runs itself/],
])(
  "%s is named with its file",
  async (_what, name, change, why) => {
    const directory = await made(name, name, change);
    const { faults } = await checkSkill(directory, PLACES);
    const named = faults.find((fault) => why.test(fault.why));
    expect(named?.file).toBe(join(directory, "handler.ts"));
  },
  TIME,
);

const STEPS = `
interface Found { name: string; since: Date; size?: number }
async function look(name: string) {
  return name === "a" ? { ok: true as const, files: [name] } : { ok: false as const, stderr: "there is none" };
}
export async function steps(ctx: SkillContext): Promise<string[]> {
  const found = await ctx.step("of an interface", async (): Promise<Found[]> => [], "repeat");
  const since: string[] = found.map((one) => one.since);
  await ctx.step("without a value", async () => {}, "repeat");
  const three: number = await ctx.step("without a promise", () => 3, "repeat");
  const looked = await ctx.step("with two shapes", () => look("a"), "repeat");
  if (!looked.ok) return [looked.stderr];
  const ended = await ctx.step("with an end of its own", () => ctx.call("a", "b", {}), () => ({ ok: true as const }));
  if (!ended.ok) return [ended.stderr];
  const size: number | undefined = found[0]?.size;
  return [...since, ...looked.files, \`\${three} \${size}\`];
}
`;

test(
  "the value of a step may be of any type, and is what JSON leaves of it",
  async () => {
    const directory = await made("values", "values", (text) => text + STEPS);
    expect((await checkSkill(directory, PLACES)).faults).toEqual([]);
    const dated = await made("dates", "dates", (text) => text + STEPS.replace("since: string[] =", "since: Date[] ="));
    const { faults } = await checkSkill(dated, PLACES);
    expect(faults[0]?.why).toMatch(/^Type 'string\[\]' is not .*'Date\[\]'/);
  },
  TIME,
);

test.each([
  ["a-call", 'ctx.call("a", "b", {})'],
  ["a-date", "new Date()"],
])(
  "a wrong third argument of a step that gives %s is named in one line, with what it may be",
  async (name, work) => {
    const wrong = `export const wrong = (ctx: SkillContext) => ctx.step("a", () => ${work}, "repaet");`;
    const directory = await made(name, name, (text) => `${text}\n${wrong}\n`);
    const { faults } = await checkSkill(directory, PLACES);
    expect(faults.map(({ why }) => why)).toEqual([
      expect.stringMatching(
        /^Argument of type '"repaet"' is not [^.]*\. The third argument of ctx\.step must be "repeat" \(.*\) or a function /,
      ),
    ]);
  },
  TIME,
);

test(
  "a long fault of types is its first and its last line",
  async () => {
    const long = "y".repeat(200);
    const directory = await made(
      "long",
      "long",
      (text) => `${text}
export const a = { deep: { ${long}: "x" } };
export const b: { deep: { ${long}: Date } } = a;
`,
    );
    const { faults } = await checkSkill(directory, PLACES);
    expect(faults[0]?.why).toMatch(
      /^Type .* is not assignable to type .* \.\.\. Type 'string' is not assignable to type 'Date'\.$/,
    );
  },
  TIME,
);

test(
  "a skill beside it that claims the same intent is named",
  async () => {
    await made("beside", "bells");
    const directory = await made("beside", "chimes", (text) => text.replace('["chimes"]', '["bells"]'));
    const { faults } = await checkSkill(directory, PLACES);
    expect(faults.map(({ why }) => why)).toEqual([
      expect.stringMatching(/^bells is claimed by .*bells\/handler\.ts too/),
    ]);
  },
  TIME,
);

test.each([
  ["nowhere", "is not there"],
  ["", "is not there: a skill is a directory with a handler.ts"],
])("a directory %j without a handler is named", async (name, why) => {
  const directory = join(base, name);
  const { faults } = await checkSkill(directory, PLACES);
  expect(faults).toEqual([{ file: join(directory, "handler.ts"), line: null, why }]);
});
