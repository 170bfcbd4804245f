// orch doctor: what works, what falls back, what is broken, and how to repair it.
import { z } from "zod";
import { getDiagnosis } from "../../api/operations/shapes/diagnosis.ts";
import type { DoctorCheck } from "../../doctor/examination.ts";
import { printable, printableLines } from "../../domain/printable.ts";
import type { ServerDiagnosis } from "../../domain/server.ts";
import { command } from "../context.ts";
import { EXIT, failed, usage } from "../failure.ts";
import type { Out } from "../out.ts";
import { painted, wrapped } from "../text-format.ts";

export const doctor = command(
  z.object({ deep: z.boolean().default(false), server: z.boolean().default(false) }),
  async (context, { deep, server }) => {
    const { parts, out, environment, call } = context;
    if (deep && server) return failed(usage("Give --deep or --server: only the command itself runs the flow."));
    const asked = server ? await call(getDiagnosis, {}) : null;
    const checks = asked === null ? await parts.doctor(environment, { deep }) : checksIn(asked);
    out.answer(asked ?? checks, () => checkLines(checks, out));
    return checks.some(({ state }) => state === "broken") ? EXIT.not_ok : EXIT.done;
  },
);

const checksIn = ({ checks, tool_servers }: ServerDiagnosis): readonly DoctorCheck[] => [
  ...checks,
  ...tool_servers.map(({ name, ...found }) => ({ ...found, name: `tool server ${name}` })),
];

const STATES = { works: "works", falls_back: "falls back", broken: "broken", off: "off" } as const;

/** Columns that what was found needs beside its name and state; with less it begins below them. */
const NARROWEST = 24;

function checkLines(checks: readonly DoctorCheck[], { paint, width }: Out): string[] {
  const longest = Math.max(0, ...checks.map(({ name }) => name.length));
  const isBelow = width !== null && width - longest - 14 < NARROWEST;
  const margin = isBelow ? 4 : longest + 14;
  const fit = (line: string) => (width === null ? [line] : wrapped(line, width - margin));
  return checks.flatMap(({ name, state, found, fix }) => {
    const remedy =
      fix === null || fix === "" ? [] : printableLines(fix).map((line) => `${paint("dim", "fix")}  ${line}`);
    const head = `${printable(name).padEnd(longest)}  ${painted(paint, state, STATES[state].padEnd(10))}`;
    const [first = "", ...more] = [...printableLines(found), ...remedy].flatMap(fit);
    const below = more.map((line) => `${" ".repeat(margin)}${line}`);
    return isBelow ? [head, `${" ".repeat(margin)}${first}`, ...below] : [`${head}  ${first}`, ...below];
  });
}
