// Runs the commands on task contracts: orch submit, run, new contract, explain.
import { stringify } from "yaml";
import { z } from "zod";
import { explain } from "../../api/operations/shapes/explain.ts";
import { getTask, submitTask } from "../../api/operations/shapes/tasks.ts";
import { INTENTS, SentContract } from "../../domain/contract.ts";
import { printable } from "../../domain/printable.ts";
import { type CommandContext, command } from "../context.ts";
import { ContractWords, contractFromWords } from "../contract-from-words.ts";
import { EXIT, type Failure, failed, tried, usage } from "../failure.ts";
import { giveFile, inFile, readDocument } from "../files.ts";
import { followTask } from "../follow-task.ts";
import { WaitOption } from "../option-values.ts";
import { explanationLines } from "../show-explanation.ts";
import { warningLines } from "../show-sop.ts";
import { wrapped } from "../text-format.ts";
import { showTask } from "../wait-for-task.ts";

// orch submit: submits a contract from a file.

const Submitted = z.object({ file: z.string(), wait: WaitOption, follow: z.boolean().default(false) });

export const submit = command(Submitted, async (context, { file, wait, follow }) => {
  const contract = await readDocument(context, file);
  // Read first: the answer to a repeated contract does not say that its task is older.
  const known = await tried(context.call(getTask, { task_id: contract["task_id"] }));
  const view = await inFile(file, context.call(submitTask, contract));
  if (known.ok) context.out.note("orch: this contract was submitted before; its task does not run again");
  return follow ? followTask(context, view.task_id) : showTask(context, view, wait);
});

// orch run: submits a contract that is written on the command line.

const Run = ContractWords.extend({ wait: WaitOption, follow: z.boolean().default(false) });

export const run = command(Run, async (context, { wait, follow, ...words }) => {
  const contract = contractFromWords(context, words);
  const view = await context.call(submitTask, contract);
  return follow ? followTask(context, view.task_id) : showTask(context, view, wait);
});

// orch new contract: a valid contract as a file, with what each field means.

const New = ContractWords.extend({ out: z.string().optional(), force: z.boolean().default(false) });

export const newContract = command(New, async (context, { out: file, force, ...words }) => {
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

// orch explain: what would happen to a contract, and what policy sees in each step.

const Explained = z.object({ file: z.string(), steps: z.string().optional() });

export const explainContract = command(Explained, async (context, { file, steps: stepsFile }) => {
  const { call, out } = context;
  const contract = await readDocument(context, file);
  const lesson = stepsFile === undefined ? null : await readDocument(context, stepsFile);
  const { steps, safety_level } = lesson ?? {};
  if (lesson !== null && steps === undefined) return failed(usage(`${stepsFile} has no field steps.`));
  const files = stepsFile === undefined ? file : `${file}, ${stepsFile}`;
  const explanation = await inFile(files, call(explain, { contract, steps, safety_level }));
  for (const line of warningLines(explanation.warnings)) out.note(line);
  out.answer(explanation, () => explanationLines(explanation, out));
  return EXIT.done;
});
