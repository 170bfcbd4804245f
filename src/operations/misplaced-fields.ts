// Refuses a contract with a known field that is misplaced or misspelt, at the operations that take a contract. One that is
// stored was taken before, so it is taken again.
import { z } from "zod";
import { isSameContract, SentContract } from "../domain/contract.ts";
import type { FieldIssue } from "../domain/errors.ts";
import { misplacedFields } from "../domain/unknown-fields.ts";
import type { OperationDeps } from "./deps.ts";
import type { WrongHere } from "./operation.ts";
import { completed, intentIssues } from "./submit-task.ts";

type Deps = Pick<OperationDeps, "store" | "intents">;

export const wrongInSubmit =
  (deps: Deps): WrongHere =>
  async (input) => {
    const { wait_seconds: _wait, ...contract } = Fields.safeParse(input).data ?? {};
    return [...intentIssues(deps)(input), ...(await misplacedIn(contract, () => isStored(deps, contract)))];
  };

export const wrongInExplain =
  (deps: Deps): WrongHere =>
  async (input) => {
    const { contract } = Fields.safeParse(input).data ?? {};
    return (await misplacedIn(contract, () => isStored(deps, contract))).map(inContract);
  };

export const Fields = z.record(z.string(), z.unknown());

export const inContract = ({ path, message }: FieldIssue): FieldIssue => ({ path: `contract.${path}`, message });

/** `isKnown`: it was taken before. */
export async function misplacedIn(contract: unknown, isKnown: () => Promise<boolean>): Promise<FieldIssue[]> {
  const issues = misplacedFields(contract);
  return issues.length === 0 || (await isKnown()) ? [] : issues;
}

async function isStored({ store }: Deps, contract: unknown): Promise<boolean> {
  const { data: sent } = SentContract.safeParse(contract);
  const task = sent === undefined ? null : await store.findTask(sent.task_id);
  return sent !== undefined && task !== null && isSameContract(task.contract, completed(sent, task.contract));
}
