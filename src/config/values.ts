// The kinds of values that variables hold. No message repeats a value: it may be a secret.
import { realpathSync } from "node:fs";
import { isIP } from "node:net";
import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { Label, sorted } from "../domain/contract.ts";
import { isTimezone } from "../engine/tasks/wall-clock.ts";

// Reads the time zone of the machine, as schedules and freeze windows use it. What TZ says in another form than a name of IANA is UTC.

type MachineZone = {
  readonly zone: string;
  /** Why it is UTC, for operators; null where the zone is known. */
  readonly fault: string | null;
};

export function machineZone(tz: string | undefined = process.env["TZ"]): MachineZone {
  if (tz === undefined) {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return isTimezone(timeZone) ? known(timeZone) : unknown("The time zone of the machine cannot be read");
  }
  const name = nameIn(tz);
  return name !== "" && isTimezone(name) ? known(name) : unknown(`TZ=${JSON.stringify(tz)} names no time zone of IANA`);
}

const known = (zone: string): MachineZone => ({ zone, fault: null });

const unknown = (why: string): MachineZone => ({
  zone: "UTC",
  fault: `${why}, so schedules and freeze windows use UTC; set TZ to a name such as Europe/Berlin`,
});

/** `:Europe/Berlin` and `posix/Europe/Berlin` are names too; a path such as `:/etc/localtime` may lead to one. */
function nameIn(tz: string): string {
  const text = tz.replace(/^:/, "");
  return (text.startsWith("/") ? fileOf(text) : text).replace(/^(.*\/zoneinfo\/)?((posix|right)\/)?/, "");
}

function fileOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

export const whole = (min: number, max: number, fallback: number) => wholeNumber(min, max).default(fallback);

/** Null when the variable is not set. */
export const orNull = <S extends z.ZodType>(schema: S) =>
  schema.nullable().default(null as z.core.util.NoUndefined<z.output<S> | null>);

/** Null for 0, which is no limit. */
export const limit = (min: number, max: number, fallback: number) =>
  wholeNumber(0, max)
    .refine((value) => value === 0 || value >= min, { error: `must be 0, which is no limit, or from ${min} to ${max}` })
    .transform((value) => (value === 0 ? null : value))
    .default(fallback);

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

export const HttpUrl = z.string().refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
  error: "must be an http or https URL",
});

/** Absolute. */
export const Directory = z.string().transform((path) => resolve(path));

export const Paths = z
  .string()
  .transform((text) => text.split(":"))
  .refine((all) => all.every(isAbsolute), { error: "must be absolute paths separated by colons" });

/** Absolute. */
export const File = z.string().refine(isAbsolute, { error: "must be the absolute path of a file" });

const MAX_LABELS = 64;

/** Labels of a server. */
export const ServerLabels = z
  .string()
  .transform((text) => sorted(text.split(",").map((part) => part.trim())))
  .refine((all) => all.length <= MAX_LABELS && all.every((one) => Label.safeParse(one).success), {
    error: `must be at most ${MAX_LABELS} labels such as docker or host:nas, separated by commas: a lower case letter, then letters, digits or any of : _ . -`,
  });

export const UserName = z.string().regex(/^[a-z_][a-z0-9_.-]{0,31}$/i, "must be the name of a user");

/** Of this server among those that share a database. */
export const ServerName = z
  .string()
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/, "must be at most 64 letters, digits, dots, hyphens or underscores");
export const ModelName = z.string().max(256, "must be the name of a model");

/** As Ollama reads it: a number of seconds, or numbers with their units. */
export const KeepAlive = z
  .string()
  .regex(
    /^-?(\d{1,9}|(\d{1,9}(\.\d{1,3})?(ms|s|m|h)){1,4})$/,
    "must be a duration such as 30m or 24h, a number of seconds, or -1",
  );

/** Where a model is served. */
export const ModelUrl = HttpUrl.refine(
  (text) => !URL.canParse(text) || !/@/.test(new URL(text).href.split("/")[2] ?? ""),
  { error: "must not hold a user name or password: the client of the model would refuse every request" },
);

export const Token = z
  .string()
  .regex(
    /^[\w.~+/=-]{32,512}$/,
    "must be 32 to 512 letters, digits or any of . _ ~ + / = - ; try: openssl rand -base64 32",
  );

export const Peer = z
  .string()
  .regex(/^(\d{1,10}|[A-Za-z_][\w.-]{0,63}\$?)$/, "must be any, or the name or number of an account");

export const BindAddress = z.string().regex(/^[\w.:-]{1,253}$/, "must be an IP address or a host name");

export const PublicHost = z
  .string()
  .regex(
    /^([\w.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])$/,
    "must be a host name as clients write it, without scheme and port",
  );

export const Origins = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim().toLowerCase()))
  .refine((all) => all.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin), {
    error: "must be origins such as https://console.example, separated by commas, without a path",
  });

const isAddress = (text: string): boolean => {
  const [address = "", bits, ...more] = text.split("/");
  const family = isIP(address);
  return (
    family !== 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  );
};

export const Addresses = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .refine((all) => all.every(isAddress), {
    error: "must be IP addresses, or networks such as 10.0.0.0/8, separated by commas",
  });

export const DatabaseUrl = z.string().superRefine((text, context) => {
  const message = databaseFault(text);
  if (message !== null) context.addIssue({ code: "custom", message });
});

function databaseFault(text: string): string | null {
  if (!/^(file:.|postgres(ql)?:\/\/.)/.test(text)) return "must begin with file: or postgresql://";
  return text.startsWith("file:") ? fileFault(text) : serverFault(text);
}

/** The whole rest would be the name of a new, empty database. */
function fileFault(text: string): string | null {
  const [path = "", query] = text.replace(/^file:(\/\/(?=\/))?/, "").split(/\?(.*)/s);
  if (query !== undefined)
    return `must not have a query${namesIn(query)}: SQLite takes none here; leave out what begins with ?`;
  if (text.includes("#")) return "must not have a fragment; leave out what begins with #";
  if (path.startsWith("//")) return "must not name a host: write file:/path or file:///path";
  if (path === ":memory:" || /(^|\/)\.{0,2}$/.test(path)) return "must name a file, such as file:/var/lib/orch/orch.db";
  return /^\s|\s$/.test(path) ? "must not begin or end with a blank" : null;
}

/** The names of parameters are no secrets; their values may be. */
function namesIn(query: string): string {
  const names = [...new URLSearchParams(query).keys()].filter((name) => /^[\w.-]{1,40}$/.test(name));
  return names.length === 0 ? "" : ` (${names.slice(0, 5).join(", ")})`;
}

function serverFault(text: string): string | null {
  if (!URL.canParse(text)) return "must be a URL; encode special characters in its password";
  return text.includes("#") ? "must not have a fragment; write # in a password as %23" : null;
}

export const ServerUrl = HttpUrl.refine(
  (text) => !URL.canParse(text) || new URL(text).username + new URL(text).password === "",
  { error: "must not hold a user name or password: orch takes a bearer token (ORCH_TOKEN)" },
);

/** Of this server, for the others that share its database. Without the slash at its end. */
export const OwnUrl = HttpUrl.refine((text) => !/[@?#]/.test(text), {
  error: "must be the address of this server alone, without account or parameters",
}).transform((text) => (URL.canParse(text) ? new URL(text).href.replace(/\/+$/, "") : text));
