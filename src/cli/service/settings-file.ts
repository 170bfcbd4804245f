// The settings of the service, which systemd reads from a file at each start: read by its rules here, so that a bad value is found before the
// service does not start.
import { readFile } from "node:fs/promises";
import { invalidConfig, setVariables } from "../../config/config.ts";
import { settingsIn } from "../../config/setting.ts";
import { SETTINGS } from "../../config/settings.ts";
import { type FieldIssue, OrchError } from "../../domain/errors.ts";

type Environment = Readonly<Record<string, string | undefined>>;

type Found = { readonly drain_seconds: number } & Pick<ReturnType<typeof readSettings>, "ignored" | "continued">;

/** Rejects with `config_invalid`. `environment` has what the file does not set. */
export async function readServiceSettings(file: string, environment: Environment): Promise<Found> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    const message = `the settings in ${file} cannot be read (${error.code})`;
    throw new OrchError("config_invalid", message, { fix: "run the command as root", cause: error });
  });
  const { assignments, ...lines } = readSettings(text);
  const issues = faultsIn(assignments);
  if (issues.length > 0) throw invalidFile(file, issues);
  const { schema, variable } = SETTINGS.drain_seconds;
  const inFile = assignments.get(variable)?.value;
  const drain = schema.safeParse(inFile ?? setVariables(environment)[variable]);
  if (!drain.success) throw invalidConfig(drain.error.issues.map(({ message }) => ({ path: variable, message })));
  return { drain_seconds: drain.data, ...lines };
}

type Assignment = { readonly value: string; readonly line: number };
type Fault = FieldIssue & { readonly line: number };

function faultsIn(assignments: ReadonlyMap<string, Assignment>): Fault[] {
  return settingsIn(SETTINGS).flatMap(({ variable, schema }) => {
    const found = assignments.get(variable);
    const issues = found === undefined ? [] : (schema.safeParse(found.value).error?.issues ?? []);
    return issues.map(({ message }) => ({ path: variable, message, line: found?.line ?? 0 }));
  });
}

/** No message repeats a value: it may be a secret. */
function invalidFile(file: string, faults: readonly Fault[]): OrchError {
  const lines = faults
    .toSorted((one, other) => one.line - other.line)
    .map(({ path, message, line }) => `  line ${line}: ${path} ${message}`);
  return new OrchError("config_invalid", [`${file} is not valid:`, ...lines].join("\n"), {
    issues: faults.map(({ path, message }) => ({ path, message })),
    fix: `Correct ${file}; the service would not start. docs/configuration.md has every variable. Then install again.`,
  });
}

const NAME = /[ \t]*([A-Za-z_]\w*)[ \t]*=/y;
/** A quote that is not closed goes to the end of the file. */
const QUOTED = /[ \t]*(?:'[^']*(?:'|$)|"(?:[^"\\]|\\[\s\S])*(?:"|$))/y;
/** Quotes in it are ordinary characters. */
const PLAIN = /(?:[^\\\n]|\\[\s\S])*/y;
const LEFT_OUT = /[ \t\r]*(?:[#;][^\n]*)?(?=\n|$)/y;

/** systemd before 254 takes the next line to such a comment; after an escaped backslash it does not. */
const CONTINUED = /^[ \t\r]*[#;](?:.*[^\\])?(?:\\\\)*\\$/;
const SETS = /[ \t\r]*[^\s#;]/y;

/**
 * By name, the last one that has a value: an empty variable is not set. `ignored` are lines that systemd leaves out, `continued` those
 * of comments after which an older one leaves out a line that this version reads.
 */
export function readSettings(text: string) {
  const assignments = new Map<string, Assignment>();
  const ignored: number[] = [];
  const continued: number[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  for (let line = 1; at < text.length; at++) {
    const begun = at;
    if (take(LEFT_OUT) === null) {
      const name = take(NAME)?.[1];
      const parts: string[] = [];
      for (let part = name && take(QUOTED); part; part = take(QUOTED)) parts.push(part[0].trimStart());
      const value = [...parts.map(unquoted), plain(take(PLAIN)?.[0] ?? "")].join("");
      if (name === undefined) ignored.push(line);
      else if (value !== "") assignments.set(name, { value, line });
    } else if (CONTINUED.test(text.slice(begun, at)) && isSetAfter(text, at)) continued.push(line);
    line += text.slice(begun, at + 1).split("\n").length - 1;
  }
  return { assignments, ignored, continued };
}

function isSetAfter(text: string, end: number): boolean {
  SETS.lastIndex = end + 1;
  return SETS.test(text);
}

function unquoted(part: string): string {
  const [quote = ""] = part;
  const inner = part.length > 1 && part.endsWith(quote) ? part.slice(1, -1) : part.slice(1);
  return quote === "'"
    ? inner
    : inner.replaceAll(/\\(["\\`$\n])/g, (_all, character: string) => (character === "\n" ? "" : character));
}

const plain = (part: string): string =>
  part.trim().replaceAll(/\\([\s\S])/g, (_all, character: string) => (character === "\n" ? "" : character));
