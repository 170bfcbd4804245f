// Drafts a procedure from an agent's run [1.A.8.data]: the calls that changed something, then the checks that proved
// the result, in order, with parameters for the target's values (D-144). A complete draft becomes a candidate (D-191).
import type { AgentCall } from "../domain/agent-events.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { Procedure } from "../domain/journal.ts";
import { REDACTED } from "../domain/printable.ts";
import type { CheckProof } from "../domain/proof.ts";
import type { CriterionCheck, SopDefinition } from "../domain/sop.ts";
import type { Step } from "../domain/step.ts";
import { commandText } from "../domain/step-run.ts";
import { targetSignature } from "../domain/target.ts";
import type { Verdict } from "../domain/verdict.ts";
import { observe, pathFrom, type ShellContext } from "../guard/guard.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import type { Judge, Store } from "../ports.ts";
import { teachingOf } from "../tasks/teaching.ts";
import { type LeftLiteral, type Parametriser, parametriser } from "./parametrised-step.ts";

/** What a check of the draft was worth in the run. `proof` is null where it was not looked at. */
type ProposedCheck = { readonly step_index: number } & {
  readonly [Field in "seen_red" | "change" | "reason"]: CheckProof[Field] | null;
} & { readonly proof: CheckProof["class"] | null };

export type Proposal = {
  readonly steps: Step[];
  readonly criteria: CriterionCheck[];
  readonly checks: ProposedCheck[];
  /** The changes and proofs that are not among the steps, each with the reason. */
  readonly left_out: { readonly index: number; readonly command: string; readonly why: string }[];
  /** Sentences that the supervisor has to read before teaching the draft. */
  readonly warnings: string[];
  /** True if the agent changed something, each change passed and can be a step, and orch redacted no secret in the steps. */
  readonly is_complete: boolean;
  readonly left_literal: LeftLiteral[];
};

export type VerifiedRun = {
  readonly contract: TaskContract;
  readonly calls: readonly AgentCall[];
  readonly verdict: Verdict;
  /** The home directory that commands saw. */
  readonly home: string;
};

type Proving = {
  readonly call: AgentCall;
  readonly criterion: string | null;
  readonly proof: CheckProof | undefined;
};

export function proposeSop({ contract, calls, verdict, home }: VerifiedRun): Proposal {
  const shell = shellContextOf(contract, home);
  const changes = calls.filter(({ effect, result }) => effect === "changes" && result !== null);
  const proofs = verdict.checks.flatMap(({ step_index, criterion, proof }): Proving[] => {
    const call = calls[step_index];
    return call === undefined ? [] : [{ call, criterion, proof }];
  });
  const { dropped, remarks } = unneededWork(changes, shell);
  const changing = changes.filter((call) => changeFault(call, dropped) === null);
  const proving = distinct(proofs.filter((one) => proofFault(one) === null));
  const parametrise: Parametriser = parametriser(contract, shell);
  const drafted = [...changing, ...proving.map(({ call }) => call)].flatMap(stepOf).map(parametrise);
  const first = changing.flatMap(stepOf).length;
  const criteria = proving.flatMap(({ criterion }, position) =>
    criterion === null ? [] : [{ criterion, step_index: first + position }],
  );
  const faults = new Map([
    ...changes.map((call) => [call, changeFault(call, dropped)] as const),
    ...proofs.map((one) => [one.call, proofFault(one)] as const),
  ]);
  return {
    steps: drafted.map(({ step }) => step),
    criteria,
    checks: proving.map((one, position) => proposedCheck(one, first + position)),
    left_out: [...faults].flatMap(([call, why]) =>
      why === null || call.step === null ? [] : [{ index: call.index, command: commandText(call.step), why }],
    ),
    warnings: [...changes.flatMap(failedChange), ...remarks, ...proving.flatMap((one, n) => weakCheck(one, first + n))],
    is_complete:
      changing.length > 0 &&
      changes.every((call) => dropped.has(call) || changeFault(call, dropped) === null) &&
      !drafted.some(holdsRedacted),
    left_literal: drafted.flatMap(({ left }) => left),
  };
}

const holdsRedacted = ({ step }: { readonly step: Step }): boolean => JSON.stringify(step).includes(REDACTED);

const SKILL_TOOL = "a skill's tool cannot be a step of a procedure";

/** The reason that a change is no step of the procedure; null when it is one. */
function changeFault(call: AgentCall, dropped: ReadonlyMap<AgentCall, string>): string | null {
  if (call.step?.kind === "skill_tool") return SKILL_TOOL;
  const { status, exit_code } = call.result ?? {};
  if (status === "passed") return dropped.get(call) ?? null;
  const code = exit_code == null ? "" : ` with exit code ${exit_code}`;
  return `it ended ${status}${code}, and may have done a part of its work`;
}

function proofFault({ call: { step, result }, proof }: Proving): string | null {
  if (step?.kind === "skill_tool") return SKILL_TOOL;
  if (result?.status !== "passed") return `it ended ${result?.status}`;
  return proof?.class === "unproved" ? `it proves nothing: ${proof.reason}` : null;
}

/** The same check for the same criterion once. A criterion needs a step of its own. */
function distinct(proofs: readonly Proving[]): Proving[] {
  const key = ({ call, criterion }: Proving) => JSON.stringify([call.step, criterion]);
  return proofs.filter((one, at) => {
    const isKnown = proofs.slice(0, at).some((other) => key(other) === key(one));
    const isNamed = one.criterion === null && proofs.some((other) => other !== one && isSameCheck(other, one));
    return !isKnown && !isNamed;
  });
}

const isSameCheck = (other: Proving, { call }: Proving): boolean =>
  other.criterion !== null && JSON.stringify(other.call.step) === JSON.stringify(call.step);

const proposedCheck = ({ proof }: Proving, step_index: number): ProposedCheck => ({
  step_index,
  proof: proof?.class ?? null,
  seen_red: proof?.seen_red ?? null,
  change: proof?.change ?? null,
  reason: proof?.reason ?? null,
});

const failedChange = (call: AgentCall): string[] =>
  call.result === null || call.result.status === "passed"
    ? []
    : [
        `call ${call.index} ended ${call.result.status} and may have done a part of its work: see what of it the steps need`,
      ];

const weakCheck = ({ proof }: Proving, step_index: number): string[] =>
  proof === undefined || proof.class === "proved"
    ? []
    : [`step ${step_index} is ${proof.class}: ${proof.reason ?? "it has never been seen to fail"}`];

/** A check that changed something becomes a command. */
function stepOf({ step, effect }: AgentCall): Step[] {
  if (step === null || step.kind === "skill_tool") return [];
  return step.kind === "check" && effect === "changes" ? [{ kind: "cmd", value: step.value }] : [step];
}

// Which changes of an agent's run are no part of the procedure: work that the next change undid, and a change that was made twice
// with nothing between. What only may be so stays, with a remark.

type Unneeded = {
  readonly dropped: ReadonlyMap<AgentCall, string>;
  readonly remarks: readonly string[];
};

type Made = { readonly call: AgentCall; readonly act: Act | null };

/** `changes` in their order, also those that failed: what they did is not known. */
export function unneededWork(changes: readonly AgentCall[], shell: ShellContext): Unneeded {
  const dropped = new Map<AgentCall, string>();
  const remarks: string[] = [];
  // What has been kept so far: only the last of it can be undone for certain.
  const kept: Made[] = [];
  for (const call of changes) {
    const made = { call, act: isPassed(call) ? actOf(call, shell) : null };
    const last = kept.at(-1);
    const { drop, why, remark } = last === undefined || !isPassed(last.call) ? UNRELATED : relationOf(last, made);
    if (last !== undefined && drop !== "none") {
      kept.pop();
      dropped.set(last.call, `call ${call.index} ${why}`);
    }
    if (last !== undefined && drop === "both") dropped.set(call, `it only undid call ${last.call.index}`);
    else {
      remarks.push(...(remark === null ? (drop === "none" ? distant(kept, made) : []) : [remark]));
      kept.push(made);
    }
  }
  return { dropped, remarks };
}

const isPassed = ({ result }: AgentCall): boolean => result?.status === "passed";

/** `why` completes "call 3 ...". */
type Relation = { readonly drop: "none" | "first" | "both"; readonly why: string; readonly remark: string | null };

const UNRELATED: Relation = { drop: "none", why: "", remark: null };

function relationOf(first: Made, second: Made): Relation {
  const [one, other] = [first.act, second.act];
  const pair = `calls ${first.call.index} and ${second.call.index}`;
  const remark = (text: string): Relation => ({ ...UNRELATED, remark: text });
  if (isSame(first.call, second.call)) {
    if (isIdempotent(other)) return { drop: "first", why: "did the same again", remark: null };
    return remark(`${pair} are the same: see whether the second is needed`);
  }
  if (one === null || other === null) return UNRELATED;
  if (unmakes(one, other, first.call)) return { drop: "both", why: "undid it", remark: null };
  // What was so before the first is so after the second only where the first changed it, so the second stays.
  if (reverses(one, other)) {
    const only = `step of call ${second.call.index} undid call ${first.call.index}: leave it out where it has nothing to undo`;
    return { drop: "first", why: "undid it", remark: only };
  }
  if (reverses(other, one)) return remark(`${pair} undo and make the same: together they may be a restart`);
  if (overwrites(one, other, second.call))
    return { drop: "first", why: "wrote the same file again, whole", remark: null };
  return removes(one, other)
    ? remark(`call ${second.call.index} removes what call ${first.call.index} wrote`)
    : UNRELATED;
}

/** The same pair with other changes between, which may have needed it. */
function distant(kept: readonly Made[], { call, act }: Made): string[] {
  if (act === null) return [];
  const undone = kept.findLast((made) => isUndone(made, act));
  if (undone === undefined) return [];
  return [`call ${call.index} undoes call ${undone.call.index}: see whether the steps between need both`];
}

const isUndone = ({ call, act: made }: Made, act: Act): boolean =>
  made !== null && (unmakes(made, act, call) || reverses(made, act) || removes(made, act));

const isSame = ({ step: one }: AgentCall, { step: other }: AgentCall): boolean =>
  one !== null && other !== null && one.kind === other.kind && commandText(one) === commandText(other);

/** Verbs, of which the second is the inverse of the first, and also succeeds where there is nothing to undo. */
const INVERSES: readonly (readonly [program: string, verb: string, inverse: string])[] = [
  ["systemctl", "start", "stop"],
  ["systemctl", "enable", "disable"],
  ["systemctl", "mask", "unmask"],
  ["docker", "start", "stop"],
  ["docker", "up", "down"],
  ["docker-compose", "up", "down"],
];

function reverses(
  { words: first, writes, directory }: Act,
  { words: second, writes: others, directory: there }: Act,
): boolean {
  if (first === null || second === null || writes.length + others.length > 0 || directory !== there) return false;
  return INVERSES.some(([name, verb, inverse]) => {
    const made = first[0] === name && second[0] === name ? subject(first, verb) : null;
    return made !== null && made === subject(second, inverse);
  });
}

/** The first succeeded only where there was nothing of it before. */
function unmakes(first: Act, second: Act, { result }: AgentCall): boolean {
  const [made, removed] = [first.words, second.words];
  if (made === null || removed === null || first.directory !== second.directory) return false;
  if (first.writes.length + second.writes.length > 0) return false;
  if (made[0] === "mkdir") return removesMade(made, removed, first.directory);
  const isStash = /^git stash( push)?$/.test(made.join(" ")) && removed.join(" ") === "git stash pop";
  return isStash && /^Saved /m.test(result?.stdout ?? "");
}

/** The words without the verb and what switches how it is done. Null where the verb is not there. */
function subject(words: readonly string[], verb: string): string | null {
  const at = words.indexOf(verb);
  if (at === -1) return null;
  return [...words.slice(0, at), "*", ...words.slice(at + 1).filter((word) => !word.startsWith("-"))].join("\0");
}

/** `mkdir d` succeeds where there was no `d`; `mkdir -p d` also where there was one. */
function removesMade(made: readonly string[], removed: readonly string[], directory: string): boolean {
  const [path, ...others] = operands(made);
  const [gone, ...more] = operands(removed);
  const isRemoval = removed[0] === "rmdir" || (removed[0] === "rm" && removed.some((word) => /^-\w*[rR]/.test(word)));
  if (path === undefined || gone === undefined || others.length + more.length > 0 || !isRemoval) return false;
  return made.length === 2 && pathFrom(path, directory) === pathFrom(gone, directory);
}

const operands = (words: readonly string[]): readonly string[] =>
  words.slice(1).filter((word) => !word.startsWith("-"));

/** Nothing could read the file between. An appended line is no whole file. */
function overwrites(first: Act, second: Act, { step }: AgentCall): boolean {
  const [file, ...others] = first.writes;
  if (first.words !== null || second.words !== null || file === undefined || others.length > 0) return false;
  if (step?.kind !== "cmd" || step.value.includes(">>")) return false;
  // A pattern of file names, or the file itself, could be read.
  return second.writes.length === 1 && second.writes[0] === file && !/[<*?]|\b(cat|cd)\b/.test(step.value);
}

/** It may have been there before it was written, so that both are not nothing. */
const removes = ({ words, writes, directory }: Act, { words: removal, directory: there }: Act): boolean => {
  if (removal?.[0] !== "rm" || words !== null || writes.length === 0) return false;
  const gone = operands(removal).map((path) => pathFrom(path, there));
  return directory === there && writes.every((file) => gone.includes(file));
};

/** What, made again, leaves everything as it is. Programs that count, append or migrate do not. */
const AGAIN = new Set([
  ...["systemctl start", "systemctl stop", "systemctl restart", "systemctl enable", "systemctl disable"],
  ...["systemctl daemon-reload", "docker start", "docker stop", "docker restart"],
  ...["mkdir -p", "rm -f", "ln -sf", "ln -sfn", "chmod", "chown", "touch"],
]);

function isIdempotent(act: Act | null): boolean {
  if (act === null) return false;
  const { words, writes } = act;
  if (words === null || writes.length > 0) return false;
  return AGAIN.has(words[0] ?? "") || AGAIN.has(words.slice(0, 2).join(" "));
}

// Drafts the procedure that an agent's verified run leaves as a candidate [3.sop.candidate] (D-191).

type Deps = {
  readonly store: Store;
  readonly judge: Judge;
};

/**
 * Returns null if a supervisor has to read the draft first, because it is incomplete or teach would refuse it. Also returns null
 * while a version of this intent and target is active or waits for its promotion.
 */
export async function procedureOfAgent({ store, judge }: Deps, run: VerifiedRun): Promise<Procedure | null> {
  const { intent, target } = run.contract;
  const versions = await store.listSops({ intent, target_signature: targetSignature(target), limit: 1000 });
  if (versions.some(({ status }) => status !== "deprecated")) return null;
  const { is_complete, steps, criteria: proved } = await judge(proposeSop, run);
  if (!is_complete) return null;
  const criteria = Object.fromEntries(proved.map(({ criterion, step_index }) => [criterion, step_index]));
  const draft: SopDefinition = { steps, criteria, safety_level: "standard", preconditions: [] };
  const context = { home: run.home, remote: false };
  const { procedure, issues } = await judge(teachingOf, run.contract, draft, context);
  return issues.length === 0 ? procedure : null;
}

// What a changing call of an agent does, as far as the guard resolves it: the one program that it runs, with its words, and the
// files that it writes. Null where that is not known for certain.

type Act = {
  /** The words of the only program, null where the call only writes files, or runs programs that only print. */
  readonly words: readonly string[] | null;
  readonly directory: string;
  /** Absolute, each written by a redirection. */
  readonly writes: readonly string[];
};

const PRINTS = /^(echo|printf|cat|true|:|cd|date)$/;

function actOf({ step }: Pick<AgentCall, "step">, shell: ShellContext): Act | null {
  if (step?.kind !== "cmd" && step?.kind !== "check") return null;
  const ran: (readonly string[])[] = [];
  const writes: string[] = [];
  const directories = new Set([shell.cwd]);
  let certain = true;
  const absolute = (path: string, from: readonly string[]) => {
    const [directory, ...others] = from;
    if (directory === undefined || others.length > 0) certain = false;
    else directories.add(directory);
    return pathFrom(path, directory ?? "/");
  };
  const isWhole = observe(step.value, shell, {
    command: (words, from) => {
      absolute(".", from);
      if (!PRINTS.test(words[0] ?? "")) ran.push(words);
    },
    write: (path, from) => void (path.startsWith("/dev/") || writes.push(absolute(path, from))),
    report: () => {
      certain = false;
    },
  });
  const programs = ran.filter((words, at) => !isLauncherOf(words, ran[at + 1]));
  const [words = null, ...others] = programs;
  const isPlain = [...(words ?? []), ...writes].every((word) => !/[^\x20-\x7e]/.test(word));
  if (!isWhole || !certain || others.length > 0 || !isPlain) return null;
  return { words, directory: [...directories].at(-1) ?? shell.cwd, writes };
}

/** The guard sees `sudo systemctl stop x` and then `systemctl stop x`. */
const isLauncherOf = (words: readonly string[], next: readonly string[] | undefined): boolean =>
  next !== undefined && next.length < words.length && words.slice(-next.length).join("\0") === next.join("\0");
