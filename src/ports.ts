// The ports: what the core needs from the outside. Adapters implement them; src/app wires them.
import type { z } from "zod";
import type { APPROVAL_STATUSES, Approval, Decided, SkillContent } from "./domain/approval.ts";
import type { Change } from "./domain/change.ts";
import type { TaskContract } from "./domain/contract.ts";
import type { ApprovalAnswer, CategoryQuestion, ErrorAnswer, ErrorQuestion, GateReply } from "./domain/gate.ts";
import type { JournalEvent, NewEvent } from "./domain/journal.ts";
import type { Json, Recorded } from "./domain/json.ts";
import type { TaskStatus } from "./domain/outcome.ts";
import type { BeforeLook, CheckLook } from "./domain/proof.ts";
import type { LateResult } from "./domain/reconcile.ts";
import type {
  FlowOutput,
  Job,
  JobEnd,
  JobWait,
  LookRequest,
  ReconcileLook,
  ReconcileRequest,
  RunRequest,
} from "./domain/run-request.ts";
import type { KeptChains, KeptScores } from "./domain/scorecard/kept-scores.ts";
import type { Disk, KeptTexts } from "./domain/script.ts";
import type { Cluster, OwnerState, Server } from "./domain/server.ts";
import type { Sop } from "./domain/sop.ts";
import type { StepResult } from "./domain/step.ts";
import type { KeptArchive, Task, TaskColumns, TaskFilter } from "./domain/task.ts";
import type { StatedEffect, Tool, ToolAnswer, ToolCall, ToolListing } from "./domain/tool.ts";
import type { UnverifiedTask, VerificationWish } from "./domain/verification.ts";
import type { FeatureStore } from "./features/records.ts";

export type Clock = () => Date;
export type NewId = () => string;
/** Calls `act` once, after the time, unless the function that it returns is called before. It keeps no process alive. */
export type Timer = (act: () => void, ms: number) => () => void;

/** `after` is the last event that the writer knows: null for an empty journal, "last" for a writer that is not the owner. */
export type Commit = {
  readonly thread_id: string;
  readonly after: Pick<JournalEvent, "seq" | "hash" | "at"> | null | "last";
  readonly events: readonly NewEvent[];
  readonly changes?: readonly Change[];
  /** Nothing is written while anything holds tasks, but for these, which do not hold this one (D-320). */
  readonly unless_frozen?: readonly string[];
  /** Called once, before the answer. It may not be on the disk yet, and what is committed later is there later (D-406). */
  readonly onWritten?: (events: readonly JournalEvent[]) => void;
};

/** A conflict wrote nothing: others have written since `after`, `after` is not there (any more), something holds the task, or an `expect` did not hold. */
export type CommitResult =
  | { readonly ok: true; readonly events: readonly JournalEvent[] }
  | { readonly ok: false; readonly conflict: "journal" | "lost_tail" | "held" | Change };

type Page = { readonly limit: number; readonly after?: string | undefined };

/** Everything durable. Only `commit` writes, except for leases, checkpoints and what servers ask of each other. */
export interface Store extends KeptScores, KeptChains, KeptArchive, FeatureStore {
  commit(commit: Commit): Promise<CommitResult>;
  /** Of a server that has lost its tasks: nothing is expected of its own row, only that `after` is the last event (D-330). */
  appendLateResult(thread_id: string, after: JournalEvent, late: LateResult): Promise<CommitResult>;
  renewLeases(owner: string, lease_expires_at: string): Promise<void>;
  /** In order, after the sequence number `after`. Without a page all of it, to act on: `quarantined` where the chain is broken. */
  readJournal(thread_id: string, page?: { readonly after: number; readonly limit: number }): Promise<JournalEvent[]>;
  readMessages(after: number, limit: number): Promise<{ readonly cursor: number; readonly event: JournalEvent }[]>;
  /** The cursor of the newest message; 0 when there is none. */
  lastMessage(): Promise<number>;
  /** The cursor up to which the receiver has every message; null for one that is not known. */
  findDelivered(receiver: string): Promise<number | null>;
  findTask(task_id: string): Promise<Task | null>;
  /** Which task has each target, where servers share the database; else none. */
  listHolds(): Promise<{ readonly target_signature: string; readonly task_id: string }[]>;
  /** Newest first; `after` is the last task_id of the previous page; `since` is a time in UTC. */
  listTasks(query: Page & TaskFilter): Promise<Task[]>;
  /**
   * Oldest first, from any status on that `after` has by now. `unended`: also those of any other status without an end. `labelled`: of
   * those statuses only tasks that do not run anywhere. `target_signature`: only those of that target.
   */
  listTaskColumns(
    query: Page & { status: readonly TaskStatus[]; unended?: true; labelled?: true; target_signature?: string },
  ): Promise<TaskColumns[]>;
  /** DONE without a check from outside, though their contract wants one; first those that ended first. Not those that missed it. */
  listUnverified(query: Page & { readonly wants: VerificationWish }): Promise<UnverifiedTask[]>;
  findSop(sop_id: string): Promise<Sop | null>;
  findActiveSop(intent: string, target_signature: string): Promise<Sop | null>;
  /** Newest first. */
  listSops(
    query: Page & { readonly [K in "intent" | "target_signature" | "status"]?: string | undefined },
  ): Promise<Sop[]>;
  /** Active ones, those with the most successful runs first. */
  mostUsedSops(limit: number): Promise<Sop[]>;
  findApproval(approval_id: string): Promise<Approval | null>;
  /** Oldest first. */
  listApprovals(
    query: Page & {
      readonly thread_id?: string | undefined;
      readonly status?: (typeof APPROVAL_STATUSES)[number] | undefined;
    },
  ): Promise<Approval[]>;
  findCheckLook(kind: CheckLook["kind"], digest: string): Promise<CheckLook | null>;
  /** Those that live, by their names: not stopped, and their lease lasts by the clock of the database. */
  listServers(): Promise<Server[]>;
  /** Every server that is known, by name and then by age, and the targets that have been held for longest. */
  describeServers(): Promise<Cluster>;
  /** Asks a server to drain: it hears of it at once, or with its next heartbeat. The same again has no further effect. */
  askToDrain(server_id: string): Promise<void>;
  /** Pending approvals that expire at or before `at`, and when the next one after that does. */
  expiringApprovals(at: string): Promise<{ readonly due: Approval[]; readonly next: string | null }>;
}

/** This server and the others that use the database (D-313). */
export interface Servers {
  /** This one, as the owner of tasks. */
  readonly owner: string;
  /** Whether the database may have more than one: what they share is in its rows then, not in memory. */
  readonly are_many: boolean;
  /** Of the owner of a task, as of the last look. */
  stateOf(task: Pick<Task, "owner" | "lease_expires_at">): OwnerState;
  /** Reads what became of the others. */
  look(): Promise<void>;
  /** From then on the owner writes nothing more, and its tasks may be claimed. False while it lives. */
  takeOver(owner: string): Promise<boolean>;
  /** How far the clock of this machine is ahead of the database's, as it was measured last; 0 where no other server has the database. */
  aheadMs(): number;
}

/** A `repeatable` step may be run again if its end is never recorded; a `job` is looked up again instead. */
type StepStart = { readonly repeatable?: boolean; readonly job?: Job };

export interface StepObserver {
  /** Resolves once the start is durable. False: do not start, the server is draining or the task is cancelled. */
  started(index: number, attempt: number, start?: StepStart): Promise<boolean>;
  /** The checks as they were before the first step, from a backend that was asked to look at them in its run. */
  looked?(looks: readonly BeforeLook[]): void;
  /** A step of a job has no start of its own: the job was handed over with its first step. */
  finished(result: StepResult): void;
  /** The engine has the job. Resolves once that is durable: from then on it is never made again under its id. */
  accepted(job_id: string): Promise<void>;
  /** The progress lines of a running job. Resolves once they are durable. */
  progressed(job_id: string, lines: readonly string[]): Promise<void>;
  /** What the job waits for has changed; null when it goes on. Resolves once that is durable. */
  waits?(job_id: string, wait: JobWait | null, tries: number): Promise<void>;
  /** Called after the results of its steps. */
  ended(end: JobEnd): void;
  /** Aborts once the server shuts down: a job goes on without it, and is looked up again. */
  readonly leaving?: AbortSignal;
}

export interface ExecutionBackend {
  readonly name: string;
  /** Whether steps and contract leave this machine for an engine, which resolves references in them. */
  readonly remote: boolean;
  /**
   * Runs the steps in order and stops at the first that does not pass. An abort kills the running step. Unless the server
   * leaves, every step is reported, or one of them that did not pass, or a job that failed.
   */
  run(request: RunRequest, observer: StepObserver, signal: AbortSignal): Promise<FlowOutput>;
  /** Runs checks once, before anything changes: each at most 10 s, all 30 s. Without it there is no look, or one in the run. */
  look?(request: LookRequest, signal: AbortSignal): Promise<BeforeLook[]>;
  /** Runs a command that only looks, where the steps run, for at most 60 s. Without it a human is asked. */
  reconcile?(request: ReconcileRequest, signal: AbortSignal): Promise<ReconcileLook>;
  /** Whether a run looks at the checks in `look_at`, under the same bounds, and reports them as `looked`. */
  readonly looks_in_run?: boolean;
  /** What its bash has against a text, which it only reads; null where there is nothing. Without it nothing is said of that. */
  syntaxFault?(text: string): Promise<string | null>;
  /** The files that its steps run. Without it they are elsewhere. */
  readonly disk?: Disk;
  readonly keptTexts?: KeptTexts;
  /** Ends a job that no thread follows any more. Why it may still run; null when it does not. */
  cancelJob?(job: Job): Promise<string | null>;
  /** What a lost job that has ended since has run after the first step of the request. Starts nothing. */
  reportLost?(request: RunRequest, observer: StepObserver): Promise<void>;
  /** How often it has asked its engine since the job waits. */
  triesFor?(job_id: string): number;
}

type Bounds = { readonly limit_ms: number; readonly signal: AbortSignal };
type CallBounds = Bounds & { readonly traceparent?: string | undefined };

/** The tool servers of the environment (MCP_{NAME}_URL). Never rejects. */
export interface ToolServers {
  /** Identifiers in lower case. */
  readonly names: ReadonlySet<string>;
  /** A call is sent at most once. */
  call(call: ToolCall, bounds: CallBounds): Promise<ToolAnswer>;
  listTools(server: string, bounds: Bounds): Promise<{ readonly tools: readonly Tool[] } | UnlistedTools>;
  /** Whether the server says that the tool only reads, or that the same call again has no further effect. */
  mayRepeat(call: Pick<ToolCall, "server" | "tool">, signal: AbortSignal): Promise<boolean>;
  effectOf(call: Pick<ToolCall, "server" | "tool">, signal: AbortSignal): Promise<StatedEffect>;
  /** The definitions of its tools: the server is asked anew, and where it answers without a list, again for `wait_ms`. */
  listNow(server: string, signal: AbortSignal, wait_ms?: number): Promise<ToolListing>;
  close(): Promise<void>;
}

/** Why there is no list, and how to mend that where it is known. */
type UnlistedTools = { readonly fault: string; readonly fix?: string };

/** What happens to a step of a skill whose end is not recorded: it runs again, or a function finds out its outcome. */
type CutOff<T> = "repeat" | (() => Promise<T> | T);

/** As the answer to a call: a step whose value it is fails with it. */
export type ToolList = { readonly ok: true; readonly tools: readonly Tool[] } | ToolListRefusal;
type ToolListRefusal = { readonly ok: false; readonly stderr: string };

/** What orch offers to the run of a handler. The locks are of the skill. */
export interface OfferedContext {
  readonly contract: TaskContract;
  readonly clock: Clock;
  /** Aborted when the task is cancelled or the server stops. */
  readonly signal: AbortSignal;
  /** One call under the contract, within a step. A server outside implicit_scope ends the task `blocked`. Bounded by max_minutes. */
  call(server: string, tool: string, args: { readonly [key: string]: Json }): Promise<ToolAnswer>;
  listTools(server: string): Promise<ToolList>;
  /**
   * Runs once; when the handler restarts, the step returns its recorded value. Names are unique within a task; steps are not nested.
   * A step that throws, or a value with `ok: false`, is a failure, and the same again. With "repeat" the step only reads. Any other
   * changes something: its start is durable before it runs, and without `cut_off` the supervisor is asked about an unknown end.
   * The value of a step that the supervisor says succeeded is null; one that failed throws.
   */
  step<T extends Json>(name: string, run: () => Promise<T> | T, cut_off: CutOff<T>): Promise<T>;
  step<T, U = T>(name: string, run: () => Promise<T> | T, cut_off: CutOff<U>): Promise<Recorded<T | U>>;
  step<T>(name: string, run: () => Promise<T> | T): Promise<Recorded<T> | null>;
  /** Shown to readers of the task; fast updates may be left out. */
  progress(done: number, total: number, text: string): void;
  readonly approvals: {
    request(content: SkillContent): Promise<string>;
    wait(approval_id: string): Promise<Decided>;
  };
}

/** For a skill handler. It restarts from its first line when its task continues, so every effect goes through `step`. */
export interface SkillContext extends OfferedContext {
  /** Runs `work` while no other run of this skill, in any task, runs one under the same name. */
  exclusive<T>(name: string, work: () => Promise<T> | T): Promise<T>;
}

/** What orch offers to the call of a skill's tool. The locks are of the skill. */
export type OfferedToolContext = Pick<SkillContext, "contract" | "clock" | "signal" | "call" | "listTools">;

/** The context of a skill's tool. Its whole call is one step of the agent run. */
export type SkillToolContext = OfferedToolContext & Pick<SkillContext, "exclusive">;

export type DescribedSkillTool = {
  /** Lower case with underscores; agents see `<skill>__<name>`. */
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodType;
  /** The entry of implicit_scope that it needs. */
  readonly scope: string;
  /** A check reads, and its success proves something. */
  readonly effect: "reads" | "checks" | "changes";
};

/** An entry of TOOLS in a skill's tools.ts [2.skill.tools]. */
export type SkillTool = DescribedSkillTool & {
  /** `given` is the output of `parameters`. The call fails when `run` throws or returns a value with `ok: false`. */
  readonly run: (ctx: SkillToolContext, given: never) => Promise<Json>;
};

/** A tool of a skill as the server runs it. The locks are of the skill. */
export type OfferedSkillTool = DescribedSkillTool & {
  readonly skill: string;
  /** Rejects with `HandlerLost` where it is not known how far it came. */
  readonly run: (ctx: OfferedToolContext, given: Json) => Promise<Json>;
};

/** A directory of `capabilities/` with its handler, or why no task of its intents can be run (D-271). */
export type Skill = UsableSkill | (Pick<UsableSkill, "name" | "intents"> & { readonly fault: string });
export type UsableSkill = {
  readonly name: string;
  readonly intents: readonly string[];
  readonly fault: null;
  /** Resolves with what the handler returned. What still runs of it ends with `over`. */
  readonly handle: (ctx: OfferedContext, over: AbortSignal) => Promise<unknown>;
};

/** Never rejects: a failure of the model gives the fallback. */
export interface Gate {
  /** Has the model loaded, where there is one. Called where questions may follow; nothing waits for it. */
  warm(): void;
  classifyError(question: ErrorQuestion, signal?: AbortSignal): Promise<GateReply<ErrorAnswer>>;
  matchCategory(question: CategoryQuestion, signal?: AbortSignal): Promise<GateReply<ApprovalAnswer>>;
}

/** Runs a pure judgement of texts, which may be made to cost, where nothing waits for it. A rejection allows nothing. */
export type Judge = <A extends readonly unknown[], R>(judgement: (...given: A) => R, ...given: A) => Promise<R>;

/** The reason of an abort without a cancellation: the server stops, and work elsewhere may go on. */
export const ABANDONED = "the server is stopping";
