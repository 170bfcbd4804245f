// Compares the answers of one model under the two formats, and says which format to take. A dangerous answer weighs more than any
// number of fallbacks, which are safe.
import type { RoutingFormat } from "../../ollama/served-model.ts";
import { DANGEROUS, type RoutingScore } from "./scores.ts";

export type FormatScore = { readonly format: RoutingFormat; readonly score: RoutingScore };

export type FormatFigures = {
  readonly format: RoutingFormat;
  readonly cases: number;
  /** Answers that were no fallback. */
  readonly usable: number;
  readonly right: number;
  readonly dangerous: number;
  readonly median_ms: number | null;
  readonly p95_ms: number | null;
};

/** The score is that of the format of the configuration. `take` is null where not all was asked. */
export type RoutingReport = RoutingScore & {
  readonly format: RoutingFormat;
  readonly formats: readonly FormatFigures[];
  readonly take: RoutingFormat | null;
  readonly take_because: string;
};

export function reportOf([own, ...others]: readonly FormatScore[]): RoutingReport {
  if (own === undefined) throw new Error("no format was measured");
  const all = [own, ...others];
  const formats = all.map(figuresOf);
  const isWhole = all.every(({ score }) => score.cases === score.planned);
  const choice = isWhole ? choose(formats) : { take: null, take_because: "not all questions were asked" };
  return { ...own.score, format: own.format, formats, ...choice };
}

function figuresOf({ format, score: { cases, right, misses, questions, latency } }: FormatScore): FormatFigures {
  return {
    format,
    cases,
    usable: cases - questions.error.fallback - questions.approval.fallback,
    right,
    dangerous: misses.filter(({ judgement }) => DANGEROUS.has(judgement)).length,
    median_ms: latency?.median_ms ?? null,
    p95_ms: latency?.p95_ms ?? null,
  };
}

type Choice = Pick<RoutingReport, "take" | "take_because">;

const RULES: readonly (readonly [(one: FormatFigures) => number, string])[] = [
  [({ dangerous }) => dangerous, "it has fewer dangerous answers"],
  [({ right }) => -right, "it has no more dangerous answers, and more right ones"],
  [({ usable }) => -usable, "it has as many right answers, and more usable ones"],
];

/** Where nothing differs, the default is kept. */
function choose(formats: readonly FormatFigures[]): Choice {
  const dangers = formats.every(({ dangerous }) => dangerous > 0) ? "; both give dangerous answers" : "";
  const json = formats.find(({ format }) => format === "json");
  const schema = formats.find(({ format }) => format === "schema");
  if (json === undefined || schema === undefined) return { take: null, take_because: "one format was measured" };
  if (json.usable + schema.usable === 0) return { take: null, take_because: "no answer was usable" };
  for (const [costOf, take_because] of RULES) {
    const more = costOf(json) - costOf(schema);
    if (more !== 0) return { take: more > 0 ? "schema" : "json", take_because: `${take_because}${dangers}` };
  }
  return { take: "json", take_because: `both answer alike${dangers}` };
}
