import { expect, test } from "vitest";
import { Devices, findTarget } from "../../../voice/devices.ts";

const ONE = { name: "居間", serial_number: "G0LIVING", device_type: "A32" };
const of = (device: typeof ONE) => ({ name: device.name, devices: [device] });
const TWO = { name: "Kitchen", serial_number: "G0KITCHEN", device_type: "A3S" };
const ALL = { name: "all", members: ["居間", "ｋｉｔｃｈｅｎ"] };

test("a group is found by its name, with the devices that speak for it", () => {
  expect(findTarget(Devices.parse([ALL, ONE, TWO]), "ALL")).toEqual({ name: "all", devices: [ONE, TWO] });
});

test.each([
  ["居間", ONE],
  ["G0LIVING", ONE],
  ["g0kitchen", TWO],
  ["ＫＩＴＣＨＥＮ", TWO],
])("the device is found as %s", (asked, device) => {
  expect(findTarget(Devices.parse([ONE, TWO]), asked)).toEqual({ name: device.name, devices: [device] });
});

test("a serial number goes before a name that reads the same in another case", () => {
  const named = { ...TWO, name: "g1" };
  const numbered = { ...ONE, serial_number: "G1" };
  expect(findTarget([of(named), of(numbered)], "G1")).toEqual(of(numbered));
});

test("the error says what to set when there is no table", () => {
  expect(() => findTarget([], "居間")).toThrow("VOICE_DEVICES");
});

test.each([
  ["two of one name", [ONE, { ...TWO, name: " 居間 " }]],
  ["two names that differ in case only", [TWO, { ...ONE, name: "KITCHEN" }]],
  ["two of one serial number", [ONE, { ...TWO, serial_number: "G0LIVING" }]],
  ["a name that is another's serial number", [ONE, { ...TWO, name: "g0living" }]],
  ["a group with a member that is no device", [ONE, TWO, { name: "all", members: ["居間", "attic"] }]],
  ["a group with a group in it", [ONE, TWO, ALL, { name: "more", members: ["居間", "all"] }]],
  ["a group that names a member twice", [ONE, TWO, { name: "all", members: ["居間", " 居間"] }]],
  ["a group of one", [ONE, { name: "all", members: ["居間"] }]],
  ["a group with the name of a device", [ONE, TWO, { name: "KITCHEN", members: ["居間", "Kitchen"] }]],
  ["none", []],
  ["a field that is not known", [{ ...ONE, serialNumber: "x" }]],
  ["a serial number with a placeholder", [{ ...ONE, serial_number: "ALEXA_CURRENT_DSN" }]],
])("a table with %s is refused", (_what, table) => {
  expect(Devices.safeParse(table).success).toBe(false);
});
