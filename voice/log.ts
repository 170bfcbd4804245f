// The log: one JSON line per event on stderr. It tells names, codes and durations, never what was spoken; secrets are masked
// in every line, should one get that far.
import pino from "pino";

type Write = (details: object, message: string) => void;
export type Log = { readonly debug: Write; readonly info: Write; readonly warn: Write; readonly error: Write };

/** Shorter values would mask ordinary words. */
const MIN_LENGTH = 6;

export function createLog(level: string, write: (line: string) => void) {
  const secrets = new Set<string>();
  const masked = (line: string) => [...secrets].reduce((text, secret) => text.replaceAll(secret, "[secret]"), line);
  const log: Log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => write(masked(line)) },
  );
  return {
    log,
    /** From now on it is masked. */
    keepSecret: (text: string): void => {
      if (text.length >= MIN_LENGTH) secrets.add(JSON.stringify(text).slice(1, -1));
    },
  };
}
