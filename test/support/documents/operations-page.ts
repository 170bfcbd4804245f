// docs/api.md: every operation, from the one table that HTTP, MCP and the command line derive from.

import type { OperationShape } from "../../../src/api/operations/operation.ts";
import { SHAPES } from "../../../src/api/operations/shapes.ts";
import { COMMANDS } from "../../../src/cli/table/commands.ts";

const INTRODUCTION = `# The operations

<!-- Written by \`npm run docs\` from src/api/operations. -->

Everything that can be asked of orch is one of these operations, with the same input and the same answer over [HTTP](http.md), over
[MCP](mcp.md) (a tool of the same name) and on the [command line](command-line.md). \`/openapi.json\` has every field, and \`/docs\` of a server shows
them to be tried. A token without the scope gets 403; a token of callers has all scopes but \`approve\` where \`ORCH_APPROVER_TOKEN\` is set, and that
one has \`read\` and \`approve\`.

Try one: \`curl -H "Authorization: Bearer $(cat ~/.local/state/orch/token)" http://127.0.0.1:3400/v1/inbox\``;

export function operationsPage(): string {
  const rows = SHAPES.map((shape) => {
    const name = "no_tool" in shape ? `\`${shape.name}\` (no tool)` : `\`${shape.name}\``;
    return `| ${name} | \`${shape.method} ${shape.path}\` | ${scopesOf(shape)} | ${commandsOf(shape.name)} | ${shape.summary} |`;
  });
  const table = ["| operation | HTTP | scope | command | |", "|---|---|---|---|---|", ...rows].join("\n");
  return `${INTRODUCTION}\n\n${table}\n`;
}

const scopesOf = ({ scope, or_scope }: Pick<OperationShape, "scope" | "or_scope">): string =>
  or_scope === undefined ? scope : `${scope} or ${or_scope}`;

const commandsOf = (operation: string): string =>
  COMMANDS.filter(({ calls }) => calls?.some((call) => call.operation === operation))
    .map(({ name }) => `\`orch ${name}\``)
    .join(", ");
