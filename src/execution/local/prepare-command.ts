// What is added to a command because of who has written it, and of who could write where it works: its confinement (D-246), and that
// git runs nothing (D-254).
import type { TaskContract } from "../../domain/contract.ts";
import { allowsGit, writableIn } from "../../domain/step-run.ts";
import type { AgentPlaces } from "./agent-places.ts";
import type { Confinement } from "./containment/containment.ts";
import { GIT_SWITCHED_OFF, runByGit } from "./git-config.ts";
import type { ShellCommand } from "./run-command.ts";
import { inRoots } from "./working-directory.ts";

/** `refused` says why the command must not run. */
export type PrepareCommand = (
  command: ShellCommand,
  contract: TaskContract,
) => Promise<ShellCommand | { readonly refused: string }>;

type Roots = { readonly places: AgentPlaces; readonly compose_roots: readonly string[] | null };

/** Of agents: they write what their contract names, and where that is, is on record before the first of them runs. */
export const prepareConfined =
  (confinement: Confinement, { places, compose_roots }: Roots): PrepareCommand =>
  async (command, contract) => {
    const { compose_dir } = contract.target;
    const named = await inRoots(writableIn(contract), compose_roots);
    const writable = [...confinement.writable, ...(compose_dir === undefined ? [] : [compose_dir]), ...named];
    await places.note(writable);
    return { ...command, confinement: { ...confinement, run: contract.task_id, writable } };
  };

/** Of procedures; with a confinement, of looks at them. */
export const preparePlain =
  (places: AgentPlaces, confinement?: Confinement): PrepareCommand =>
  async (given, contract) => {
    const command = confinement === undefined ? given : { ...given, confinement };
    if (!places.includes(command.cwd) || allowsGit(contract)) return command;
    const keys = await runByGit(command.cwd);
    if (keys.length > 0) return { refused: refusal(command.cwd, keys) };
    return { ...command, env: { ...command.env, ...GIT_SWITCHED_OFF } };
  };

const SHOWN = 5;

const refusal = (cwd: string, keys: readonly string[]): string =>
  `an agent could write in ${cwd}, and git may run what is configured there: ${keys.slice(0, SHOWN).join(", ")}${keys.length > SHOWN ? ", ..." : ""}; remove it, or name git:config in implicit_scope`;
