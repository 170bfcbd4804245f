// The devices that can speak, and groups of them: a table of the configuration, because the specification has no upstream call
// that lists them (D-151).
import { z } from "zod";
import { VoiceError } from "./voice-error.ts";

/** What callers use. */
const Name = z.string().trim().min(1).max(100);

const Device = z.strictObject({
  name: Name,
  serial_number: z.string().regex(/^[A-Za-z0-9]{1,64}$/, "must be letters and digits"),
  device_type: z.string().regex(/^[A-Za-z0-9]{1,64}$/, "must be letters and digits"),
  /** Restored after a speech with another volume; without it the volume stays. */
  volume: z.int().min(0).max(100).optional(),
});

export type Device = z.infer<typeof Device>;

const Group = z.strictObject({
  name: Name,
  /** Names of devices of the table. */
  members: z.array(Name).min(2, "must name two devices").max(20),
});

type Entry = Device | z.infer<typeof Group>;

/** By its members, so that an issue is one of the form that was meant. */
const Entry = z.looseObject({}).transform((value, context): Entry => {
  const { data, error } = ("members" in value ? Group : Device).safeParse(value);
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: "custom", path, message });
  return data ?? z.NEVER;
});

/** One name, and the devices that speak for it. */
export type SpeakTarget = { readonly name: string; readonly devices: readonly Device[] };

/** Equal names for a caller have equal keys. */
const folded = (name: string): string => name.normalize("NFKC").trim().toLowerCase();

const isDevice = (entry: Entry): entry is Device => "serial_number" in entry;

const keysOf = (entry: Entry): Set<string> =>
  new Set([folded(entry.name), ...(isDevice(entry) ? [folded(entry.serial_number)] : [])]);

const named = (entries: readonly Entry[], name: string): Device | undefined =>
  entries.filter(isDevice).find((device) => folded(device.name) === folded(name));

export const Devices = z
  .array(Entry)
  .min(1, "must name a device")
  .max(200)
  .superRefine((entries, { addIssue }) => {
    const taken = new Set<string>();
    for (const [index, entry] of entries.entries()) {
      for (const key of keysOf(entry)) {
        if (taken.has(key)) addIssue({ code: "custom", path: [index], message: "has the name or serial of another" });
        taken.add(key);
      }
      if (isDevice(entry)) continue;
      const members = new Set(entry.members.map((name) => named(entries, name)?.serial_number));
      if (members.has(undefined))
        addIssue({ code: "custom", path: [index], message: "has a member that is no device" });
      else if (members.size < entry.members.length)
        addIssue({ code: "custom", path: [index], message: "names a member twice" });
    }
  })
  .transform((entries): SpeakTarget[] =>
    entries.map((entry) => ({
      name: entry.name,
      devices: isDevice(entry) ? [entry] : entry.members.flatMap((name) => named(entries, name) ?? []),
    })),
  );

const serialOf = ({ devices }: SpeakTarget): string | null =>
  devices.length === 1 ? (devices[0]?.serial_number ?? null) : null;

/** By serial number, by name, or by a name that differs in case or width only. */
export function findTarget(targets: readonly SpeakTarget[], asked: string): SpeakTarget {
  const found =
    targets.find((target) => serialOf(target) === asked) ??
    targets.find(({ name }) => name === asked) ??
    targets.find((target) => [target.name, serialOf(target) ?? ""].map(folded).includes(folded(asked)));
  if (found !== undefined) return found;
  const names = targets.map(({ name }) => name).join(", ");
  const known = targets.length === 0 ? "none is configured; see VOICE_DEVICES" : `known are: ${names}`;
  throw new VoiceError("unknown_device", `There is no such device; ${known}.`, { field: "device" });
}
