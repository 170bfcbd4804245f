// Every fault of the environment at once, and the configuration without the invalid variables.
import { describe, expect, test } from "vitest";
import { readConfiguration } from "../../../src/doctor/configuration.ts";

const HOME = { HOME: "/home/op" };
const diagnosisOf = (environment: Record<string, string>) => readConfiguration({ ...HOME, ...environment }).diagnosis;

describe("the configuration", () => {
  test("works when every variable is valid, although others are set", () => {
    const others = {
      PATH: "/bin",
      MCP_TIMEOUT: "5",
      LOG_FILE: "x",
      ORCH_URL: "http://127.0.0.1:1",
      MCP_NOTES_URL: "http://n",
    };
    expect(diagnosisOf(others)).toEqual({ state: "works", found: "every variable is valid", fix: null });
  });

  test("names every variable that is wrong and repeats no value", () => {
    const secret = "s3cret-value-that-is-short";
    const { state, found } = diagnosisOf({
      ORCH_PORT: "port-of-mine",
      ORCH_TOKEN: secret,
      DATABASE_URL: `mysql://op:${secret}@db`,
      MCP_NOTES_TOKEN: secret,
      LANGSMITH_TRACING: "true",
    });
    expect(state).toBe("broken");
    expect(found.split("\n").map((line) => line.split(" ")[0])).toEqual([
      ...["ORCH_PORT", "DATABASE_URL", "ORCH_TOKEN", "LANGSMITH_TRACING", "MCP_NOTES_TOKEN"],
    ]);
    expect(found).not.toMatch(/s3cret|port-of-mine/);
  });

  test("is read without the invalid variables", () => {
    const { config, wrong } = readConfiguration({ ...HOME, ORCH_PORT: "x", ROUTING_MODEL: "small:1b" });
    expect([config.port, config.routing_model, [...wrong]]).toEqual([3400, "small:1b", ["ORCH_PORT"]]);
    const exposed = readConfiguration({ ...HOME, ORCH_HOST: "0.0.0.0" });
    expect([exposed.config.host, [...exposed.wrong]]).toEqual(["127.0.0.1", ["ORCH_PUBLIC_HOST", "ORCH_HOST"]]);
    expect(exposed.diagnosis.found).toMatch(/^ORCH_PUBLIC_HOST must name/);
  });

  test("names unknown variables, each with the most similar known name", () => {
    const misspelt = {
      ORCH_PROT: "1",
      ROUTING_MODLE: "m",
      DATABASE_URI: "x",
      MCP_NOTES_URI: "x",
      ORCH_COLOUR_OF_LOGS: "x",
    };
    const { state, found } = diagnosisOf(misspelt);
    expect(state).toBe("falls_back");
    expect(found.split("\n")).toEqual([
      "ORCH_PROT is ignored: did you mean ORCH_PORT?",
      "ROUTING_MODLE is ignored: did you mean ROUTING_MODEL?",
      "DATABASE_URI is ignored: did you mean DATABASE_URL?",
      "MCP_NOTES_URI is ignored: did you mean MCP_NOTES_URL?",
      "ORCH_COLOUR_OF_LOGS is ignored: there is no such variable",
    ]);
    expect(diagnosisOf({ ORCH_PORT: "x", ...misspelt }).state).toBe("broken");
  });
});
