// What outlives a shell process: files, links, containers, settings of git. The steps of a plan, and the calls of an agent's
// run, are processes of their own in one world, so each is judged with what the ones before it left there.
import type { PastCommand, State, World } from "./state.ts";

const OF_A_PROCESS = /^\/(dev|proc)\//;
/** The oldest are forgotten. */
const MAX_PAST = 4096;

/** `past` is of the text that has ended in this state. */
export function worldAfter({ io, bindings: { gitAliases } }: State, past: readonly PastCommand[]): World {
  const { copies, links, containers, volumes, others } = io;
  const files = [...io.files.keys()].some((path) => OF_A_PROCESS.test(path))
    ? new Map([...io.files].filter(([path]) => !OF_A_PROCESS.test(path)))
    : io.files;
  return {
    files,
    copies,
    links,
    containers,
    volumes,
    others,
    gitAliases,
    past: past.slice(-MAX_PAST),
    isPayloadUnresolved: io.payload.isUnresolved,
  };
}
