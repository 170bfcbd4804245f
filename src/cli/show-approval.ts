// An approval as text: everything that it covers, with no step shortened, because a human decides on this text.
import type { AgentStep, FileEdit } from "../domain/agent-events.ts";
import type { AgentContent, Approval, ProcedureContent } from "../domain/approval.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import { firstLine, plainWord, printable, printableLines } from "../domain/printable.ts";
import { type BoundTool, toolName } from "../domain/script.ts";
import { reconcileOf } from "../domain/step.ts";
import { commandText, environmentOf, pollingText, repeatText } from "../domain/step-run.ts";
import { notCoveredText } from "../domain/tool.ts";
import { verificationText } from "../domain/verification.ts";
import type { ApprovalStep } from "../features/approvals/shapes.ts";
import { cut, fitTable } from "./fit-table.ts";
import type { Out } from "./out.ts";
import { proofLines, rollbackLines, setBackLines } from "./show-proof.ts";
import { age, block, heading, painted, placeText, subjectOf } from "./text-format.ts";

/** `steps`: what the server knows of the files that each runs; empty where it was not asked. */
export function approvalLines(
  approval: Approval,
  { paint, width, program }: Out,
  steps: readonly Coverage[] = [],
): string[] {
  const { approval_id, status, content, digest, reason, decision, expires_at } = approval;
  const by =
    decision === null ? null : [decision.decided_by, decision.reason].filter((part) => part !== null).join(": ");
  const head = [paint("bold", approval_id), painted(paint, status), printable(subjectOf(approval))];
  const facts = block({ paint, width }, [
    ["reason", reason],
    ["for", purposeOf(content)],
    ...("steps" in content ? conditionsOf(content) : []),
    ["decided", by === "" ? null : by],
    ...contextOf(content),
    ["runs on", placeOf(content)],
    ["expires", status === "pending" ? expires_at : null],
    ["digest", digest],
  ]);
  const known = "steps" in content ? knownLines(content, { paint, width }) : [];
  const covered = [...coveredBy(content, { paint }, steps), ...uncoveredLines(steps, content)];
  const answer =
    status === "pending"
      ? ["", `  ${program} ${decide("approve", approval)}`, `  ${program} ${decide("reject", approval)}`]
      : [];
  return [...heading(head, width), ...facts, ...known, "", ...covered, ...answer];
}

const conditionsOf = ({ safety_level, preconditions }: ProcedureContent): [string, string | null][] => [
  ["safety level", safety_level],
  ["preconditions", preconditions.length === 0 ? null : preconditions.join("\n")],
];

/** What is known of a version that asks for its use. */
const knownLines = ({ set_back, rollback, proof }: ProcedureContent, out: Pick<Out, "paint" | "width">): string[] => [
  ...(set_back === undefined ? [] : setBackLines(set_back, out)),
  // The proof of a version shows the difference to the one in use.
  ...(rollback === undefined ? [] : rollbackLines(proof?.diff == null ? rollback : { ...rollback, diff: null }, out)),
  ...(proof === undefined ? [] : proofLines(proof, out)),
];

function placeOf(content: Approval["content"]): string | null {
  const backend = "contract" in content ? content.contract?.execution_backend : undefined;
  return placeText(backend ?? "local", content.runs_on ?? null);
}

/** What the contract gives to the steps, whole. */
function contextOf(content: Approval["content"]): [string, string | null][] {
  if (!("contract" in content) || content.contract === undefined) return [];
  const { target, payload } = content.contract;
  const verification = verificationText(content.contract);
  const shown = (given: object) => (Object.keys(given).length === 0 ? null : JSON.stringify(given, null, 1));
  return [
    ["target", shown(target)],
    ["payload", shown(payload)],
    ["to verify", verification],
  ];
}

type Coverage = Pick<ApprovalStep, "files" | "not_covered">;

function coveredBy(content: Approval["content"], out: Pick<Out, "paint">, steps: readonly Coverage[]): string[] {
  if ("steps" in content) return [...stepLines(content, out), ...outsideLines(content, steps)];
  if ("calls" in content) return [...callLines(content, out), ...outsideLines(content, steps)];
  return content.details.map((line) => `  ${printable(line)}`);
}

/** Each line is marked, so that none of them reads like a line of orch. */
export const wordsOfServer = ({ digest, says }: Pick<BoundTool, "digest" | "says">): string[] =>
  digest === null ? [] : ["      its server says of it:", ...says.map((line) => `      | ${printable(line)}`)];

/** Texts of scripts are in the files, and what a tool is comes from its server; the approval covers both as they are. */
function outsideLines(
  { scripts = [], tools = [] }: Pick<ProcedureContent, "scripts" | "tools">,
  steps: readonly Coverage[],
): string[] {
  const unjudged = new Set(
    steps.flatMap(({ files = [] }) => files.flatMap(({ path, judged }) => (judged ? [] : [path]))),
  );
  return [
    ...scripts.map(
      ({ path, digest }) =>
        `  script  ${printable(path)}  ${printable(digest)}${unjudged.has(path) ? "  content not judged" : ""}`,
    ),
    ...tools.flatMap((tool) => [
      `  tool  ${printable(toolName(tool))}  ${tool.digest ?? printable(notCoveredText(tool))}`,
      ...wordsOfServer(tool),
    ]),
  ];
}

/** Lists the gaps in coverage that the findings of the approval do not name. */
function uncoveredLines(steps: readonly Coverage[], content: Approval["content"]): string[] {
  const named = new Set("findings" in content ? content.findings.map(({ reason }) => reason) : []);
  const all = new Set(steps.flatMap(({ not_covered = [] }) => not_covered));
  return [...all].filter((what) => !named.has(what)).map((what) => `  not covered  ${printable(what)}`);
}

const callLines = ({ calls, findings, contract }: AgentContent, out: Pick<Out, "paint">): string[] =>
  calls.flatMap(({ index, step, edit }) => [
    ...(edit === undefined ? [] : editLines(index, edit, out)),
    ...stepText(`  call ${index}  ${step.kind}`, commandText(step)),
    ...environmentLines(commandText(step), givenTo(step, contract)),
    ...findingLines(
      findings.filter(({ step_index }) => step_index === index),
      out,
    ),
  ]);

/** What is replaced, before the command that does it. */
const editLines = (index: number, { path, old_text, new_text }: FileEdit, { paint }: Pick<Out, "paint">): string[] => [
  `  call ${index}  ${old_text === "" ? "creates" : "edits"}  ${printable(path)}`,
  ...(old_text === "" ? [] : printableLines(old_text).map((line) => paint("red", `      - ${line}`))),
  ...printableLines(new_text).map((line) => paint("green", `      + ${line}`)),
];

const stepLines = (
  { steps, criteria, findings, contract }: ProcedureContent,
  { paint }: Pick<Out, "paint">,
): string[] =>
  steps.flatMap((step, index) => [
    ...stepText(`  step ${index}  ${step.kind}`, commandText(step)),
    ...(step.kind === "cmd" && step.preview !== undefined ? stepText("      preview", step.preview) : []),
    ...pollingLines(pollingText(step)),
    ...reconcileLines(reconcileOf(step)),
    ...(repeatText(step) === null ? [] : [`      ${repeatText(step)}`]),
    ...environmentLines(`${commandText(step)}\n${reconcileOf(step) ?? ""}`, givenTo(step, contract)),
    ...criteria
      .filter(({ step_index }) => step_index === index)
      .map(({ criterion }) => `      proves: ${printable(criterion)}`),
    ...findingLines(
      findings.filter(({ step_index }) => step_index === index),
      { paint },
    ),
  ]);

export const pollingLines = (polled: string | undefined): string[] => (polled === undefined ? [] : [`      ${polled}`]);

const reconcileLines = (command: string | undefined): string[] =>
  command === undefined ? [] : stepText("      reconcile", command);

/** The purpose of an approval in one line. */
export function purposeOf(content: Approval["content"]): string {
  const { intent, target_signature } = content;
  const on = target_signature === "" ? "" : ` on ${target_signature}`;
  return `${intent}${on}, ${versionOf(content)}`;
}

function versionOf(content: Approval["content"]): string {
  if ("calls" in content) return `turn ${content.turn} of an agent`;
  if (!("steps" in content)) return "by a skill";
  return content.sop_version === null ? "steps that are not stored yet" : `version ${content.sop_version}`;
}

const decide = (decision: "approve" | "reject", { approval_id, digest }: Approval): string =>
  `${decision} ${plainWord(approval_id, "ID")} --digest ${plainWord(digest, "DIGEST")}`;

/** The lines of a command, uncut: the terminal wraps them. */
function stepText(title: string, command: string): string[] {
  const lines = printableLines(command);
  return lines.length === 1 ? [`${title}  ${lines[0] ?? ""}`] : [title, ...lines.map((line) => `      ${line}`)];
}

const givenTo = (step: AgentStep, contract: TaskContract | undefined): Readonly<Record<string, string>> =>
  contract === undefined ? {} : environmentOf(step, contract);

/** The variables that a text names, with their values; the target and the payload are shown whole above the steps. */
export const environmentLines = (text: string, environment: Readonly<Record<string, string>>): string[] =>
  Object.entries(environment)
    .filter(([name]) => text.includes(name))
    .flatMap(([name, value]) => printableLines(`${name}=${value}`).map((line) => `      with ${line}`));

/** All findings on a step say the same of what it reaches. */
export const findingLines = (findings: readonly Finding[], out: Pick<Out, "paint">): string[] => [
  ...reachLines(findings[0]),
  ...findings.map((finding) => findingLine(finding, out)),
];

/** A difference has lines: each is marked, so that none of them reads like a line of orch. */
export const findingLine = ({ verdict, code, reason }: Finding, { paint }: Pick<Out, "paint">): string => {
  const [first = "", ...more] = printableLines(reason);
  return [`      ${painted(paint, verdict)}  ${code}  ${first}`, ...more.map((line) => `        | ${line}`)].join("\n");
};

/** Whether the command changes something, with what consequences, and what it reaches. */
export function reachLines(known: Pick<Finding, "change" | "consequences" | "blast"> | undefined): string[] {
  const { change, consequences = [], blast } = known ?? {};
  if (change === undefined) return [];
  const is = [CHANGES[change], ...consequences].join(", ");
  if (blast === undefined) return [`      ${is}`];
  const { paths, containers, hosts, more } = blast;
  const all = [
    ...[["paths", paths] as const, ["containers", containers] as const, ["hosts", hosts] as const].flatMap(
      ([kind, names]) => (names.length === 0 ? [] : [`${kind} ${names.map(printable).join(" ")}`]),
    ),
    ...(more > 0 ? [`${more} more`] : []),
  ];
  return [`      ${is}${all.length === 0 ? "" : `; reaches ${all.join("; ")}`}`];
}

const CHANGES = { looks: "only looks", changes: "changes something", cannot_tell: "may change something" } as const;

export function approvalTable(approvals: readonly Approval[], now: Date, { paint, width }: Out): string[] {
  if (approvals.length === 0) return ["There are no such approvals."];
  const columns = ["APPROVAL", "STATUS", "KIND", "AGE", cut("OF"), cut("REASON")];
  const rows = approvals.map(({ approval_id, status, kind, thread_id, created_at, content, reason }) => [
    printable(approval_id),
    painted(paint, status),
    kind,
    age(created_at, now),
    printable(kind === "promotion" ? `${content.intent}, ${versionOf(content)}` : thread_id),
    firstLine(reason),
  ]);
  return fitTable(columns, rows, width);
}
