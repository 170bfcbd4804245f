// orch new contract: a valid contract as a file, with what each field means.
import { stringify } from "yaml";
import { z } from "zod";
import { INTENTS, SentContract } from "../../domain/contract.ts";
import { printable } from "../../domain/printable.ts";
import { explain } from "../../operations/shapes/explain.ts";
import { type CommandContext, command } from "../context.ts";
import { ContractWords, contractFromWords } from "../contract-from-words.ts";
import { EXIT } from "../exit-codes.ts";
import { type Failure, failed, tried, usage } from "../failure.ts";
import { giveFile } from "../give-file.ts";
import { wrapped } from "../wrapped.ts";

const Given = ContractWords.extend({ out: z.string().optional(), force: z.boolean().default(false) });

export const newContract = command(Given, async (context, { out: file, force, ...words }) => {
  const contract = contractFromWords(context, words);
  const unknown = await unknownIntent(context, contract);
  if (unknown !== null) return failed(unknown);
  return giveFile(context, { file: textOf(contract) }, { file, force });
});

/** Only a running server knows the intents of its skills, so it is asked about one that is not orch's own. */
async function unknownIntent({ call }: CommandContext, contract: SentContract): Promise<Failure | null> {
  const { intent } = contract;
  if ((INTENTS as readonly string[]).includes(intent)) return null;
  const explained = await tried(call(explain, { contract }));
  if (explained.ok) return null;
  if (explained.failure.exit !== EXIT.unreachable) return explained.failure;
  const detail = `${printable(intent)} is not an intent of orch, and no server answers that could know it from a skill.`;
  return { ...usage(detail), fix: `An intent is one of: ${INTENTS.join(", ")}.` };
}

const WIDTH = 96;

function textOf(contract: SentContract): string {
  const fields = Object.entries(contract).map(([name, value]) => {
    const meaning = SentContract.shape[name as keyof typeof SentContract.shape]?.description;
    const comment = meaning === undefined ? [] : wrapped(meaning, WIDTH).map((line) => `# ${line}`);
    return [...comment, stringify({ [name]: value }, { lineWidth: 0 })].join("\n");
  });
  return ["# A task contract. Submit it with: orch submit FILE --wait", ...fields].join("\n");
}
