// Everything that removes the known secrets from texts.
import { findBeginning } from "../redact/find-secrets.ts";
import { createRedactor } from "../redact/redact.ts";
import { createWithoutKnown } from "../redact/without-known.ts";

export const redactionOf = (known: readonly string[]) => ({
  redact: createRedactor(known),
  beginningOf: findBeginning(known),
  withoutKnown: createWithoutKnown(known),
});
