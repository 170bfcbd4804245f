// Lists the settings that limit each step, part of the table in settings.ts.
import { setting } from "./setting.ts";
import { limit } from "./values.ts";

export const STEP_LIMIT_SETTINGS = {
  memory_mb: setting(
    "ORCH_STEP_MEMORY_MB",
    limit(32, 16_777_216, 8_192),
    "the MiB of memory that each process of a step may have for itself; 0: no limit",
  ),
  file_mb: setting(
    "ORCH_STEP_FILE_MB",
    limit(1, 16_777_216, 32_768),
    "the MiB of a file that a step writes; 0: no limit",
  ),
  processes: setting(
    "ORCH_STEP_PROCESSES",
    limit(8, 4_194_304, 4_096),
    "the number of processes of the account, threads included (does not bind root); 0: no limit",
  ),
} as const;
