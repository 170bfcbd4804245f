// Carries what outlives a shell process to the next one: files, links, containers, settings of git. The steps of a plan, and the
// calls of an agent's run, are processes of their own in one world, so each is judged with what the ones before it left there.
import type { PastCommand, State, World } from "./state.ts";

/** Characters of all texts and words in it. More is not followed any further, so that no plan fills the memory of who judges. */
const WORLD_MAX_LENGTH = 8_388_608;

const LENGTHS = new WeakMap<World, number>();

export function isTooLarge(world: World): boolean {
  const length = LENGTHS.get(world) ?? lengthOf(world);
  LENGTHS.set(world, length);
  return length > WORLD_MAX_LENGTH;
}

const lengthOf = ({ files, others, gitAliases, past }: World): number =>
  [files, gitAliases, ...others.values()].reduce((sum, table) => sum + lengthOfTable(table), 0) +
  past.reduce((sum, { argv, stdin }) => sum + lengthOfAll(argv) + lengthOfAll(stdin ?? []), 0);

function lengthOfTable(table: ReadonlyMap<string, readonly string[]>): number {
  let length = 0;
  for (const [name, texts] of table) length += name.length + lengthOfAll(texts);
  return length;
}

const lengthOfAll = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

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
