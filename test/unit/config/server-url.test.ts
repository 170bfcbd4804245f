// The address under which the other servers reach this one.
import { expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";

const read = (ORCH_SERVER_URL: string) => readConfig({ HOME: "/home/me", ORCH_SERVER_URL }).server_url;

test("the address of a server may have a port and a path, and loses the slash at its end", () => {
  expect(read("http://10.0.0.5:3400/")).toBe("http://10.0.0.5:3400");
  expect(read("https://Orch.example/nas//")).toBe("https://orch.example/nas");
  expect(read("http://[fd00::5]:3400")).toBe("http://[fd00::5]:3400");
});

test.each(["10.0.0.5:3400", "ftp://nas", "http://ann:pw@nas", "http://nas?x=1", "http://nas#x", "http://", "nas"])(
  "the address %s is refused, and not repeated",
  (url) => {
    const message = expect.stringMatching(/ORCH_SERVER_URL must be (an http or https URL|the address of this server)/);
    expect(() => read(url)).toThrow(expect.objectContaining({ code: "config_invalid", message }));
    expect(() => read(url)).not.toThrow(expect.objectContaining({ message: expect.stringContaining(`${url} `) }));
  },
);
