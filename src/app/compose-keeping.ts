// The duties on journals that are only kept: each day is anchored (D-372), and old ones are archived (D-373).
import { composeAnchors } from "./compose-anchors.ts";
import { composeArchive } from "./compose-archive.ts";
import type { KeepingParts } from "./keeping-parts.ts";

type Settings = Parameters<typeof composeAnchors>[0] & Parameters<typeof composeArchive>[0];

/** Call it before the wakeups start. */
export const composeKeeping = (config: Settings, parts: KeepingParts) => (): void => {
  composeAnchors(config, parts).shareAnchors();
  composeArchive(config, parts).shareArchive();
};
