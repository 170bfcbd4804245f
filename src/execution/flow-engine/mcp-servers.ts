// The tool servers that a flow is told of (spec section 2, context.mcp_servers): those that its steps call and that the
// contract has in its scope, no other. A token may be a reference to a variable of the engine, which the engine resolves
// when the job runs, so that the token itself is in no job's history.
import type { TaskContract } from "../../domain/contract.ts";
import type { Step } from "../../domain/step.ts";

export type ToolServerAddresses = ReadonlyMap<string, { readonly url: string; readonly token: string | null }>;

type Shown = { readonly url: string; readonly token: string };

/** By identifier as the steps write it; an unknown one is left out, and the step that calls it fails. */
export function mcpServersFor(
  steps: readonly Step[],
  { constraints }: TaskContract,
  known: ToolServerAddresses,
): { readonly [server: string]: Shown } {
  const scope = new Set(constraints.implicit_scope.map((entry) => entry.toLowerCase()));
  const used = new Set(steps.flatMap((step) => (step.kind === "mcp_call" ? [step.server] : [])));
  const shown = [...used].flatMap((server): [string, Shown][] => {
    const config = scope.has(server.toLowerCase()) ? known.get(server.toLowerCase()) : undefined;
    return config === undefined ? [] : [[server, { url: config.url, token: config.token ?? "" }]];
  });
  return Object.fromEntries(shown);
}
