// Defines the setting of how many schedules there may be.
import { setting } from "../../config/setting.ts";
import { whole } from "../../config/values.ts";

export const SCHEDULE_SETTINGS = {
  schedules: setting("ORCH_SCHEDULES", whole(0, 10_000, 100), "how many schedules there may be; 0: none"),
};
