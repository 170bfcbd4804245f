// Runs the commands of an agent in the network of its run. What a command tried to reach in vain is added to its errors, because a
// program that opens a tunnel shows no more than a number.
import type { TaskContract } from "../../../domain/contract.ts";
import type { StreamOutput } from "../output-ring.ts";
import type { CommandEnd, RunCommand } from "../run-command.ts";
import type { AgentNetworks } from "./agent-networks.ts";

/** The same for the commands of an agent that works on the contract. */
export type InNetwork = (runCommand: RunCommand, contract: TaskContract) => RunCommand;

export const withinNetworks =
  (networks: Pick<AgentNetworks, "enter">): InNetwork =>
  (runCommand, contract) =>
  async (command, abort) => {
    if (command.confinement === undefined) throw new TypeError("only a confined command has a network of its own");
    const network = await networks.enter(contract);
    if ("fault" in network) return { ran: false, reason: `the command could not be started: ${network.fault}` };
    try {
      const { entry, env } = network;
      const confinement = { ...command.confinement, network: entry };
      const end = await runCommand({ ...command, env: { ...command.env, ...env }, confinement }, abort);
      return end.ran ? { ...end, stderr: withSentences(end, network.refused()) } : end;
    } finally {
      network.leave();
    }
  };

function withSentences(
  { stdout, stderr }: Extract<CommandEnd, { ran: true }>,
  sentences: readonly string[],
): StreamOutput {
  const silent = sentences.filter((sentence) => !stdout.text.includes(sentence) && !stderr.text.includes(sentence));
  if (silent.length === 0) return stderr;
  const break_line = stderr.text === "" || stderr.text.endsWith("\n") ? "" : "\n";
  const added = `${break_line}${silent.map((sentence) => `${sentence}\n`).join("")}`;
  return { ...stderr, text: stderr.text + added, bytes: stderr.bytes + Buffer.byteLength(added) };
}
