// Which check proves which success criterion, in fields that may not be a procedure yet.
import { type Coverage, coverByChecks } from "../../../domain/cover-by-checks.ts";

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isCheckStep = (step: unknown): boolean =>
  isObject(step) && (step["kind"] === "check" || (step["kind"] === "mcp_call" && isObject(step["expect"])));

/** The map of the criteria; undefined where there is none, or it is none. */
export function criteriaIn({ criteria }: Fields): Readonly<Record<string, number>> | undefined {
  if (!isObject(criteria)) return undefined;
  const pairs = Object.entries(criteria).flatMap(([name, index]) =>
    typeof index === "number" ? [[name, index] as const] : [],
  );
  return Object.fromEntries(pairs);
}

/** `wanted` are those of a task; null where the text itself names them. */
export function coverageOf(fields: Fields, wanted: readonly string[] | null): Coverage {
  const { steps } = fields;
  const checks = Array.isArray(steps) ? steps.flatMap((step, index) => (isCheckStep(step) ? [index] : [])) : [];
  const map = criteriaIn(fields);
  return coverByChecks(wanted ?? Object.keys(map ?? {}), checks, map);
}
