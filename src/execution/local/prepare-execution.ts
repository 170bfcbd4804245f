// What is settled before the first task is taken up: what a lost server has left running is ended, and what about this
// place deserves a warning is found out.
import { mkdir } from "node:fs/promises";
import { OrchError } from "../../domain/errors.ts";
import type { Sandbox } from "./containment/choose-sandbox.ts";
import { endLeftoverGroups } from "./runner/leftover-groups.ts";
import { checkSurroundings } from "./surroundings-check.ts";

type Surroundings = Parameters<typeof checkSurroundings>[0] & {
  readonly sandbox: Sandbox;
  /** Where groups are noted while they run; created when it is missing. */
  readonly running_dir: string;
};

type Told = { readonly message: string } & Readonly<Record<string, unknown>>;

const GRACE_MS = 5_000;

/** Sentences for the log, each with the facts that belong to it. */
export async function prepareExecution({ running_dir, ...surroundings }: Surroundings): Promise<Told[]> {
  await mkdir(running_dir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    const message = `The directory ${running_dir} cannot be created (${error.code}). Set ORCH_DATA_DIR to one that can.`;
    throw new OrchError("config_invalid", message, { cause: error });
  });
  const leftovers = await endLeftoverGroups(running_dir, GRACE_MS);
  const told = leftovers.map((leftover) => ({ ...leftover, message: leftover.ended ? ENDED : NOT_ENDED }));
  return [...told, ...(await checkSurroundings(surroundings))];
}

const ENDED = "a command that a lost server had left running was ended: look at what it may have done by half.";
const NOT_ENDED = "a command that a lost server had left running could not be ended: end it by hand.";
