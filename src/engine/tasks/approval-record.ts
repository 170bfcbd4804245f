// Requests and withdraws an approval in the journal [5.approval.flow], gives the time by which approvals expire, says directly before
// steps run whether what would run now is what was approved, and reads what an approval is about.
import { type Approval, type ApprovalContent, approvalDigest, isAsked, type SetBack } from "../../domain/approval.ts";
import type { Change } from "../../domain/change.ts";
import { type TaskContract, withoutTask } from "../../domain/contract.ts";
import { OrchError } from "../../domain/errors.ts";
import type { Finding } from "../../domain/finding.ts";
import { type BoundTool, type Script, toolName } from "../../domain/script.ts";
import type { Sop } from "../../domain/sop.ts";
import type { Task } from "../../domain/task.ts";
import { subjectOfThread } from "../../domain/thread-id.ts";
import { ignoredFields } from "../../domain/unknown-fields.ts";
import { openRequestOf } from "../../features/approvals/fold.ts";
import type { Clock, NewId, Servers, Store } from "../../ports.ts";
import { isFoundAsBefore } from "../policy/judge-plan.ts";
import { spelledPattern } from "../policy/protected-resources.ts";
import { type JudgedOnDisk, withUncovered } from "./judge-on-disk.ts";
import { pinned, planDigests, staleText, unreadToolsText } from "./plan.ts";
import type { Projection } from "./projection.ts";

export type ApprovalDeps = { readonly clock: Clock; readonly new_id: NewId; readonly approval_ttl_ms: number };

/** Withdraws the last approval, unless it was decided. Those before it have been withdrawn already. */
export function withdrawn({ approvals }: Projection): Change[] {
  const open = openRequestOf(approvals);
  return open === null ? [] : [{ on: "approval", approval_id: open.approval_id, set: { status: "superseded" } }];
}

export const requested = ({ approval_id, kind, digest }: Approval) =>
  ({ kind: "approval_requested", body: { approval_id, kind, digest } }) as const;

export function newApproval(
  deps: ApprovalDeps,
  thread_id: string,
  kind: Approval["kind"],
  content: ApprovalContent,
): Approval {
  const now = deps.clock();
  return {
    approval_id: deps.new_id(),
    thread_id,
    kind,
    content,
    digest: approvalDigest(content),
    reason: reasonOf(kind, content),
    status: "pending",
    interrupt_id: null,
    expires_at: new Date(now.getTime() + deps.approval_ttl_ms).toISOString(),
    decision: null,
    created_at: now.toISOString(),
    decided_at: null,
  };
}

/** The human sees which tools it does not cover, and which fields of the contract do nothing. */
export function approvalOfTask(
  deps: ApprovalDeps,
  contract: TaskContract,
  kind: Approval["kind"],
  content: ApprovalContent,
): Approval {
  const approval = newApproval(deps, contract.task_id, kind, content);
  const ignored = ignoredFields(contract);
  const unread = unreadToolsText("tools" in content ? (content.tools ?? []) : []).trim();
  const notes = [unread, ignored === null ? "" : `Other fields of the contract are ${ignored}.`].filter(Boolean);
  if (notes.length === 0) return approval;
  const reasons = approval.reason === "" ? notes : [asSentence(approval.reason), ...notes];
  return { ...approval, reason: reasons.join(" ") };
}

function reasonOf(kind: Approval["kind"], content: ApprovalContent): string {
  if ("action" in content) return content.action;
  if (kind === "plan" || !("steps" in content))
    return [...new Set(content.findings.map(({ reason }) => asSentence(reason)))].join(" ");
  const { sop_version, replaces, set_back, rollback } = content;
  if (set_back !== undefined) return ofSetBack(sop_version, set_back, replaces);
  const what = `Version ${sop_version} asks for its ${kind === "promotion" ? "promotion" : "place in use"}`;
  const steps = rollback === undefined ? what : `${what}, with the steps of version ${rollback.to.version}`;
  if (replaces == null) return `${steps}.`;
  return `${steps}; it would replace version ${replaces}${kind === "promotion" ? ", which is in use" : ""}.`;
}

/** A finding is a part of a sentence, or a whole one. */
const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;

function ofSetBack(version: number | null, { why, holds }: SetBack, replaces: number | null | undefined): string {
  const corrected = holds ? "" : " Its record does not call for that any more.";
  const instead = replaces == null ? "" : ` It would replace version ${replaces}, which is in use.`;
  return `Version ${version} was set back (${why}) and asks to be used again.${corrected}${instead}`;
}

/**
 * The time by which approvals expire, which has to be the same on every server: that of the database, as this server measures its own
 * clock against it with each lease (D-403).
 */
export const expiryClock =
  ({ clock, servers }: { readonly clock: Clock; readonly servers: Pick<Servers, "aheadMs"> }): Clock =>
  () =>
    new Date(clock().getTime() - servers.aheadMs());

/** What is found now. `from`: the first step that is left. */
type FoundNow = {
  readonly by_tools: readonly Finding[];
  readonly on_disk: JudgedOnDisk;
  readonly tools: readonly BoundTool[];
  readonly from: number;
};

/**
 * Rules are judged again on the very steps that will run and on the scripts that they run, and the tools that may only look by what
 * their servers say now; with the model's findings they must give the approved digest.
 */
export function isAsApproved(
  contract: TaskContract,
  projection: Projection,
  { by_tools, on_disk, tools, from }: FoundNow,
): boolean {
  const { findings: noted, approvals } = projection;
  const asked = [...approvals.requests.values()];
  const now = [...on_disk.findings, ...by_tools];
  if (noted.length === 0 && asked.length === 0)
    return now.every(({ step_index }) => step_index < from) && isAsJudged(contract, projection, { on_disk, tools });
  // Neither follows from the steps alone: the one is the model's word, the other compares with the promotion.
  const by_others = noted.filter(({ code }) => code.startsWith("category.") || code === "safety.not_as_promoted");
  const all = withUncovered([...now, ...by_others], on_disk.if_asked).findings;
  // A step that has run may have changed the scripts of its own: what was found of it then still counts.
  const isSame = isFoundAsBefore({ now: all, before: noted, from });
  const digests = [all, ...(isSame ? [noted] : [])].flatMap((findings) =>
    planDigests(contract, projection, findings, {
      scripts: scriptsFrom(from, on_disk, projection.scripts),
      tools,
    }),
  );
  if (unreadToolsText(tools) !== "") return false;
  return asked.some(
    (request) =>
      digests.includes(request.digest) && approvals.decisions.get(request.approval_id)?.decision === "approve",
  );
}

/**
 * The steps of a version in use were compared with its promotion when they were judged. What has run may have changed its scripts. Of
 * taught steps only a tool counts that the contract may ask about.
 */
function isAsJudged(
  { constraints }: TaskContract,
  projection: Projection,
  { on_disk, tools }: Pick<FoundNow, "on_disk" | "tools">,
): boolean {
  const hasRun = projection.steps.records.size > 0;
  if (pinned(projection).sop_id !== null)
    return staleText(projection, { scripts: hasRun ? projection.scripts : on_disk.scripts, tools }) === "";
  const known = new Set(projection.tools.filter(({ destructive }) => destructive).map(toolName));
  return (
    constraints.require_approval_for.length === 0 ||
    tools.every((tool) => tool.destructive !== true || known.has(toolName(tool)))
  );
}

/** The scripts of the steps that are left as they are now, the others as they were judged. */
function scriptsFrom(from: number, { scripts, steps }: JudgedOnDisk, before: readonly Script[]): readonly Script[] {
  if (from === 0) return scripts;
  const left = new Set(
    steps.slice(from).flatMap(({ known, lists }) => [...known.keys(), ...[...lists.keys()].map(spelledPattern)]),
  );
  const all = [...before.filter(({ path }) => !left.has(path)), ...scripts.filter(({ path }) => left.has(path))];
  return all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

// An approval with what it is about: its task or its version, and the contract that its steps are given.

export type ApprovalContext = {
  readonly approval: Approval;
  readonly task: Task | null;
  readonly sop: Sop | null;
  readonly contract: TaskContract;
  /** Whether the contract is that of a task which runs the steps; else it has only their target. */
  readonly is_of_task: boolean;
};

/** Rejects where there is none, or where nothing waits for it yet. */
export async function approvalContext(
  { store }: { readonly store: Pick<Store, "findApproval" | "findTask" | "findSop"> },
  approval_id: string,
): Promise<ApprovalContext> {
  const approval = await store.findApproval(approval_id);
  if (approval === null || !isAsked(approval))
    throw new OrchError("approval_not_found", `There is no approval ${approval_id}.`);
  const { content, thread_id } = approval;
  const subject = subjectOfThread(thread_id);
  const task = subject.kind === "task" ? await store.findTask(subject.task_id) : null;
  const sop = "steps" in content && content.sop_id !== null ? await store.findSop(content.sop_id) : null;
  const own = ownContract(approval, task);
  const target = sop?.target ?? ("contract" in content ? content.contract?.target : undefined) ?? {};
  return { approval, task, sop, contract: own ?? withoutTask(content.intent, target), is_of_task: own !== null };
}

/** A version that is to be promoted is run for no task yet. */
function ownContract({ kind, content }: Approval, task: Task | null): TaskContract | null {
  if (kind !== "plan" && kind !== "agent" && kind !== "skill") return null;
  return ("contract" in content ? content.contract : undefined) ?? task?.contract ?? null;
}
