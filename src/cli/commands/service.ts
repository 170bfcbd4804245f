// Runs orch service install: reads the settings of the service as systemd does, and the secrets that the units load, writes
// the units and shows them. What starts a service is left to its administrator.
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { invalidConfig, setVariables } from "../../config/config.ts";
import { isSecret } from "../../config/secret-files.ts";
import { settingsIn } from "../../config/setting.ts";
import { SETTINGS } from "../../config/settings.ts";
import { UserName } from "../../config/values.ts";
import { type FieldIssue, OrchError } from "../../domain/errors.ts";
import { ROOT } from "../../own-file.ts";
import { type CommandContext, command } from "../context.ts";
import { EXIT, failed, tried } from "../failure.ts";
import { writeText } from "../files.ts";

/** What the units read at each start. */
const SETTINGS_FILE = "/etc/orch/orch.env";
const UNITS = "/etc/systemd/system";
const CREDENTIALS = "/etc/orch/credentials";

const Given = z.object({
  user: UserName.default("orch"),
  to: z.string().default(UNITS),
  print: z.boolean().default(false),
  force: z.boolean().default(false),
});

export const installService = command(Given, async (context, { user, to, print, force }) => {
  const service = await serviceOf(context, user);
  const units = unitsOf(service);
  const passing = service.program.filter(isPassing);
  if (passing.length > 0) context.out.note(passingNote(passing));
  const shown = Object.entries(units).flatMap(([name, text]) => [
    `# ${join(to, name)}`,
    ...text.trimEnd().split("\n"),
    "",
  ]);
  if (print) {
    context.out.answer({ units, written: [] }, () => shown.slice(0, -1));
    return EXIT.done;
  }
  const written: string[] = [];
  for (const [name, text] of Object.entries(units)) {
    const path = resolve(context.cwd, to, name);
    const done = await tried(writeText(context, path, text, { force, mode: 0o644 }));
    if (!done.ok) return failed({ ...done.failure, fix: "To see the units: orch service install --print" });
    written.push(path);
  }
  context.out.answer({ units, written }, () => [...shown, ...nextSteps(user)]);
  return EXIT.done;
});

/** A program that the next update of a home or of a cache takes away, or that the account of the service cannot read. */
export const isPassing = (path: string): boolean => /^\/(home|root)\/|\/_npx\//.test(path);

const passingNote = (paths: readonly string[]): string =>
  `The units run ${paths.join(" and ")}: a place of one account, or of a cache, which the account of the service may not read and an update may remove. Install orch and Node for all accounts, such as with npm install -g, and install the units again.`;

const nextSteps = (user: string): string[] => [
  "Written, and not enabled. What is left to do, as root:",
  `  id ${user} || useradd --system --create-home --home-dir /home/${user} --shell /usr/sbin/nologin ${user}`,
  "  systemctl daemon-reload",
  "  systemctl enable --now orch.service orch-backup.timer",
];

async function serviceOf(
  { environment, out }: Pick<CommandContext, "environment" | "out">,
  user: string,
): Promise<Service> {
  const { files: credentials, fault } = await readCredentials(CREDENTIALS);
  if (fault !== null) out.note(fault);
  const { drain_seconds, ignored, continued } = await readServiceSettings(SETTINGS_FILE, environment);
  if (ignored.length > 0)
    out.note(`${SETTINGS_FILE}, line ${ignored.join(", ")}: no NAME=value, so systemd leaves it out.`);
  if (continued.length > 0)
    out.note(
      `${SETTINGS_FILE}, line ${continued.join(", ")}: a comment that ends in \\: systemd before version 254 takes the next line for a part of it.`,
    );
  return {
    program: [process.execPath, join(ROOT, "src/orch.cjs")],
    user,
    drain_seconds,
    credentials,
  };
}

// The secrets that the units load: files of root in one directory, by the names of their variables.

type Credentials = {
  /** Files by the names of the secrets that they hold. */
  readonly files: Readonly<Record<string, string>>;
  /** Why they are not known, as a sentence: units without them would start a server without its secrets. */
  readonly fault: string | null;
};

export async function readCredentials(directory: string): Promise<Credentials> {
  try {
    const names = (await readdir(directory)).filter(isSecret);
    return { files: Object.fromEntries(names.map((name) => [name, join(directory, name)])), fault: null };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { files: {}, fault: null };
    const why = code === "EACCES" ? "run the command as root" : "it has to be a directory of files";
    return { files: {}, fault: `${directory} cannot be read (${code}), so the units load no secret from it: ${why}.` };
  }
}

// The settings of the service, which systemd reads from a file at each start: read by its rules here, so that a bad value is found before the
// service does not start.

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

// Writes the units of systemd: the server, a backup and its timer. What hardens a service and is left out here has a
// comment in the unit: steps deploy, use sudo and start containers, and their sandbox needs namespaces (D-367).

export type Service = {
  /** The program and its first arguments, as absolute paths. */
  readonly program: readonly string[];
  readonly user: string;
  readonly drain_seconds: number;
  /** Files by the names of the secrets that they hold. */
  readonly credentials: Readonly<Record<string, string>>;
};

/** A word of a command line in a unit, where % and $ have a meaning. */
const word = (text: string): string => {
  const escaped = text.replaceAll("%", "%%").replaceAll("$", "$$$$").replaceAll(/["\\]/g, "\\$&");
  return /[^\w%./:@+=,$-]/.test(text) ? `"${escaped}"` : escaped;
};

const lines = (...parts: readonly (string | readonly string[])[]): string => `${parts.flat().join("\n")}\n`;

/** The lines about account and credentials that the units of the server and of the backup share. */
const account = ({ user, credentials }: Service): string[] => {
  const loaded = Object.entries(credentials).map(([name, file]) => `LoadCredential=${name}:${word(file)}`);
  return [
    `User=${user}`,
    "# /var/lib/orch, for this account only.",
    "StateDirectory=orch",
    "StateDirectoryMode=0700",
    "CacheDirectory=orch",
    "CacheDirectoryMode=0700",
    "UMask=0077",
    "Environment=ORCH_DATA_DIR=%S/orch NODE_COMPILE_CACHE=%C/orch",
    "# Settings: one NAME=value a line. They are in docs/configuration.md.",
    "EnvironmentFile=-/etc/orch/orch.env",
    "# Secrets: files of root in /etc/orch/credentials with the names of their variables. Install again after a new one.",
    ...(loaded.length > 0 ? loaded : ["#LoadCredential=ORCH_TOKEN:/etc/orch/credentials/ORCH_TOKEN"]),
  ];
};

const HARDENING = [
  "ProtectKernelTunables",
  "ProtectKernelModules",
  "ProtectClock",
  "LockPersonality",
  "RestrictRealtime",
];

function serverUnit(service: Service): string {
  const program = service.program.map(word).join(" ");
  return lines(
    "[Unit]",
    "Description=orch, which operates what an LLM supervisor delegates",
    "Wants=network-online.target",
    "After=network-online.target postgresql.service docker.service",
    ["", "[Service]", "Type=exec"],
    account(service),
    `ExecStart=${program} serve`,
    "# The start is over when it serves. A server that needs longer, because its database is away, goes on trying: hence the -.",
    `ExecStartPost=-${program} ready --wait 30`,
    "# orch lets running steps finish, and then ends them; systemd ends what is left.",
    "KillMode=mixed",
    "# Longer than ORCH_DRAIN_SECONDS: install again after a change of it.",
    `TimeoutStopSec=${service.drain_seconds + 30}`,
    [
      "Restart=on-failure",
      "RestartSec=5",
      "# Another server has taken over the database.",
      "RestartPreventExitStatus=8",
    ],
    "# Not ProtectSystem, ProtectHome, PrivateTmp: steps deploy into the files of this machine.",
    "# Not PrivateDevices: steps look at disks.",
    "# Not RestrictNamespaces, SystemCallFilter: the sandbox of steps makes namespaces.",
    "# Not MemoryDenyWriteExecute: Node compiles while it runs.",
    "# Not NoNewPrivileges, CapabilityBoundingSet: steps use sudo where the account may. Before systemd 254, each of the following",
    "# implies NoNewPrivileges for a service with User=. Where no step needs sudo, use them:",
    HARDENING.map((setting) => `#${setting}=yes`),
    ["", "[Install]", "WantedBy=multi-user.target"],
  );
}

function backupUnit(service: Service): string {
  const program = service.program.map(word).join(" ");
  const file = "%S/orch/backups/orch-$$(date +%%Y%%m%%d-%%H%%M%%S).backup";
  return lines(
    ["[Unit]", "Description=a backup of orch", "", "[Service]", "Type=oneshot"],
    account(service).map((line) => (line === "StateDirectory=orch" ? "StateDirectory=orch orch/backups" : line)),
    "# In the file it is for the server: it loads an SDK for traces, which would be loaded here too.",
    "UnsetEnvironment=NODE_OPTIONS",
    `ExecStart=/bin/sh -c 'exec "$$@" "${file}"' sh ${program} backup`,
    "# Two weeks are kept. A copy on another machine is yours to make.",
    "ExecStartPost=/usr/bin/find %S/orch/backups -name orch-*.backup -mtime +14 -delete",
    ["Nice=10", "IOSchedulingClass=idle"],
  );
}

const backupTimer = (): string =>
  lines(
    ["[Unit]", "Description=a backup of orch every night", "", "[Timer]", "OnCalendar=*-*-* 03:17"],
    ["# A night in which the machine was off is made up for.", "Persistent=true", "RandomizedDelaySec=10m"],
    ["", "[Install]", "WantedBy=timers.target"],
  );

export const unitsOf = (service: Service): Readonly<Record<string, string>> => ({
  "orch.service": serverUnit(service),
  "orch-backup.service": backupUnit(service),
  "orch-backup.timer": backupTimer(),
});
