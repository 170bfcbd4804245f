// docs/configuration.md, from the table of settings.
import { CLIENT_SETTINGS, STUDIO_SETTINGS, TOOL_SERVER_SETTINGS } from "../../../src/config/other-settings.ts";
import type { Setting, SettingTree } from "../../../src/config/setting.ts";
import { settingsIn } from "../../../src/config/setting.ts";
import { SETTINGS } from "../../../src/config/settings.ts";

const INTRODUCTION = `# Configuration

<!-- Written by \`npm run docs\` from src/config. -->

orch reads its configuration from the environment, once, when it starts. An empty variable is not set. A server does not start
with a wrong value: it reports every fault at once. \`orch doctor\` checks the same and finds misspelt names. Values marked
*secret*, and passwords in URLs, are redacted from the log and from the output of commands and tools. What a contract or
a step contains itself is shown as it is: an approval has to show what runs.

Try one: \`ORCH_CONCURRENCY=2 ORCH_PORT=3401 orch serve\` runs two tasks at a time, on another port.
A value marked *secret or file*, or *or file*, can be in a file: \`ORCH_TOKEN_FILE=/run/secrets/orch-token\` in the place of \`ORCH_TOKEN\`,
and \`MCP_NOTES_TOKEN_FILE\` in that of \`MCP_NOTES_TOKEN\`. The path is absolute, and the end of the last line does not count. A service of
systemd has its credentials found by their names: \`LoadCredential=ORCH_TOKEN:/etc/orch/token\`.
`;

const SECTIONS: readonly (readonly [title: string, text: string, settings: SettingTree])[] = [
  ["The server", "", SETTINGS],
  [
    "Tool servers",
    "One pair for each server. `NAME` has at most 32 capital letters, digits and underscores; steps and contracts use it in\nlower case.",
    TOOL_SERVER_SETTINGS,
  ],
  [
    "The command line",
    "The command line also reads `ORCH_HOST`, `ORCH_PORT`, `ORCH_DATA_DIR`, `ORCH_TOKEN` and `ORCH_APPROVER_TOKEN`.",
    CLIENT_SETTINGS,
  ],
  ["LangGraph Studio", "", STUDIO_SETTINGS],
];

const SKILLS = `## Skills

A skill may read variables of its own. The notes skill reads \`NOTES_TOOLSET\`: \`auto\` (the default), \`subtree\`, \`organizer\` or
\`children_list\`, which says how the notes server is called.
`;

export function configurationPage(): string {
  const sections = SECTIONS.flatMap(([title, text, settings]) => [
    `## ${title}`,
    ...(text === "" ? [] : [text]),
    ["| variable | default | |", "|---|---|---|", ...settingsIn(settings).map(row)].join("\n"),
  ]);
  return `${[INTRODUCTION, ...sections, SKILLS].join("\n\n").replace(/\n{3,}/g, "\n\n")}`;
}

const MARKS = { value: " (*secret or file*)", password: " (*or file*)", none: "" } as const;

const row = (setting: Setting): string =>
  `| \`${setting.variable}\` | ${defaultOf(setting)} | ${setting.about}${MARKS[setting.secret ?? "none"]} |`;

function defaultOf({ schema, default_text }: Setting): string {
  if (default_text !== undefined) return default_text;
  const value: unknown = schema.parse(undefined);
  const isNone = value === null || value === false || (Array.isArray(value) && value.length === 0);
  return isNone ? "none" : `\`${value}\``;
}
