// Lists the settings of the features.
import { FREEZE_SETTINGS } from "./freeze/settings.ts";
import { KEEPING_SETTINGS } from "./keeping/settings.ts";
import { SCHEDULE_SETTINGS } from "./schedules/settings.ts";

/** They come later in the reference. */
export { KEEPING_SETTINGS };

export const FEATURE_SETTINGS = { ...SCHEDULE_SETTINGS, ...FREEZE_SETTINGS };
