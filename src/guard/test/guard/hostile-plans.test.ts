// Texts that are made to cost are judged within the budget of one plan, however many they are, and hide nothing that is written out.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { aContract, check, cmd } from "../../../../test/support/builders.ts";
import { examinePlan } from "../../../engine/policy/judge-plan.ts";
import { teachingOf } from "../../../engine/tasks/teaching.ts";
import { asOnePlan } from "../../guard.ts";
import { cpuMs } from "../../interpreter/budget.ts";
import { HOSTILE_SHAPES, SIXTY_COSTLY as SIXTY } from "./hostile-shapes.ts";

/** Of the processor, on a busy machine: the budget counts work, and its clock would end a plan after 20 s. */
const MOST_MS = 6_000;
/** Many commands that are written out. */
const LONGEST = HOSTILE_SHAPES.find(([name]) => name.startsWith("a+=(x1)"))?.[1] ?? "";
/** More than any machine reads in the time. */
const MOST_TEXTS = 400;
const BENIGN: string[] = readFileSync(new URL("labelled-benign.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(0, 1_000)
  .map((line) => JSON.parse(line).command);

const contract = aContract({ success_criteria: [] });

function cpuTimeOf(call: () => void): number {
  const before = cpuMs();
  call();
  return cpuMs() - before;
}

const context = { home: "/home/op", remote: false };

function judged(texts: readonly string[]) {
  const steps = texts.map(cmd);
  const plan = { contract, steps, safety_level: "standard", intent: "deploy", context, proved: false } as const;
  let findings: ReturnType<typeof examinePlan>["findings"] = [];
  const cpu_ms = cpuTimeOf(() => {
    findings = asOnePlan(() => examinePlan(plan)).findings;
  });
  const of = (index: number) => findings.filter(({ step_index }) => step_index === index);
  return { findings, cpu_ms, of };
}

describe("a plan of texts that are made to cost", () => {
  test("is judged in its budget: later steps are asked about, and what they write out is still found", () => {
    const { cpu_ms, findings, of } = judged(SIXTY.flatMap((text) => [text, "ls", "rm -rf /usr"]));
    expect(cpu_ms).toBeLessThan(MOST_MS);
    const listings = findings.filter(({ step_index, code }) => step_index % 3 === 1 && code === "cap.count");
    expect(listings.length).toBeGreaterThan(0);
    for (const { step_index, verdict, reason } of listings) {
      const unread = verdict === "block";
      expect(reason).toMatch(/fewer or shorter steps/);
      expect(of(step_index + 1).map(({ code }) => code)).toEqual(unread ? ["cap.count"] : ["rm.wide", "cap.count"]);
      expect(of(step_index + 1).some((finding) => finding.verdict === "block")).toBe(true);
    }
  });

  test("is refused where even what is written out takes too long", () => {
    const { cpu_ms, of } = judged([...Array.from({ length: MOST_TEXTS }, () => LONGEST), "ls"]);
    expect(cpu_ms).toBeLessThan(MOST_MS);
    expect(of(MOST_TEXTS)).toMatchObject([
      { verdict: "block", code: "cap.count", reason: expect.stringMatching(/was not judged/) },
    ]);
  });

  test("cannot be taught with checks for which no time is left", () => {
    const steps = [...SIXTY.map(cmd), ...SIXTY.map(check)];
    const cpu_ms = cpuTimeOf(() => {
      const { issues } = asOnePlan(() => teachingOf(contract, definition(steps), context));
      expect(issues.at(-1)).toMatchObject({
        path: "steps.119",
        message: expect.stringMatching(/take too long to judge/),
      });
    });
    expect(cpu_ms).toBeLessThan(MOST_MS);
  });

  test("is no plan of 1,000 ordinary texts", () => {
    expect(BENIGN.every((text) => typeof text === "string")).toBe(true);
    expect(judged(BENIGN).findings.filter(({ code }) => code.startsWith("cap."))).toEqual([]);
  });

  test("leaves the next plan its whole budget", () => {
    expect(judged(SIXTY).findings).not.toEqual([]);
    expect(judged(["ls", "touch x"]).findings).toEqual([]);
  });
});

const definition = (steps: readonly ReturnType<typeof cmd>[]) => ({
  steps: [...steps],
  criteria: {},
  safety_level: "standard" as const,
  preconditions: [],
});
