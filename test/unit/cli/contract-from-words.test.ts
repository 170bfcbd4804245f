// How a contract written on the command line says how it is verified.
import { describe, expect, test } from "vitest";
import { ContractWords, contractFromWords } from "../../../src/cli/contract-from-words.ts";
import { AT } from "../../support/builders.ts";

const context = { clock: () => new Date(AT), cwd: "/srv", environment: { USER: "me" } };
const contract = (words: object) => contractFromWords(context, ContractWords.parse({ intent: "deploy", ...words }));

describe("a contract from words", () => {
  test("orders a verification with the fields of its options, and none without them", () => {
    const words = { verifyBy: "sop:health_check", verifyAfter: "5", verifyWithin: "0.5" };
    const wishes = { verify_by: "sop:health_check", verify_after_seconds: 5, verify_within_hours: 0.5 };
    expect(contract(words)).toMatchObject(wishes);
    expect(Object.keys(contract({})).filter((field) => field.startsWith("verify"))).toEqual([]);
  });

  test("names the labels that its server must have, and none without the option", () => {
    expect(contract({ runsOn: ["docker", "host:nas"] })).toMatchObject({ runs_on: ["docker", "host:nas"] });
    expect(contract({})).not.toHaveProperty("runs_on");
  });

  test("has no time, so that the same words are the same contract (promises 4.11)", () => {
    const at = (time: string) =>
      contractFromWords(
        { ...context, clock: () => new Date(time) },
        ContractWords.parse({ intent: "deploy", id: "x" }),
      );
    expect(at("2026-03-06T09:00:00Z")).toEqual(at("2027-01-01T00:00:00Z"));
  });

  test.each([
    [{ target: ["compose_dir=~/w"] }, expect.stringMatching(/^target\.compose_dir must be an absolute path/)],
    [{ target: ["service=web "] }, expect.stringMatching(/^target\.service must not begin or end with a blank/)],
    [{ runsOn: ["Docker"] }, expect.stringMatching(/^runs_on\.0 must be a label: /)],
    [{ verifyBy: "health_check" }, "verify_by must be sop: and a diagnostic intent, such as sop:health_check"],
    [{ verifyAfter: "1.5" }, "verify_after_seconds must be a whole number"],
    [{ verifyWithin: "0" }, "verify_within_hours must be more than 0"],
  ])("is refused by the name of the field: %j", (words, detail) => {
    expect(() => contract(words)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code: "usage", detail }) }),
    );
  });
});
