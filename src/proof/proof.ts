// The door of the proof of checks: examines a check, which says what it is worth. README.md beside this file explains the words.
// biome-ignore-all lint/performance/noBarrelFile: it is the door of a package.
import { decoyOf } from "./decoy.ts";
import { type CheckOfPlan, type CheckReading, type LookedAt, readCheck } from "./read-check.ts";
import type { Control, Examination, Look } from "./worth.ts";

export { constantExit } from "./constant.ts";
export { decoyOf } from "./decoy.ts";
export { type Mend, mendsOf } from "./mends.ts";
export { referenceFault, wordingFault } from "./misread.ts";
export { ownMarker } from "./own-marker.ts";
export { readPipes } from "./pipes.ts";
export { hasOnce, readCheck, runBy, textFacts } from "./read-check.ts";
export { dataWords, type TextPlace, textPlaces } from "./syntax.ts";
export { type CheckProof, type Examination, proofOf } from "./worth.ts";

type Environment = Readonly<Record<string, string>>;

type DecoyScript = { readonly script: string; readonly env: Environment };

type ControlRun = DecoyScript & {
  readonly directory: string | null;
  /** These paths do not exist there; the working directory is empty. */
  readonly masked: readonly string[];
  readonly programs: readonly string[];
};

/** What runs something, or reads the machine. A probe never rejects for what the check does. */
export interface Probes {
  /** In a world without the target. */
  control(check: ControlRun): Promise<Control>;
  /** On this machine, in a directory of something else: `scriptIn` is given its path. Time jumps. */
  decoy(scriptIn: (directory: string) => Promise<DecoyScript>): Promise<Look>;
  /** Changes when one of the programs, or of the files that are given by their paths, changes. */
  fingerprint(programs: readonly string[]): Promise<string>;
  /** The text of a short file as it may be judged; null for every other path. */
  textAt(path: string): Promise<{ readonly judged: string } | null>;
}

/** Runs a pure function of this package, perhaps in another thread. */
type RunPure = <A extends readonly unknown[], R>(pure: (...given: A) => R, ...given: A) => Promise<R>;

type Means = {
  readonly probes: Pick<Probes, "control" | "decoy" | "textAt">;
  readonly run: RunPure;
  /** Hands on the control of the whole text, or knows it. */
  readonly controlOf?: (control: () => Promise<Control>) => Promise<Control>;
};

/** `programs` and `scripts` are what `runBy` finds. */
type Examined = CheckOfPlan & { readonly programs: readonly string[]; readonly scripts: readonly string[] };

/** Rejects only where a probe or `run` does. An earlier red run is for the caller to know. */
export async function examineCheck(check: Examined, means: Means): Promise<Examination> {
  const { programs, scripts, ...given } = check;
  const { probes, run, controlOf = (control) => control() } = means;
  const reading = await run(readCheck, given, await textsOf(scripts, probes));
  const without = withoutRun(reading);
  if (without !== null) return without;
  const { facts, whole, parts } = reading;
  const env = { ...check.shell.env, ...(facts.reads_before && { ORCH_BEFORE: ANOTHER_WORD }) };
  const look = async ({ script, names_target }: LookedAt): Promise<Seen> => {
    const directory = check.target["compose_dir"] ?? null;
    const control = () => probes.control({ script, env, directory, masked: reading.masked ?? [], programs });
    const decoyed = async (place: string): Promise<DecoyScript> => {
      const decoy = await run(decoyOf, script, check.target, place);
      return { script: decoy.text, env: { ...env, ...decoy.env } };
    };
    const [empty, decoy] = await Promise.all([
      script === whole.script ? controlOf(control) : control(),
      reading.has_decoy ? probes.decoy(decoyed) : null,
    ]);
    return { names_target, control: empty, decoy };
  };
  const seen = await look(whole);
  const joined = isRedInBoth(seen) && (await isJoined(parts, look));
  return { ...facts, ...seen, joined, red_at: null };
}

type Seen = Pick<Examination, "names_target" | "control" | "decoy">;

const isRedInBoth = ({ names_target, control, decoy }: Seen): boolean =>
  names_target && control.answer === "red" && control.world === "empty" && decoy?.answer === "red";

/** Whether no part of a conjunction is red in both looks. */
async function isJoined(parts: readonly LookedAt[], look: (part: LookedAt) => Promise<Seen>): Promise<boolean> {
  for (const part of parts) if (isRedInBoth(await look(part))) return false;
  return parts.length > 0;
}

/** A file that cannot be read is left out. */
async function textsOf(paths: readonly string[], { textAt }: Pick<Probes, "textAt">): Promise<Map<string, string>> {
  const read = await Promise.all(paths.map(async (path) => [path, await textAt(path)] as const));
  return new Map(read.flatMap(([path, text]) => (text === null ? [] : [[path, text.judged] as const])));
}

/** Not what any check printed: a check that is green with it does not compare. */
const ANOTHER_WORD = "what-a-check-printed-before";

/** Null where the looks are to be run. */
function withoutRun({ facts, masked }: CheckReading): Examination | null {
  if (masked === null) return notRun(facts, "the plan takes too long to judge; use fewer or shorter steps");
  return facts.constant === null ? null : notRun(facts, "its exit code does not depend on the machine");
}

/** What is known of a check whose looks cannot be run. */
export const notRun = (facts: CheckReading["facts"], reason: string): Examination => ({
  ...facts,
  control: { answer: "not_possible", exit_code: null, world: "empty", wrote: false, reason },
  decoy: null,
  joined: false,
  red_at: null,
});
