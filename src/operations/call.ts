// Calls an operation with the input of a request: the input schema parses it, and the output schema lets only its own fields
// through.
import { OrchError } from "../domain/errors.ts";
import { parseInput } from "../schema/parse-input.ts";
import type { AnyOperation, Caller } from "./operation.ts";
import type { OperationShape } from "./shape.ts";

export const isSubmit = ({ name }: Pick<OperationShape, "name">): boolean => name === "submit_task";

/** The code for input that does not parse. */
export const inputCode = (operation: Pick<OperationShape, "name">): "contract_invalid" | "input_invalid" =>
  isSubmit(operation) ? "contract_invalid" : "input_invalid";

/** Rejects with an OrchError that names every wrong field, or the reason of a refusal. */
export async function callOperation(operation: AnyOperation, input: unknown, caller: Caller): Promise<unknown> {
  const parsed = parseInput(operation.input, input);
  if (!parsed.ok) throw invalidInput(operation, parsed.issues);
  return operation.output.parse(await operation.handle(parsed.value, caller));
}

export function invalidInput(operation: Pick<OperationShape, "name">, issues: OrchError["issues"]): OrchError {
  const first = issues.slice(0, 3).map(({ path, message }) => `${path === "" ? "the input" : path} ${message}`);
  const more = issues.length > first.length ? `; and ${issues.length - first.length} more` : "";
  return new OrchError(inputCode(operation), `${first.join("; ")}${more}.`, { issues });
}
