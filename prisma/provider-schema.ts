// The model definition as each database needs it. prisma/schema.prisma is the one definition; only the provider and the
// place of the generated client differ, so the PostgreSQL schema is derived and never written by hand.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Provider } from "../src/store/sql.ts";

export const PROVIDERS: readonly Provider[] = ["sqlite", "postgresql"];

const DEFINITION = join(import.meta.dirname, "schema.prisma");

/** `definition` is the text of prisma/schema.prisma, today's unless another is given. */
export function providerSchema(provider: Provider, definition = readFileSync(DEFINITION, "utf8")): string {
  return definition
    .replace('provider = "sqlite"', `provider = "${provider}"`)
    .replace('"../src/store/generated/sqlite"', `"./${provider}"`);
}
