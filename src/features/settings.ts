// Lists the settings of the features.
import { FREEZE_SETTINGS } from "./freeze/settings.ts";
import { SCHEDULE_SETTINGS } from "./schedules/settings.ts";

export const FEATURE_SETTINGS = { ...SCHEDULE_SETTINGS, ...FREEZE_SETTINGS };
