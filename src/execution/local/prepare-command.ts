// Adds to a command what its text, its author and its directory require: which part of a pipeline decides, its sandbox (D-246),
// and that git runs nothing (D-254).
import { realpath } from "node:fs/promises";
import type { TaskContract } from "../../domain/contract.ts";
import { allowsGit, writableIn } from "../../domain/step-run.ts";
import { readPipes } from "../../proof/proof.ts";
import { underAllNames } from "../sandbox/mounts.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { writableIn as writableOf } from "../sandbox/space-plan.ts";
import { type AgentPlaces, placesNear, plantedLink } from "./agent-places.ts";
import { inRoots } from "./environment.ts";
import { runByGit, switchedOff, switchedOffIn } from "./git-config.ts";
import type { ShellCommand } from "./run-command.ts";

/** `refused` says why the command must not run. */
export type PrepareCommand = (
  command: ShellCommand,
  contract: TaskContract,
) => Promise<ShellCommand | { readonly refused: string }>;

type Roots = { readonly places: AgentPlaces; readonly compose_roots: readonly string[] | null };

/** Of agents: they write what their contract names, and where that is, is on record before the first of them runs. */
export const prepareConfined =
  (sandbox: Sandbox, { places, compose_roots }: Roots): PrepareCommand =>
  async (given, contract) => {
    const command = withPipes(given);
    const { compose_dir } = contract.target;
    const named = await inRoots(writableIn(contract), compose_roots);
    const directories = [...(compose_dir === undefined ? [] : [compose_dir]), ...named];
    const link = await firstPlantedLink(directories, underAllNames(places.all()));
    if (link !== null) return { refused: linkRefusal(link) };
    const moved = await movedSince(command, contract);
    if (moved !== null) return { refused: moved };
    // A link that takes the place of one of them later is another path.
    const writable = await Promise.all(
      [...writableOf(sandbox), ...directories].map((path) => realpath(path).catch(() => path)),
    );
    await places.note(writable);
    return { ...command, sandbox: { ...sandbox, run: contract.task_id, writable } };
  };

/** Of procedures; with a sandbox, of looks at them. */
export const preparePlain =
  (places: AgentPlaces, sandbox?: Sandbox): PrepareCommand =>
  async (given, contract) => {
    const all = underAllNames(places.all());
    const piped = withPipes(given);
    // What an agent has left is not there for what is not approved, by any name.
    const command =
      sandbox === undefined ? piped : { ...piped, sandbox: { ...sandbox, hidden: [...sandbox.hidden, ...all] } };
    if (all.length === 0) return command;
    const link = await firstPlantedLink([contract.target["compose_dir"] ?? "/"], all);
    if (link !== null) return { refused: linkRefusal(link) };
    const moved = await movedSince(command, contract);
    if (moved !== null) return { refused: moved };
    const near = placesNear(command, all);
    if (near.length > 0 && sandbox !== undefined) return { refused: notApproved(near) };
    if (allowsGit(contract)) return command;
    if (near.length === 0) return { ...command, env: { ...command.env, ...switchedOffIn(all) } };
    const { keys, repositories } = await runByGit(near);
    if (keys.length > 0) return { refused: refusal(near, keys) };
    return { ...command, env: { ...command.env, ...(await switchedOff(command.cwd, near, repositories)) } };
  };

/** A writer that its reader has stopped is no failure of the pipeline (D-411). */
const withPipes = (command: ShellCommand): ShellCommand =>
  readPipes(command.script, command).last_part_decides ? { ...command, last_part_decides: true } : command;

async function firstPlantedLink(paths: readonly string[], places: readonly string[]): Promise<string | null> {
  const links = await Promise.all(paths.map((path) => plantedLink(path, places)));
  return links.find((link) => link !== null) ?? null;
}

/** The directory was found before the first command of the run, maybe by a link that is there no more. */
async function movedSince({ cwd }: ShellCommand, { target }: TaskContract): Promise<string | null> {
  const { compose_dir } = target;
  if (compose_dir === undefined || (await realpath(compose_dir).catch(() => null)) === cwd) return null;
  return `${compose_dir} was ${cwd} when the run began, and is not any more`;
}

const SHOWN = 5;

const linkRefusal = (link: string): string =>
  `${link} is a link that an agent could have made, and leads to another directory; name that one, or remove the link`;

/** Programs read their configuration there: a look may run more than its words say. */
const notApproved = (places: readonly string[]): string =>
  `an agent could write in ${places.join(", ")}, so nothing is tried there before it is approved`;

const refusal = (places: readonly string[], keys: readonly string[]): string =>
  `an agent could write in ${places.join(", ")}, and git may run what is configured there: ${keys.slice(0, SHOWN).join(", ")}${keys.length > SHOWN ? ", ..." : ""}; remove it, or name git:config in implicit_scope`;
