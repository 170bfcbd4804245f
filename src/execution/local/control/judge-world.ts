// What the end of a check in a world says: red, green, or that the check itself could not run there.
import type { ControlLook, ControlWorld } from "./control-check.ts";
import type { WorldEnd } from "./run-world.ts";

/** A shell's exit codes for a program that could not be run or was ended by a signal. 255 is that of ssh. */
const isBroken = (code: number | null): boolean =>
  code !== null && (code === 126 || code === 127 || (code > 128 && code <= 192));

export function answerOf(end: WorldEnd, world: ControlWorld): ControlLook["answer"] {
  if (end.kind === "fault") return "not_possible";
  if (end.kind !== "ended") return "cannot_tell";
  // What the bare world lacks is what the check depends on.
  if (world === "bare") return end.exit_code === 0 ? "green" : "red";
  if (end.missing !== null || isBroken(end.exit_code)) return "cannot_tell";
  if (end.exit_code === 0) return "green";
  return end.absent.length === 0 ? "red" : "cannot_tell";
}

/** Null when there is an answer. */
export function sentenceOf(end: WorldEnd, answer: ControlLook["answer"], limit_ms: number): string | null {
  if (answer === "red" || answer === "green") return null;
  if (end.kind === "fault") return `no empty world can be made here: ${end.reason}`;
  if (end.kind === "stopped") return `it did not end within ${limit_ms / 1000} s`;
  if (end.kind === "lost") return "the world ended before the check did";
  const names = [...new Set([...(end.missing ?? []), ...end.absent])];
  if (names.length > 0) return `not found in the empty world: ${names.join(", ")}`;
  if (end.missing !== null) return "a program was not found in the empty world";
  return `it ended with ${end.exit_code}, as a program does that cannot run or that a signal ends`;
}
