// The arguments of ctx.step, refused where the handler calls it: what is no message to the server would end the run without a line.

/** What the third argument of a step may be, as the end of a sentence. */
export const CUT_OFF = '"repeat" (the step only reads) or a function that finds out what happened';

const MAX_SHOWN = 40;

/** Throws with the place of the caller in its stack. A name that is too long is refused by the journal. */
export function requireStep(name: unknown, run: unknown, cut_off: unknown): void {
  if (typeof name !== "string" || name === "")
    throw new Error(`a step needs a name: the first argument of ctx.step is ${shown(name)}`);
  const step = `argument of step ${JSON.stringify(name)} is`;
  if (typeof run !== "function")
    throw new Error(`the second ${step} ${shown(run)}: it must be a function that does the step`);
  if (cut_off != null && cut_off !== "repeat" && typeof cut_off !== "function")
    throw new Error(`the third ${step} ${shown(cut_off)}: it must be ${CUT_OFF}`);
}

/** No text is cut: what is left of a secret could not be redacted. */
function shown(value: unknown): string {
  if (typeof value === "string")
    return value.length > MAX_SHOWN ? `a text of ${value.length} characters` : JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (value instanceof Promise) return "a promise";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
