// The tool servers in the arguments of a flow [2.flow_input.context]: only those that its steps call and that are in the
// scope of the contract. A token may be a reference to a variable of the engine. The engine resolves it when the job runs,
// so that no history of a job contains the token.
import type { TaskContract } from "../../domain/contract.ts";
import type { Step } from "../../domain/step.ts";

export type ToolServerAddresses = ReadonlyMap<string, { readonly url: string; readonly token: string | null }>;

type ServerArgument = { readonly url: string; readonly token: string };

/** The keys are the identifiers as the steps write them. An unknown server is left out, and the step that calls it fails. */
export function mcpServersFor(
  steps: readonly Step[],
  { constraints }: TaskContract,
  known: ToolServerAddresses,
): { readonly [server: string]: ServerArgument } {
  const scope = new Set(constraints.implicit_scope.map((entry) => entry.toLowerCase()));
  const used = new Set(steps.flatMap((step) => (step.kind === "mcp_call" ? [step.server] : [])));
  const entries = [...used].flatMap((server): [string, ServerArgument][] => {
    const config = scope.has(server.toLowerCase()) ? known.get(server.toLowerCase()) : undefined;
    return config === undefined ? [] : [[server, { url: config.url, token: config.token ?? "" }]];
  });
  return Object.fromEntries(entries);
}
