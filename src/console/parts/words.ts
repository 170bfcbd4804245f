// The words of the console for what orch says of steps and checks: each thing has one, on every page.
import type { CheckProof, Look } from "../../domain/proof.ts";
import type { Tone } from "./status.tsx";

type Wording = { readonly word: string; readonly tone: Tone };

/** A kind that has no other word here is shown by its name. */
const STEP_KINDS: ReadonlyMap<string, string> = new Map([
  ["cmd", "Command"],
  ["mcp_call", "Tool call"],
  ["skill_tool", "Tool of a skill"],
]);

export const stepKind = (kind: string): string =>
  STEP_KINDS.get(kind) ?? `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll("_", " ")}`;

export type StepChange = "looks" | "changes" | "cannot_tell";

type CountedWording = Wording & { readonly counted: (n: number) => string };

/** What changes something comes first: it is what a yes is about. */
export const CHANGES: Readonly<Record<StepChange, CountedWording>> = {
  changes: {
    word: "Changes something",
    tone: "ask",
    counted: (n) => `${n} ${n === 1 ? "changes" : "change"} something`,
  },
  cannot_tell: { word: "May change something", tone: "stop", counted: (n) => `${n} may change something` },
  looks: { word: "Only looks", tone: "idle", counted: (n) => `${n} only ${n === 1 ? "looks" : "look"}` },
};

export const CHANGE_ORDER: readonly StepChange[] = ["changes", "cannot_tell", "looks"];

const CONSEQUENCES: Readonly<Record<string, string>> = {
  deletes_data: "deletes data",
  restarts_service: "restarts a service",
  changes_network: "changes the network",
  writes_device: "writes to a device",
  force_push: "overwrites a branch",
  changes_accounts: "changes accounts",
  reboots: "restarts a machine",
};

export const consequenceWord = (code: string): string => CONSEQUENCES[code] ?? code.replaceAll("_", " ");

type CheckClass = CheckProof["class"];

/** A check proves nothing until it has been seen to fail (D-193). */
export const CHECK_WORTH: Readonly<Record<CheckClass, Wording>> = {
  proved: { word: "Proved: was seen to fail", tone: "ok" },
  sensitive: { word: "Can fail", tone: "idle" },
  unproved: { word: "Never seen to fail", tone: "bad" },
  cannot_tell: { word: "Not known whether it can fail", tone: "stop" },
  not_possible: { word: "Cannot be tried away from the target", tone: "idle" },
};

/** `null` where nothing was looked at. */
export const worthOf = (proof: CheckClass | null): Wording =>
  proof === null ? { word: "Not looked at", tone: "idle" } : CHECK_WORTH[proof];

const SEEN: Readonly<Record<CheckProof["seen_red"][number], string>> = {
  before: "on the target before a change",
  history: "in an earlier run",
  decoy: "for a target that does not exist",
  control: "on an empty machine",
};

export const seenToFail = (places: CheckProof["seen_red"]): string =>
  places.length === 0
    ? "It has not been seen to fail."
    : `It has been seen to fail ${places.map((place) => SEEN[place]).join(", ")}.`;

/** Before a change it is usual that a check does not hold. */
export const ANSWERS_NOW: Readonly<Record<Look["answer"], Wording>> = {
  green: { word: "Holds now", tone: "ok" },
  red: { word: "Does not hold now", tone: "ask" },
  cannot_tell: { word: "Cannot tell now", tone: "stop" },
  not_possible: { word: "Could not be run now", tone: "idle" },
};
