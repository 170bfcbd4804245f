// What the scope of a contract says of a tool server and of the programs of a command.
import type { RuleFinding } from "../domain/finding.ts";
import type { CommandPrograms } from "../guard/guard.ts";

type Scoped = { readonly constraints: { readonly implicit_scope: readonly string[] } };

const PROGRAM = "cmd:";

/** Server names are ASCII by schema, so lower case on both sides compares them. */
export function serverScope(server: string, { constraints }: Scoped): readonly RuleFinding[] {
  const allowed = constraints.implicit_scope.some((entry) => entry.toLowerCase() === server.toLowerCase());
  if (allowed) return [];
  const reason = `server ${server} is not in implicit_scope; submit a contract that names it, or leave the step out`;
  return [{ verdict: "block", code: "scope.server", reason, command: null }];
}

/** Empty: the contract does not limit programs. */
export const allowedPrograms = ({ constraints }: Scoped): ReadonlySet<string> =>
  new Set(
    constraints.implicit_scope.filter((entry) => entry.startsWith(PROGRAM)).map((entry) => entry.slice(PROGRAM.length)),
  );

export function programScope(
  command: string,
  { programs, unresolved }: CommandPrograms,
  allowed: ReadonlySet<string>,
): readonly RuleFinding[] {
  const outside = programs
    .filter((program) => !allowed.has(program))
    .map(
      (program) => `program ${program} is not in implicit_scope; add cmd:${program} to a new contract, or leave it out`,
    );
  const hidden =
    "a program cannot be determined from the text while implicit_scope limits programs; write its name out";
  return [...outside, ...(unresolved ? [hidden] : [])].map((reason) => ({
    verdict: "block",
    code: "scope.program",
    reason,
    command,
  }));
}
