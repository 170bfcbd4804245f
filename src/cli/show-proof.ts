// Shows what is known of a version on its target: the warnings first, then the steps, the checks, the runs and the
// difference; and why a version was set back, and what a rollback brings back.

import type { Rollback, SetBack } from "../domain/approval.ts";
import { firstLine, printable, printableLines } from "../domain/printable.ts";
import type { SopProof } from "../domain/sop.ts";
import { cut, fitTable } from "./fit-table.ts";
import type { Out } from "./out.ts";
import { block, painted } from "./text-format.ts";

type Written = Pick<Out, "paint" | "width">;

export const proofLines = (proof: SopProof, out: Written): string[] => [
  ...warningLines(proof, out),
  ...block(out, [
    ["level", proof.level],
    ["proved on", proof.proved_on],
    ["steps", countedChanges(proof)],
  ]),
  ...previewLines(proof),
  ...checkLines(proof, out),
  ...runLines(proof, out),
  ...diffLines(proof, out),
];

type Looked = Pick<SopProof, "warnings" | "steps" | "checks">;

/** Of what was looked at just now. */
export const lookLines = (looked: Looked, out: Written): string[] => [
  ...warningLines(looked, out),
  ...block(out, [["steps", looked.steps.length === 0 ? null : countedChanges(looked)]]),
  ...previewLines(looked),
  ...checkLines(looked, out),
];

const warningLines = ({ warnings }: Pick<SopProof, "warnings">, { paint }: Written): string[] =>
  warnings.map((warning) => `  ${paint("yellow", "warning")}  ${printable(warning)}`);

const MEANING = { looks: "looks", changes: "changes something", cannot_tell: "cannot tell" } as const;

/** As in `looks: 2, 3; changes something: 0; cannot tell: 1`. */
function countedChanges({ steps }: Pick<SopProof, "steps">): string {
  const kinds = [...new Set(steps.map(({ change }) => change))];
  return kinds
    .map((kind) => {
      const indexes = steps.filter(({ change }) => change === kind).map(({ step_index }) => step_index);
      return `${MEANING[kind]}: ${indexes.join(", ")}`;
    })
    .join("; ");
}

const previewLines = ({ steps }: Pick<SopProof, "steps">): string[] =>
  steps.flatMap(({ step_index, preview }) =>
    preview === null
      ? []
      : [
          "",
          `  preview of step ${step_index}, ${endOf(preview)}`,
          ...(preview.output === "" ? [] : printableLines(preview.output.trimEnd())).map((line) => `    ${line}`),
        ],
  );

type Preview = NonNullable<SopProof["steps"][number]["preview"]>;

const endOf = ({ exit_code, obstacle }: Preview): string =>
  obstacle === null ? `exit code ${exit_code ?? "none"}` : printable(obstacle);

function checkLines({ checks }: Pick<SopProof, "checks">, { width }: Written): string[] {
  if (checks.length === 0) return [];
  const columns = ["  CHECK", "PROOF", "SEEN RED", "NOW", cut("WHY")];
  const rows = checks.map(({ step_index, class: worth, seen_red, now, reason }) => [
    `  ${step_index}`,
    worth ?? "",
    seen_red.length === 0 ? "never" : seen_red.join(", "),
    NOW[now ?? "not_run"],
    printable(reason ?? ""),
  ]);
  return ["", ...fitTable(columns, rows, width)];
}

const NOW = {
  red: "false",
  green: "true",
  cannot_tell: "cannot tell",
  not_possible: "not possible",
  not_run: "not run",
} as const;

function runLines({ runs }: SopProof, { paint, width }: Written): string[] {
  if (runs.length === 0) return [];
  const columns = ["  RUN", "ENDED", "CHECKS", "OUTSIDE CHECK"];
  const rows = runs.map(({ task_id, ended_at, passed, checks, verified }) => [
    `  ${printable(task_id)}`,
    `${painted(paint, passed ? "ok" : "failed")}  ${printable(ended_at ?? "")}`,
    checks.map(({ step_index, class: worth }) => `${step_index} ${worth ?? "not looked at"}`).join(", "),
    verified === null ? "" : verified ? "right" : "wrong",
  ]);
  return ["", ...fitTable(columns, rows, width)];
}

function diffLines({ diff }: SopProof, out: Written): string[] {
  if (diff === null) return [];
  if (diff.length === 0) return ["", "  its steps are those of the version in use"];
  return ["", "  steps that differ from the version in use", ...changedSteps(diff, out)];
}

function changedSteps(diff: NonNullable<SopProof["diff"]>, { paint }: Pick<Out, "paint">): string[] {
  return diff.flatMap(({ is, step_index, step }) => {
    const [style, sign] = is === "added" ? (["green", "+"] as const) : (["red", "-"] as const);
    return printableLines(step).map((line, at) =>
      paint(style, at === 0 ? `  ${sign} ${step_index}  ${line}` : `  ${sign}    ${line}`),
    );
  });
}

// Why a version was set back, and what a rollback brings back, as text.

export function setBackLines({ why, holds, record, refutations, failures, earlier }: SetBack, out: Written): string[] {
  const facts = block(out, [
    ["set back", holds ? why : `${why}; its record does not call for it any more`],
    ["record", recordOf(record)],
    ["since", record.since],
    ["earlier", earlier === null ? null : `version ${earlier.version}  ${earlier.sop_id}`],
  ]);
  const rows = [
    ...refutations.map(({ task_id, verification: { source, note, recorded_at } }) => [
      ...[`  ${printable(task_id)}`, out.paint("red", "found wrong"), printable(recorded_at)],
      firstLine(note === null ? source : `${source}: ${note}`),
    ]),
    ...failures.map(({ task_id, ended_at, reason_code }) => [
      ...[`  ${printable(task_id)}`, out.paint("red", "failed"), printable(ended_at), printable(reason_code)],
    ]),
  ];
  const columns = ["  RUN", "IT", "AT", cut("WHY")];
  return rows.length === 0 ? facts : [...facts, "", ...fitTable(columns, rows, out.width)];
}

/** As in `7 of 10 runs passed, 3 verified, 1 refuted`. */
const recordOf = ({ runs, passed, verified, refuted }: SetBack["record"]): string =>
  `${passed} of ${runs} runs passed, ${verified} verified, ${refuted} refuted`;

export function rollbackLines({ to, from, diff, record }: Rollback, out: Written): string[] {
  const facts = block(out, [
    ["steps of", `version ${to.version}  ${to.sop_id}`],
    ["record", recordOf(record)],
    ["instead of", from === null ? null : `version ${from.version}  ${from.sop_id}`],
  ]);
  if (diff === null || from === null) return facts;
  if (diff.length === 0) return [...facts, "", `  its steps are those of version ${from.version}`];
  return [...facts, "", `  steps that differ from version ${from.version}`, ...changedSteps(diff, out)];
}
