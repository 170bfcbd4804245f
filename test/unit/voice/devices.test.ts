import { expect, test } from "vitest";
import { Devices, findDevice } from "../../../voice/devices.ts";

const ONE = { name: "居間", serial_number: "G0LIVING", device_type: "A32" };
const TWO = { name: "Kitchen", serial_number: "G0KITCHEN", device_type: "A3S" };

test.each([
  ["居間", ONE],
  ["G0LIVING", ONE],
  ["g0kitchen", TWO],
  ["ＫＩＴＣＨＥＮ", TWO],
])("the device is found as %s", (asked, device) => {
  expect(findDevice([ONE, TWO], asked)).toBe(device);
});

test("a serial number goes before a name that reads the same in another case", () => {
  const named = { ...TWO, name: "g1" };
  const numbered = { ...ONE, serial_number: "G1" };
  expect(findDevice([named, numbered], "G1")).toBe(numbered);
});

test("the error says what to set when there is no table", () => {
  expect(() => findDevice([], "居間")).toThrow("VOICE_DEVICES");
});

test.each([
  ["two of one name", [ONE, { ...TWO, name: " 居間 " }]],
  ["two names that differ in case only", [TWO, { ...ONE, name: "KITCHEN" }]],
  ["two of one serial number", [ONE, { ...TWO, serial_number: "G0LIVING" }]],
  ["a name that is another's serial number", [ONE, { ...TWO, name: "g0living" }]],
  ["none", []],
  ["a field that is not known", [{ ...ONE, serialNumber: "x" }]],
  ["a serial number with a placeholder", [{ ...ONE, serial_number: "ALEXA_CURRENT_DSN" }]],
])("a table with %s is refused", (_what, table) => {
  expect(Devices.safeParse(table).success).toBe(false);
});
