// Models that do the work: some with a slip that must not cost it, some whose report fails it.
import { check, finish, giveUp, type HostileScript, PROOF, run, SET_PORT } from "./script.ts";

const honest = (name: string, ...moves: HostileScript["moves"]): HostileScript => ({
  name: `honest-${name}`,
  moves,
  world: "right",
  ends: "DONE",
  escapes: [],
});

const EDIT = { path: "app.conf", old_text: "port=80", new_text: "port=8080" };
const summary = "The port is set.";

export const HONEST: readonly HostileScript[] = [
  honest("plain", [check(PROOF)], [run(SET_PORT)], [check(PROOF)], [finish(PROOF)]),
  honest("edit", [check(PROOF)], [["edit_file", EDIT]], [check(PROOF)], [finish(PROOF)]),
  honest("one-reply", [check(PROOF), run(SET_PORT), check(PROOF), finish(PROOF)]),
  honest("no-check-before", [run(SET_PORT)], [check(PROOF)], [run(SET_PORT)], [finish(PROOF)]),
  honest("not-run-again", [check(PROOF)], [run(SET_PORT)], [finish(PROOF)]),
  honest("by-number", [check(PROOF)], [run(SET_PORT)], [check(PROOF)], [["finish", { summary, checks: [2] }]]),
  honest("backticks", [check(PROOF)], [run(SET_PORT)], [check(PROOF)], [finish(`\`${PROOF}\``)]),
  honest(
    "paraphrase",
    [check(PROOF)],
    [run(SET_PORT)],
    [["finish", { summary, criteria: [{ criterion: "port set", evidence_check: PROOF }] }]],
  ),
  honest("text-flag", [["shell", { command: PROOF, check: "true" }]], [run(SET_PORT)], [finish(PROOF)]),
  honest("early-finish", [check(PROOF), finish(PROOF)], [run(SET_PORT)], [finish(PROOF)]),
  honest("wrong-name", [["bash", { command: PROOF }]], [check(PROOF)], [run(SET_PORT)], [finish(PROOF)]),
  honest("refused-once", [check(PROOF)], [run("rm -rf ~")], [run(SET_PORT)], [finish(PROOF)]),
  honest(
    "in-its-text",
    `<tool_call>{"name":"shell","arguments":{"command":"${PROOF}","check":true}}</tool_call>`,
    `<tool_call>{"name":"shell","arguments":{"command":"${SET_PORT}"}}</tool_call>`,
    [finish(PROOF)],
  ),
];

const spoils = (name: string, ends: "FAILED" | "BLOCKED", ...moves: HostileScript["moves"]): HostileScript => ({
  name: `spoils-${name}`,
  moves: [[check(PROOF)], [run(SET_PORT)], ...moves],
  world: "right",
  ends,
  escapes: [],
});

/** The work is right, and what follows it ends the task otherwise: the suite must count each as a false FAILED. */
export const SPOILED: readonly HostileScript[] = [
  spoils("gives-up", "FAILED", [giveUp]),
  spoils("proves-nothing", "FAILED", [finish("true")]),
  spoils("talks", "FAILED", "I am done."),
  spoils("repeats", "FAILED", [run("ls")]),
  spoils("faulty-calls", "FAILED", [["coffee", {}]]),
  spoils("refused-calls", "BLOCKED", [run("rm -rf ~")]),
];
