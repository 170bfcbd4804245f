// orch skill new, check and test: a skill is written, checked and tried, without a server.
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { command } from "../../cli/context.ts";
import { EXIT, failed, usage } from "../../cli/failure.ts";
import type { Out } from "../../cli/out.ts";
import { counted, printable, printableLines, span } from "../../domain/printable.ts";
import type { SkillReport } from "./kit/check-skill.ts";
import type { CaseResult } from "./trial/test-skill.ts";

export const newSkill = command(z.object({ name: z.string() }), async (context, { name: given }) => {
  const { cwd, out, parts } = context;
  const directory = resolve(cwd, given);
  const made = (await parts.skills()).make(basename(directory), directory);
  if ("fault" in made) return failed(usage(`${made.fault}.`));
  const shown = printable(relative(cwd, directory) || ".");
  const fault = await write(directory, made.files);
  if (fault !== null) return failed(usage(`${shown} cannot be made: ${fault}.`));
  const files = Object.keys(made.files);
  out.answer({ directory, files }, () => [
    `written to ${shown}: ${files.join(", ")}`,
    `next  ${out.program} skill check ${shown}`,
    `      ${out.program} skill test ${shown}`,
    `      ORCH_CAPABILITIES=${printable(dirname(directory))} ${out.program} serve`,
  ]);
  return EXIT.done;
});

/** Null when all is written. Nothing that is there is touched. */
async function write(directory: string, files: Readonly<Record<string, string>>): Promise<string | null> {
  try {
    await mkdir(dirname(directory), { recursive: true });
    await mkdir(directory);
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text, { flag: "wx" });
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "EEXIST" ? "it is there already" : message;
  }
}

const Directory = z.object({ directory: z.string() });

export const checkSkill = command(Directory, async ({ cwd, out, parts, environment }, { directory }) => {
  const report = await (await parts.skills()).check(resolve(cwd, directory), environment);
  out.answer(report, () => reportLines(report, cwd, out));
  return report.faults.length === 0 ? EXIT.done : EXIT.not_ok;
});

function reportLines({ intents, tools, types, faults }: SkillReport, cwd: string, { paint }: Out): string[] {
  const found = faults.map(({ file, line, why }) => {
    const near = relative(cwd, file);
    const place = `${(near.startsWith("..") ? file : near) || "."}${line === null ? "" : `:${line}`}`;
    return `${paint("red", "FAILED")}  ${printable(place)}  ${printable(why)}`;
  });
  const checked =
    types === null
      ? "types    not checked: TypeScript is not installed; beside the skill: npm install --save-dev typescript @types/node"
      : `types    checked by ${types}`;
  const known = faults.length > 0 ? [] : [`intents  ${intents.join(", ")}`, `tools    ${tools.join(", ") || "none"}`];
  const end = faults.length === 0 ? paint("green", "ok") : counted(faults.length, "fault");
  return [...found, ...known, ...(types === undefined ? [] : [checked]), end];
}

const UNTRIED_FIX =
  "orch skill check DIRECTORY names the faults; orch skill new NAME writes a handler.ts and a test.ts to begin with";

export const testSkill = command(Directory, async (context, { directory }) => {
  const { cwd, out, parts, environment } = context;
  const trial = await (await parts.skills()).test(resolve(cwd, directory), environment);
  if ("fault" in trial) return failed({ ...usage(`${trial.fault}.`), fix: UNTRIED_FIX });
  let [passed, wrong] = [0, 0];
  for await (const result of trial.cases) {
    if (result.ok) passed += 1;
    else wrong += 1;
    out.item(result, () => caseLines(result, out));
  }
  out.note(`${passed} ok, ${wrong} FAILED`);
  return wrong === 0 && passed > 0 ? EXIT.done : EXIT.not_ok;
});

function caseLines({ title, ok, failing, duration_ms }: CaseResult, { paint }: Out): string[] {
  const head = `${ok ? paint("green", "ok    ") : paint("red", "FAILED")}  ${printable(title)}`;
  if (failing === null) return [`${head}  ${paint("dim", span(duration_ms))}`];
  const line = (name: string, text: string) =>
    printableLines(text).map((one, at) => `        ${(at === 0 ? name : "").padEnd(9)} ${one}`);
  const { expected, found, fix, printed } = failing;
  return [
    head,
    ...line("expected", expected),
    ...line("found", found),
    ...line("to do", fix),
    ...printed.slice(-20).flatMap((text) => line("printed", text)),
  ];
}
