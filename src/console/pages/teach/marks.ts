// Everything that is known to be wrong with a text, or to ask, at the place that it is about.
import type { Mark } from "../../editor/mark.ts";
import type { ProcedureText, TextFault } from "../../editor/procedure-text.ts";
import { speaksOfStep } from "../../parts/contract-of-sop.ts";
import { CHECK_WORTH } from "../../parts/words.ts";
import type { OperationAnswer } from "../../typed-operations.ts";

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
