// The log: one JSON line per event on stderr, with names, codes and durations and never a spoken text. Secrets are masked in
// every line.
import pino from "pino";

type Write = (details: object, message: string) => void;
export type VoiceLog = { readonly debug: Write; readonly info: Write; readonly warn: Write; readonly error: Write };

/** Shorter values would mask ordinary words. */
const MIN_LENGTH = 6;

export function createLog(level: string, write: (line: string) => void) {
  const secrets = new Set<string>();
  const masked = (line: string) => [...secrets].reduce((text, secret) => text.replaceAll(secret, "[secret]"), line);
  const log: VoiceLog = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => write(masked(line)) },
  );
  return {
    log,
    /** From now on this text is masked. */
    keepSecret: (text: string): void => {
      if (text.length >= MIN_LENGTH) secrets.add(JSON.stringify(text).slice(1, -1));
    },
  };
}
