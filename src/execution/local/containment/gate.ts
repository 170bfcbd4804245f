// The gate in front of a script (D-310): the shell is started, and waits until what it would do may be done. Without orch the pipe
// closes, and the shell ends without having run anything.
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";

/** The file of a shell at which its gate is. */
export const GATE = 3;

/**
 * Before the script, on its first line: a script is read line by line, and an error in that line is found before the gate. What it has
 * set is then as in a shell that was just started; it says that it goes through, so that its end is known to be that of the script.
 */
const passing = (length: number): string =>
  [
    `read -rN1 -u${GATE} && printf . >&${GATE} || exit 125; exec ${GATE}<&-; unset REPLY; SECONDS=0`,
    `BASH_EXECUTION_STRING=\${BASH_EXECUTION_STRING:${length}}; : /bin/bash; `,
  ].join("; ");
const PASS = passing(passing(100).length);

/** Bash becomes the last command of a list with && or ||, and does not where the list itself follows something. It is one list then. */
const IS_LIST = /&&|\|\|/;
const inList = (length: number): string => `{ ${passing(length)}} && `;
const PASS_LIST = inList(inList(100).length);

/** `a & b` would wait for the gate in another shell, and b would not. What is surely no such `&` is left out. */
const mayBeJob = (script: string): boolean =>
  /\\[&|<>]/.test(script) || script.replace(/&&|[<>]&[\d-]|&>|\|&/g, " ").includes("&");

/** These look at the text that a shell was started with, or at variables that only a new shell does not have. */
const NOTICES =
  /\b(?:cmdline|ps|pgrep|pidof|pkill|killall|pstree|h?top|lsof|PIPESTATUS|compgen|declare -p|typeset -p)\b|\b(?:set|declare|typeset)\s*(?:[;|&)>`\n]|$)/;

/** The script with the gate before it; null for one that would notice. */
export function atGate(script: string): string | null {
  if (NOTICES.test(script)) return null;
  if (!IS_LIST.test(script)) return PASS + script;
  return mayBeJob(script) ? null : PASS_LIST + script;
}

export type ShellGate = {
  /** Lets the script run. */
  readonly open: () => void;
  /** Whether the shell has gone through, once it has closed its side: it has, or it has ended. */
  readonly passed: Promise<boolean>;
};

export function gateOf(pipe: Readable | Writable | null | undefined): ShellGate {
  if (!(pipe instanceof Socket)) throw new TypeError("the gate of a process is a pipe");
  let hasPassed = false;
  const { promise: passed, resolve } = Promise.withResolvers<boolean>();
  pipe.on("data", () => (hasPassed = true));
  pipe.on("error", () => undefined);
  pipe.once("close", () => resolve(hasPassed));
  return { open: () => void pipe.end("."), passed };
}
