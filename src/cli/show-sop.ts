// Stored procedures as text.
import type { z } from "zod";
import type { CheckWarning } from "../api/operations/shapes/explain.ts";
import { plainWord, printable, printableLines } from "../domain/printable.ts";
import type { SopRecord } from "../domain/scorecard/record.ts";
import { isSetBack, type Sop } from "../domain/sop.ts";
import { reconcileOf } from "../domain/step.ts";
import { commandText, pollingText, repeatText } from "../domain/step-run.ts";
import { cut, fitTable } from "./fit-table.ts";
import type { Out } from "./out.ts";
import { block, heading, painted } from "./text-format.ts";

export function sopTable(sops: readonly Sop[], { paint, width }: Out): string[] {
  if (sops.length === 0) return ["There are no such SOPs."];
  const columns = ["SOP", "STATUS", cut("INTENT"), "VER", "LEVEL", "OK", "BAD", cut("TARGET")];
  const rows = sops.map((sop) => [
    printable(sop.sop_id),
    painted(paint, sop.status),
    printable(sop.intent),
    String(sop.version),
    levelOf(sop),
    String(sop.success_count),
    String(sop.failure_count),
    printable(sop.target_signature),
  ]);
  return fitTable(columns, rows, width);
}

/** As in `tried, on trial`. */
function levelOf(sop: Sop): string {
  if (isSetBack(sop)) return `${sop.level}, set back`;
  return sop.status === "active" && sop.trial_left > 0 ? `${sop.level}, on trial` : sop.level;
}

/** As get_sop shows it. */
type Shown = { readonly sop: Sop; readonly versions: readonly Version[]; readonly record?: SopRecord | undefined };

const recordText = ({ mark, verified, refuted, lower, upper, done, done_unseen, streak }: SopRecord): string =>
  `${mark}: ${verified} of ${verified + refuted} verifications agree, so ${Math.round(100 * lower)}..${Math.round(100 * upper)} % of DONE is true; ${done} DONE, ${done_unseen} with checks never seen to fail; ${streak} failures in a row`;

type Version = {
  readonly sop_id: string;
  readonly version: number;
  readonly status: string;
  readonly level: string;
  readonly created_at: string;
};

export function sopLines({ sop, versions, record }: Shown, { paint, width }: Out): string[] {
  const { sop_id, status, version, intent, target_signature, steps, criteria, safety_level, preconditions } = sop;
  const on = target_signature === "" ? "" : ` on ${target_signature}`;
  const others = versions.filter((other) => other.sop_id !== sop_id);
  const head = [paint("bold", sop_id), painted(paint, status), printable(`${intent}${on}, version ${version}`)];
  const facts = block({ paint, width }, [
    ["level", levelOf(sop)],
    ["proved on", sop.proved_on],
    ["from", sop.origin],
    ["safety level", safety_level],
    ["preconditions", preconditions.length === 0 ? null : preconditions.join("\n")],
    ["record", record === undefined ? null : recordText(record)],
    ["runs", `${sop.success_count} ok, ${sop.failure_count} failed, last ok ${sop.last_success_at ?? "never"}`],
    [
      "other versions",
      others.length === 0 ? null : others.map((o) => `${o.version}  ${o.status}  ${o.level}  ${o.sop_id}`).join("\n"),
    ],
  ]);
  const plan = steps.flatMap((step, index) => {
    const [first = "", ...more] = printableLines(commandText(step));
    const proves = criteria
      .filter(({ step_index }) => step_index === index)
      .map(({ criterion }) => `proves: ${criterion}`);
    return [
      `  ${index}  ${step.kind}  ${first}`,
      ...[...more, ...looksOf(step), ...proves.map(printable)].map((line) => `      ${line}`),
    ];
  });
  return [...heading(head, width), ...facts, "", ...plan];
}

const linesOf = (line: string | null): string[] => (line === null ? [] : [line]);

const looksOf = (step: Sop["steps"][number]): string[] => {
  const reconcile = reconcileOf(step);
  const polled = pollingText(step);
  return [
    ...(polled === undefined ? [] : [polled]),
    ...(step.kind === "cmd" && step.preview !== undefined ? printableLines(`preview: ${step.preview}`) : []),
    ...(reconcile === undefined ? [] : printableLines(`reconcile: ${reconcile}`)),
    ...linesOf(repeatText(step)),
  ];
};

export const candidateLines = (
  { sop, approval_id }: { readonly sop: Sop; readonly approval_id: string | null },
  { paint, program }: Out,
): string[] => [
  `${paint("bold", sop.sop_id)}  ${painted(paint, sop.status)}  ${printable(sop.intent)}, version ${sop.version}`,
  approval_id === null
    ? `  orch asks for its promotion: ${program} approvals`
    : `  answer with  ${program} approvals ${plainWord(approval_id, "ID")}`,
];

/** Checks that could not be seen to fail, each with its usual mends. */
export const warningLines = (warnings: readonly z.infer<typeof CheckWarning>[]): string[] =>
  warnings.flatMap(({ step_index, proof, reason, mends }) => [
    `check step ${step_index} is ${proof}: ${printable(reason)}`,
    ...mends.flatMap(({ text, why }) => [`  instead: ${printable(text)}`, `  because: ${printable(why)}`]),
  ]);
