// Reads the time zone of the machine, as schedules and freeze windows use it. What TZ says in another form than a name of IANA is UTC.
import { realpathSync } from "node:fs";
import { isTimezone } from "../tasks/wall-clock.ts";

export type MachineZone = {
  readonly zone: string;
  /** Why it is UTC, for operators; null where the zone is known. */
  readonly fault: string | null;
};

export function machineZone(tz: string | undefined = process.env["TZ"]): MachineZone {
  if (tz === undefined) {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return isTimezone(timeZone) ? known(timeZone) : unknown("The time zone of the machine cannot be read");
  }
  const name = nameIn(tz);
  return name !== "" && isTimezone(name) ? known(name) : unknown(`TZ=${JSON.stringify(tz)} names no time zone of IANA`);
}

const known = (zone: string): MachineZone => ({ zone, fault: null });

const unknown = (why: string): MachineZone => ({
  zone: "UTC",
  fault: `${why}, so schedules and freeze windows use UTC; set TZ to a name such as Europe/Berlin`,
});

/** `:Europe/Berlin` and `posix/Europe/Berlin` are names too; a path such as `:/etc/localtime` may lead to one. */
function nameIn(tz: string): string {
  const text = tz.replace(/^:/, "");
  return (text.startsWith("/") ? fileOf(text) : text).replace(/^(.*\/zoneinfo\/)?((posix|right)\/)?/, "");
}

function fileOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
