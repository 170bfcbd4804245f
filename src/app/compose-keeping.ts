// The duties on journals that are only kept: each day is anchored (D-372), and old ones are archived (D-373).
import { composeAnchors } from "./compose-anchors.ts";
import { composeArchive } from "./compose-archive.ts";

type Settings = Parameters<typeof composeAnchors>[0] & Parameters<typeof composeArchive>[0];

/** Call it before the wakeups start. */
export const composeKeeping = (config: Settings, parts: Parameters<typeof composeArchive>[1]) => (): void => {
  composeAnchors(config, parts).shareAnchors();
  composeArchive(config, parts).shareArchive();
};
