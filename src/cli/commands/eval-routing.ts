// orch eval routing: measures the routing model on the labelled questions of a file.
import { z } from "zod";
import { counted } from "../../domain/outcome.ts";
import { firstLine } from "../../domain/printable.ts";
import { numberInText, parseInput } from "../../schema/parse-input.ts";
import { EvalCase, type NumberedCase } from "../../tools/eval/case.ts";
import type { FormatFigures, RoutingReport } from "../../tools/eval/compare-formats.ts";
import { type CaseJudgement, DANGEROUS, type RoutingScore } from "../../tools/eval/score-routing.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed, usage } from "../failure.ts";
import type { Out } from "../out.ts";
import { readText } from "../read-file.ts";
import { block, span } from "../text-format.ts";
import { latencyText, percent, tallyText } from "./eval-format.ts";

const Given = z.object({ file: z.string(), limit: z.string().transform(numberInText).pipe(z.int().min(1)).optional() });

const PROGRESS_EVERY = 10;

export const evalRouting = command(Given, async (context, { file, limit }) => {
  const { out, environment, parts } = context;
  const source = await readText(context, file);
  const cases = readCases(file, source).slice(0, limit);
  const onProgress = (done: number, format: string) => {
    if (done % PROGRESS_EVERY === 0 || done === cases.length)
      out.note(`${format}: ${done} of ${counted(cases.length, "case")}`);
  };
  const score = await parts.evalRouting(environment, { cases, onProgress });
  out.answer(score, () => scoreLines(score, out));
  const { error, approval } = score.questions;
  const no_answer = error.fallback + approval.fallback;
  const isUnmeasured = no_answer > 0 && no_answer === score.cases;
  if (isUnmeasured) out.note("Every question took its fallback. See: orch doctor");
  if (score.formats.some((one) => one.cases < score.planned)) return EXIT.interrupted;
  return isUnmeasured ? EXIT.not_ok : EXIT.done;
});

function readCases(file: string, text: string): NumberedCase[] {
  const cases: NumberedCase[] = [];
  for (const [at, line] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    if (line.trim() === "") continue;
    const parsed = parseCase(line);
    if (!parsed.ok) {
      const wrong = parsed.issues.map(({ path, message }) => `${path} ${message}`.trim());
      return failed(usage(`${file} line ${at + 1}: ${wrong.join("; ")}.`, parsed.issues));
    }
    cases.push({ line: at + 1, asked: parsed.value });
  }
  return cases.length === 0 ? failed(usage(`${file} holds no case.`)) : cases;
}

function parseCase(line: string): ReturnType<typeof parseInput<typeof EvalCase>> {
  try {
    return parseInput(EvalCase, JSON.parse(line));
  } catch {
    return { ok: false, issues: [{ path: "", message: "is not JSON" }] };
  }
}

const LABELS: Readonly<Record<CaseJudgement, string>> = {
  right: "right",
  false_transient: "false transient",
  missed_transient: "missed transient",
  false_no_approval: "false no approval",
  wrong_category: "wrong category",
  needless_approval: "needless approval",
  fallback: "fallback",
};
const SHOWN = {
  error: ["false_transient", "missed_transient", "fallback"],
  approval: ["false_no_approval", "wrong_category", "needless_approval", "fallback"],
} as const satisfies Record<string, readonly CaseJudgement[]>;

function scoreLines(score: RoutingReport, { paint, width }: Out): string[] {
  const { model, format, cases, planned, fallbacks, latency, misses } = score;
  const stopped = cases < planned ? `, stopped before the other ${planned - cases}` : "";
  const shown = block({ paint, width }, [
    ["errors", questionText(score, "error")],
    ["approvals", questionText(score, "approval")],
    ["fallbacks", tallyText(fallbacks)],
    ["latency", latencyText(latency)],
  ]);
  const dangers = misses
    .filter(({ judgement }) => DANGEROUS.has(judgement))
    .map(
      ({ line, judgement, asked }) => `${paint("red", LABELS[judgement])}, line ${line}: ${firstLine(asked.command)}`,
    );
  return [
    `${paint("bold", model)}  ${format}: ${rightText(score)}${stopped}`,
    ...shown,
    ...dangers,
    ...formatLines(score, { paint, width }),
  ];
}

function formatLines({ formats, take, take_because }: RoutingReport, { paint, width }: Pick<Out, "paint" | "width">) {
  const verdict = take === null ? "Neither format can be recommended" : `Take ROUTING_FORMAT=${take}`;
  return [
    "formats",
    ...block(
      { paint, width },
      formats.map((one) => [one.format, figuresText(one)]),
    ),
    `${verdict}: ${take_because}.`,
  ];
}

function figuresText({ cases, usable, right, dangerous, median_ms, p95_ms }: FormatFigures): string {
  const shares = `${usable} of ${cases} usable; right ${right}; dangerous ${dangerous}`;
  return median_ms === null || p95_ms === null ? shares : `${shares}; p50 ${span(median_ms)}, p95 ${span(p95_ms)}`;
}

const rightText = ({ right, cases, accuracy }: Pick<RoutingScore, "right" | "cases" | "accuracy">): string =>
  `${right} of ${cases} right${percent(accuracy)}`;

function questionText({ questions }: RoutingScore, question: keyof typeof SHOWN): string {
  const of = questions[question];
  return [rightText(of), ...SHOWN[question].map((name) => `${LABELS[name]} ${of[name]}`)].join("; ");
}
