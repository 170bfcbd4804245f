// Everything that is known to be wrong with a text, or to ask, at the place that it is about.
import { type Coverage, coverByChecks } from "../../../domain/cover-by-checks.ts";
import type { Mark, ProcedureText, TextFault } from "../../editor/procedure-text.ts";
import type { OperationAnswer } from "../../operations.ts";
import { speaksOfStep } from "../../parts/contract-of-sop.ts";
import { CHECK_WORTH } from "../../parts/words.ts";
import type { TeachStart } from "./starts.ts";

export type Issue = { readonly path: string; readonly message: string };
type JudgedStep = Pick<OperationAnswer<"explain">["steps"][number], "index" | "findings">;
type Warning = OperationAnswer<"explain">["warnings"][number];

export type KnownOfText = {
  /** Of the schema, of the coverage of the criteria, or of a refusal. */
  readonly issues: readonly Issue[];
  readonly steps: readonly JudgedStep[];
  readonly warnings: readonly Warning[];
  /** Whether a task's contract settles what may be used; else only a later contract does. */
  readonly has_contract: boolean;
};

const isSame = (one: Issue, other: Issue): boolean => one.path === other.path && one.message === other.message;

/** A refusal names what policy has said of a step already. */
const isFinding = ({ path, message }: Issue, steps: readonly JudgedStep[]): boolean =>
  steps.some(
    ({ index, findings }) =>
      `${path}.`.startsWith(`steps.${index}.`) &&
      findings.some(({ code, reason }) => message.includes(code) && message.includes(reason)),
  );

export function marksOf(
  procedure: ProcedureText,
  { issues, steps, warnings, has_contract }: KnownOfText,
): readonly Mark[] {
  const at = (path: string) => procedure.rangeOf(path);
  const unsaid = issues.filter(
    (issue, nth) => !isFinding(issue, steps) && issues.findIndex((other) => isSame(issue, other)) === nth,
  );
  const all: Mark[] = [
    ...procedure.faults.map((fault: TextFault): Mark => ({ ...fault, severity: "error" })),
    ...unsaid.map(
      ({ path, message }): Mark => ({
        ...at(path),
        severity: "error",
        // A sentence about the criteria names them itself.
        message: path === "" || message.startsWith("success criterion") ? message : `${path} ${message}`,
      }),
    ),
    ...steps.flatMap(({ index, findings }) =>
      findings
        .filter((finding) => has_contract || speaksOfStep(finding))
        .map(({ verdict, code, reason }): Mark => {
          const field = code.startsWith("reconcile.") ? "reconcile" : "value";
          return {
            ...at(`steps.${index}.${field}`),
            severity: verdict === "block" ? "error" : "warning",
            message: `${verdict === "block" ? "Blocked" : "Asks for an approval"}: ${reason} (${code})`,
          };
        }),
    ),
    ...warnings.map(
      ({ step_index, proof, reason, mends: [mend] }): Mark => ({
        ...at(`steps.${step_index}.value`),
        severity: "warning",
        message: `${CHECK_WORTH[proof].word}: ${reason}.${mend === undefined ? "" : ` Instead: ${mend.text}`}`,
      }),
    ),
  ];
  return all.toSorted((one, other) => one.from - other.from);
}

// Which check proves which success criterion, in fields that may not be a procedure yet.

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

// Of which intent and target a text is: settled where it began, or named in the text.

type Subject = NonNullable<TeachStart["subject"]>;

const isTarget = (value: unknown): value is Subject["target"] =>
  typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string");

const isSameTarget = (one: Subject["target"], other: unknown): boolean =>
  isTarget(other) &&
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value);

/** An exported file may be pasted: its intent and target are read, and have to be those that are settled. */
export function subjectOf(
  settled: TeachStart["subject"],
  { fields, rangeOf }: ProcedureText,
): { readonly subject: TeachStart["subject"]; readonly faults: readonly TextFault[] } {
  if (fields === null) return { subject: settled, faults: [] };
  const { intent, target } = fields;
  if (settled === null) {
    const missing = (["intent", "target"] as const).filter((field) => fields[field] === undefined);
    const faults = missing.map((field) => ({ ...rangeOf(""), message: `needs the field ${field}` }));
    if (typeof intent !== "string") return { subject: null, faults };
    return { subject: isTarget(target) ? { intent, target } : null, faults: [...faults, ...notTexts(target, rangeOf)] };
  }
  const other = "is another one than is taught here; import the file instead";
  return {
    subject: settled,
    faults: [
      ...(intent === undefined || intent === settled.intent
        ? []
        : [{ ...rangeOf("intent"), message: `intent ${other}` }]),
      ...(target === undefined || isSameTarget(settled.target, target)
        ? []
        : [{ ...rangeOf("target"), message: `target ${other}` }]),
    ],
  };
}

function notTexts(target: unknown, rangeOf: ProcedureText["rangeOf"]): readonly TextFault[] {
  if (target === undefined || isTarget(target)) return [];
  if (typeof target !== "object" || target === null)
    return [{ ...rangeOf("target"), message: "target must be names and values, such as host: nas" }];
  return Object.entries(target)
    .filter(([, value]) => typeof value !== "string")
    .map(([name]) => ({ ...rangeOf(`target.${name}`), message: `target.${name} must be a text; put it in quotes` }));
}
