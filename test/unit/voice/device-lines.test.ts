// A device that is not free at a moment has a time at which it is, so that no speech waits for ever.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createDeviceLines } from "../../../voice/speech-queue.ts";

const KITCHEN = { name: "Kitchen", devices: [{ name: "Kitchen", serial_number: "G0", device_type: "A3" }] };

test("a device is either free at a moment, or will be after a time that is known, unless it speaks", () => {
  const moment = fc.double({ min: 0, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(moment, fc.double({ min: -1, max: 1, noNaN: true }), (now, ahead) => {
      const lines = createDeviceLines();
      lines.release(KITCHEN, now + ahead);
      expect(lines.areFree(KITCHEN, now)).toBe(lines.freeIn(now) === null);
    }),
  );
});

test("a device that speaks is not free at any moment, and no time is known", () => {
  const lines = createDeviceLines();
  lines.seize(KITCHEN);
  expect([lines.areFree(KITCHEN, 1e9), lines.freeIn(0)]).toEqual([false, null]);
});
