// orch doctor: what works, what falls back, what is broken, and how to repair it.
import { z } from "zod";
import type { DoctorCheck } from "../../doctor/diagnosis.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import type { Out } from "../out.ts";
import { printable, printableLines } from "../printable.ts";
import { painted } from "../text-format.ts";

export const doctor = command(z.object({}), async ({ parts, out, environment }) => {
  const checks = await parts.doctor(environment);
  out.answer(checks, () => checkLines(checks, out));
  return checks.some(({ state }) => state === "broken") ? EXIT.not_ok : EXIT.done;
});

const STATES = { works: "works", falls_back: "falls back", broken: "broken", off: "off" } as const;

function checkLines(checks: readonly DoctorCheck[], { paint }: Out): string[] {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  const margin = " ".repeat(width + 14);
  return checks.flatMap(({ name, state, found, fix }) => {
    const [first = "", ...more] = printableLines(found);
    const remedy =
      fix === null || fix === "" ? [] : printableLines(fix).map((line) => `${paint("dim", "fix")}  ${line}`);
    return [
      `${printable(name).padEnd(width)}  ${painted(paint, state, STATES[state].padEnd(10))}  ${first}`,
      ...[...more, ...remedy].map((line) => `${margin}${line}`),
    ];
  });
}
