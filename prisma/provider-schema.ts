// The model definition as each database needs it (D-051). prisma/schema.prisma is the one definition; only the provider and
// the path of the generated client differ.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Provider } from "../src/store/sql.ts";

export const PROVIDERS: readonly Provider[] = ["sqlite", "postgresql"];

const DEFINITION = join(import.meta.dirname, "schema.prisma");

/** `definition` is the text of a schema; by default that of prisma/schema.prisma. */
export function providerSchema(provider: Provider, definition = readFileSync(DEFINITION, "utf8")): string {
  return definition
    .replace('provider = "sqlite"', `provider = "${provider}"`)
    .replace('"../src/store/generated/sqlite"', `"./${provider}"`);
}
