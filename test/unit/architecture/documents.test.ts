// What CONTRIBUTING.md promises of the documents, where nothing has to run for it. test/e2e/documents runs their commands.
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { COMMANDS } from "../../../src/cli/table/commands.ts";
import { CLIENT_SETTINGS, STUDIO_SETTINGS, TOOL_SERVER_SETTINGS } from "../../../src/config/other-settings.ts";
import { settingsIn } from "../../../src/config/setting.ts";
import { SETTINGS } from "../../../src/config/settings.ts";
import { GENERATED_PAGES } from "../../support/documents/generated-pages.ts";
import { faultOfLink, linkedFile, linksIn } from "../../support/documents/links.ts";
import { blocksOf, isGenerated, stepsOf } from "../../support/documents/page.ts";
import { DOCUMENTS, ROOT, textOf } from "./source-files.ts";

const isPage = (path: string) => path === "README.md" || /^docs\/(?!decisions\/)/.test(path);
const PAGES = DOCUMENTS.filter(isPage);
const GUIDES = PAGES.filter((path) => !isGenerated(textOf(path)) && !path.endsWith("CHANGELOG.md"));

/** Of all pages together. */
const MOST_NOT_RUN = 25;

test.each(Object.entries(GENERATED_PAGES))("%s is what npm run docs writes", async (path, write) => {
  expect(textOf(path)).toBe(await write());
});

test("every link of a document leads to a file, and to a heading where it names one", () => {
  const faults = DOCUMENTS.flatMap((from) =>
    linksIn(textOf(from)).flatMap((target) => faultOfLink(ROOT, from, target) ?? []),
  );
  expect(faults).toEqual([]);
});

test("every page can be reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const from of reached)
    for (const target of linksIn(textOf(from))) {
      const path = linkedFile(from, target);
      if (DOCUMENTS.includes(path)) reached.add(path);
    }
  expect(PAGES.filter((path) => !reached.has(path))).toEqual([]);
});

test("the README has at most 130 lines, and every guide at most 150", () => {
  const most = (path: string) => (path === "README.md" ? 130 : 150);
  expect(GUIDES.filter((path) => textOf(path).trimEnd().split("\n").length > most(path))).toEqual([]);
});

test("the README says how orch is called and connected from the package, and from a checkout", () => {
  const hosts = blocksOf(textOf("README.md")).flatMap(({ language, text }) =>
    language === "json" ? JSON.parse(text) : [],
  );
  const started = hosts.map(({ mcpServers }) => [mcpServers.orch.command, ...mcpServers.orch.args].join(" "));
  expect(started).toEqual([
    expect.stringMatching(/\/orch mcp$/),
    expect.stringMatching(/\/node_modules\/\.bin\/node \S+\/src\/orch\.ts mcp$/),
  ]);
  expect(textOf("README.md")).toContain("`npx orch`");
});

describe("every block of a page", () => {
  const lines = GUIDES.flatMap((path) => {
    const blocks = blocksOf(textOf(path));
    return blocks.map((block, at) => ({ ...block, at: `${path}:${block.line}`, before: blocks[at - 1]?.language }));
  });
  const faults = (isWrong: (block: (typeof lines)[number]) => boolean) => lines.filter(isWrong).map(({ at }) => at);

  test("has a language, and what a command prints is beside that command", () => {
    const isLoose = ({ language, not_run, before }: (typeof lines)[number]) =>
      language === "" || (language === "text" && not_run === null && before !== "sh");
    expect(faults(isLoose)).toEqual([]);
  });

  test("that is not run says why", () => {
    expect(faults(({ not_run }) => not_run !== null && not_run.length < 10)).toEqual([]);
    // A page whose commands are not run may say anything.
    expect(faults(({ not_run }) => not_run !== null).length).toBeLessThanOrEqual(MOST_NOT_RUN);
  });

  test("can be read where it is data", () => {
    const isBroken = { yaml: isNoYaml, json: isNoJson };
    expect(faults(({ language, text }) => language in isBroken && isBroken[language as "yaml" | "json"](text))).toEqual(
      [],
    );
  });
});

test("a page names commands and variables that exist", () => {
  const unknown = GUIDES.flatMap((path) => {
    const commands = [...namedCommands(textOf(path))].filter((name) => !KNOWN_COMMANDS.has(name));
    const variables = [...textOf(path).matchAll(VARIABLE)].map(([name]) => name).filter((name) => !isKnown(name));
    return [...commands, ...variables].map((name) => `${path}: ${name}`);
  });
  expect(unknown).toEqual([]);
});

const isNoYaml = (text: string): boolean => parseAllDocuments(text).some(({ errors }) => errors.length > 0);

function isNoJson(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

const KNOWN_COMMANDS = new Set([...COMMANDS.flatMap(({ name }) => [name, name.split(" ")[0] ?? ""]), "complete"]);
const VARIABLE = /\b(ORCH|AGENT|ROUTING|FLOWENGINE|SOP|MCP)_[A-Z][A-Z_]*[A-Z]\b/g;
const VARIABLES = new Set(
  [SETTINGS, CLIENT_SETTINGS, STUDIO_SETTINGS, TOOL_SERVER_SETTINGS]
    .flatMap(settingsIn)
    .map(({ variable }) => variable),
);
/** Of steps, not of orch. */
const OF_STEPS = /^ORCH_(TARGET_[A-Z_]+|TARGET|PAYLOAD|BEFORE|TASK_ID)$/;
const isKnown = (name: string): boolean =>
  VARIABLES.has(name) || OF_STEPS.test(name) || /^MCP_[A-Z]+_(URL|TOKEN|PEER)$/.test(name);

/** The commands after `orch `, in code of the text and in blocks that are run. */
function* namedCommands(page: string): Generator<string> {
  const commands = stepsOf(page).flatMap((step) => ("script" in step ? [step.script] : []));
  const inline = [...page.replaceAll(/^```.*?^```/gms, "").matchAll(/(`+)(.+?)\1/g)].map(([, , code = ""]) => code);
  for (const code of [...commands, ...inline])
    for (const [, name = ""] of code.matchAll(/(?:^|\s)orch ([a-z]+)/g)) yield name;
}
