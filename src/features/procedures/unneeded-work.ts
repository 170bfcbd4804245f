// Finds changes of an agent's run that are no part of the procedure: work that the next change undid, and a change that was made
// twice with nothing between. What only may be so stays, with a remark.
import type { AgentCall } from "../../domain/agent-events.ts";
import { commandText } from "../../domain/step-run.ts";
import { observe, pathFrom, type ShellContext } from "../../guard/guard.ts";

type Unneeded = {
  readonly dropped: ReadonlyMap<AgentCall, string>;
  readonly remarks: readonly string[];
};

type Made = { readonly call: AgentCall; readonly act: Act | null };

/** `changes` in their order, also those that failed: what they did is not known. */
export function unneededWork(changes: readonly AgentCall[], shell: ShellContext): Unneeded {
  const dropped = new Map<AgentCall, string>();
  const remarks: string[] = [];
  // The changes that stay. Only the last one can be undone for certain.
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
  // The second call restores the state only if the first one changed it. So the second call stays.
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

type Act = {
  /** The words of the only program, null where the call only writes files, or runs programs that only print. */
  readonly words: readonly string[] | null;
  readonly directory: string;
  /** Absolute, each written by a redirection. */
  readonly writes: readonly string[];
};

const PRINTS = /^(echo|printf|cat|true|:|cd|date)$/;

/**
 * Reads from a changing call the one program that it runs, with its words, and the files that it writes. Returns null if the guard
 * cannot tell for certain.
 */
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
