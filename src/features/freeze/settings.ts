// Defines the setting of the windows in which no change starts.
import { z } from "zod";
import { setting } from "../../config/setting.ts";
import { machineZone } from "../../config/values.ts";
import { type FreezeWindow, windowIn } from "./windows.ts";

/** Times by calendar, in this machine's time zone where they name none. */
const FreezeWindows = z.string().transform((text, context): readonly FreezeWindow[] => {
  const local = machineZone().zone;
  const parts = text.split(/[;\n]/).filter((part) => part.trim() !== "");
  return parts.flatMap((part, nth) => {
    const window = windowIn(part.trim(), local);
    if (!("fault" in window)) return [window];
    context.addIssue({ code: "custom", message: `must be windows: number ${nth + 1} ${window.fault}` });
    return [];
  });
});

export const FREEZE_SETTINGS = {
  freeze_windows: setting(
    "ORCH_FREEZE_WINDOWS",
    FreezeWindows.default([]),
    "times in which no change starts: `Fri 16:00 to Mon 07:00 Europe/Berlin: weekend`, separated by semicolons; each server keeps its own, so give it to all",
  ),
};
