// The devices that can speak: a table of the configuration, because the specification has no upstream call that lists them
// (D-151).
import { z } from "zod";
import { VoiceError } from "./voice-error.ts";

const Device = z.strictObject({
  /** The name that callers use. */
  name: z.string().trim().min(1).max(100),
  serial_number: z.string().regex(/^[A-Za-z0-9]{1,64}$/, "must be letters and digits"),
  device_type: z.string().regex(/^[A-Za-z0-9]{1,64}$/, "must be letters and digits"),
  /** Restored after a speech with another volume; without it the volume stays. */
  volume: z.int().min(0).max(100).optional(),
});

export type Device = z.infer<typeof Device>;

/** Equal names for a caller have equal keys. */
const folded = (name: string): string => name.normalize("NFKC").trim().toLowerCase();

export const Devices = z
  .array(Device)
  .min(1, "must name a device")
  .max(200)
  .superRefine((devices, { addIssue }) => {
    const taken = new Set<string>();
    for (const [index, { name, serial_number }] of devices.entries()) {
      for (const key of new Set([folded(name), folded(serial_number)])) {
        if (taken.has(key)) addIssue({ code: "custom", path: [index], message: "has the name or serial of another" });
        taken.add(key);
      }
    }
  });

/** By serial number, by name, or by a name that differs in case or width only. */
export function findDevice(devices: readonly Device[], asked: string): Device {
  const found =
    devices.find(({ serial_number }) => serial_number === asked) ??
    devices.find(({ name }) => name === asked) ??
    devices.find(({ name, serial_number }) => [folded(name), folded(serial_number)].includes(folded(asked)));
  if (found !== undefined) return found;
  const names = devices.map(({ name }) => name).join(", ");
  const known = devices.length === 0 ? "none is configured; see VOICE_DEVICES" : `known are: ${names}`;
  throw new VoiceError("unknown_device", `There is no such device; ${known}.`, { field: "device" });
}
