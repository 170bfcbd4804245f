// docs/surface.json: what callers, operators and skills rely on, as the code has it. `npm run docs` writes it; a test compares, so
// that no release breaks it by accident.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import metadata from "../../package.json" with { type: "json" };
import { SHAPES } from "../../src/api/operations/shapes.ts";
import { EXIT } from "../../src/cli/failure.ts";
import { COMMANDS } from "../../src/cli/table/commands.ts";
import { CLIENT_SETTINGS, TOOL_SERVER_SETTINGS } from "../../src/config/other-settings.ts";
import { type SettingTree, settingsIn } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { TaskContract } from "../../src/domain/contract.ts";
import { ERROR_CODES } from "../../src/domain/errors.ts";
import { EVENT_BODIES, JOURNAL_LEVEL } from "../../src/domain/journal.ts";
import { TASK_STATUSES } from "../../src/domain/outcome.ts";
import { REASON_CODES } from "../../src/domain/reason-code.ts";
import { Evidence } from "../../src/engine/evidence/bundle.ts";
import { jsonSchemaOf } from "../../src/schema/json-schema.ts";
import { SopFile } from "../../src/schema/sop-file.ts";
import { manifest } from "../../src/tools/dist/manifest.ts";

const FILE = join(import.meta.dirname, "../../docs/surface.json");

export const writtenSurface = async (): Promise<unknown> => JSON.parse(await readFile(FILE, "utf8"));

/** `name` for a field that must be there, `name?` for another. */
function fieldsOf(schema: z.ZodType, io: "input" | "output"): string {
  const { properties = {}, required = [] } = jsonSchemaOf(schema, io);
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(" ");
}

const operations = () =>
  SHAPES.map(
    ({ name, method, path, scope, input, output, ...rest }) =>
      [
        name,
        {
          http: `${method} ${path}`,
          tool: !("no_tool" in rest),
          scope,
          input: fieldsOf(input, "input"),
          output: fieldsOf(output, "output"),
        },
      ] as const,
  );

const commands = () =>
  COMMANDS.map(
    ({ name, arguments: given = [], options = [] }) =>
      [name, [...given, ...options].map(([flags]) => flags).join(" ")] as const,
  );

const variables = (...trees: SettingTree[]) =>
  trees
    .flatMap(settingsIn)
    .map(({ variable, secret }) => (secret === undefined ? variable : `${variable} (or ${variable}_FILE)`));

export const surface = () => ({
  operations: Object.fromEntries(operations()),
  files: {
    contract: fieldsOf(TaskContract, "input"),
    sop: fieldsOf(SopFile, "input"),
    evidence: fieldsOf(Evidence, "output"),
    "evidence versions": [...Evidence.shape.bundle_version.values],
  },
  events: Object.fromEntries(Object.entries(EVENT_BODIES).map(([kind, body]) => [kind, fieldsOf(body, "output")])),
  "journal level": JOURNAL_LEVEL,
  statuses: TASK_STATUSES,
  "reason codes": REASON_CODES,
  "error codes": ERROR_CODES,
  environment: variables(SETTINGS, TOOL_SERVER_SETTINGS, CLIENT_SETTINGS),
  commands: Object.fromEntries(commands()),
  "exit codes": EXIT,
  exports: Object.keys(manifest().exports),
  programs: Object.keys(metadata.bin),
});

if (import.meta.main) await writeFile(FILE, `${JSON.stringify(surface(), null, 2)}\n`);
