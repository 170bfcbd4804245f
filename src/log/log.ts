// Writes the log: one JSON line per event on stderr, with every string redacted and bounded before pino gets it.
import pino from "pino";
import type { Redact } from "../redact/find-secrets.ts";

type Write = (details: object, message: string) => void;
export type Log = { readonly debug: Write; readonly info: Write; readonly warn: Write; readonly error: Write };

const MAX_TEXT = 8_192;
/** Redacted and not written, so that a secret at the cut is found whole. */
const MARGIN = 16_384;
const MAX_LEVELS = 6;
const MAX_ENTRIES = 100;

export function createLog({
  level,
  redact,
  destination = standardError(),
}: {
  readonly level: string;
  readonly redact: Redact;
  readonly destination?: pino.DestinationStream;
}): Log {
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: asIs } },
    destination,
  );
  const at =
    (name: keyof Log): Write =>
    (details, message) => {
      if (logger.isLevelEnabled(name)) logger[name](loggable(details, redact), bounded(message, redact));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A log that cannot be written, on a full disk, ends nothing: the line is lost, and the next one is tried. */
function standardError(): pino.DestinationStream {
  const destination = pino.destination({ fd: 2, sync: true });
  destination.on("error", () => undefined);
  return destination;
}

// Pino would serialize an error itself, after redaction.
const asIs = (value: unknown): unknown => value;

const bounded = (text: string, redact: Redact): string =>
  redact(text.slice(0, MAX_TEXT + MARGIN), { start: 0, end: Math.min(text.length, MAX_TEXT) });

/** A copy with strings and names redacted, errors spelled out with their causes, and size bounded. */
function loggable(value: unknown, redact: Redact, levels = MAX_LEVELS): unknown {
  if (typeof value === "string") return bounded(value, redact);
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : value;
  if (levels === 0) return "[deeper]";
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((item) => loggable(item, redact, levels - 1));
  const fields = value instanceof Error ? { ...value, ...spelledOut(value) } : value;
  const entries = Object.entries(fields).slice(0, MAX_ENTRIES);
  return Object.fromEntries(entries.map(([key, held]) => [bounded(key, redact), loggable(held, redact, levels - 1)]));
}

const spelledOut = ({ name, message, stack, cause }: Error) => ({
  name,
  message,
  stack,
  ...(cause !== undefined && { cause }),
});
