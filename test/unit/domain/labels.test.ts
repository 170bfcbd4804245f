// Where a task may run: what it needs, and what a server has.
import { describe, expect, test } from "vitest";
import {
  Label,
  Labels,
  labelsNeeded,
  labelsWithoutServer,
  neededHere,
  ownLabels,
  servesLabels,
  tagOf,
} from "../../../src/domain/contract.ts";
import { aContract } from "../../support/builders.ts";

describe("a label", () => {
  test.each(["docker", "host:nas", "shell:agent", "a", "gpu_0.rack-2"])("may be %s", (label) => {
    expect(Label.safeParse(label).success).toBe(true);
  });

  test.each(["", "Docker", "1st", "a b", "docker,zfs", "a+b", "a".repeat(101), "ä"])("may not be %j", (label) => {
    expect(Label.safeParse(label).success).toBe(false);
  });
});

describe("the labels of a task", () => {
  test("are at most eight, none of them twice", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    expect(Labels.safeParse(names).success).toBe(true);
    expect(Labels.safeParse([...names, "i"]).error?.issues[0]?.message).toBe("must be at most 8 labels");
    expect(Labels.safeParse(["a", "a"]).error?.issues[0]?.message).toBe("must not repeat a label");
  });

  const rules = [
    { match: { host: "nas", service: "web" }, labels: ["zfs"] },
    { match: { host: "nas" }, labels: ["host:nas", "docker"] },
    { match: { compose_dir: "/srv/*" }, labels: ["docker"] },
    { match: { lab: "old" }, labels: [] },
    { match: {}, labels: ["usual"] },
  ];

  test.each([
    ["of the contract, sorted", { runs_on: ["zfs", "docker"], target: { host: "nas" } }, ["docker", "zfs"]],
    ["of the first rule that its target matches", { target: { host: "nas", service: "web" } }, ["zfs"]],
    ["of a later rule where one value differs", { target: { host: "nas", service: "db" } }, ["docker", "host:nas"]],
    ["of a rule that knows how a value begins", { target: { compose_dir: "/srv/app" } }, ["docker"]],
    ["none where the rule has none", { target: { lab: "old" } }, null],
    ["of the rule for every target", { target: {} }, ["usual"]],
    ["not those of an attribute that only an object has", { target: { lab: "new" } }, ["usual"]],
  ] as const)("are %s", (_what, given, labels) => {
    expect(labelsNeeded(aContract(given), rules)).toEqual(labels);
  });

  test("are none without a rule, and a contract cannot ask for none", () => {
    expect(labelsNeeded(aContract(), [])).toBeNull();
    expect(() => aContract({ runs_on: [] })).toThrow("must not be empty; leave it out");
  });
});

describe("a server", () => {
  test("has what it was given, its host, and whether it can confine the commands of agents and has a flow engine", () => {
    const given = ["zfs", "docker", "zfs"];
    expect(ownLabels(given, { host: "NAS.lan", confines: true, has_engine: true })).toEqual([
      "docker",
      "flowengine",
      "host:nas.lan",
      "shell:agent",
      "zfs",
    ]);
    expect(ownLabels([], { host: "a host", confines: false, has_engine: false })).toEqual([]);
  });

  test.each([
    [["docker", "zfs"], null, true],
    [["docker", "zfs"], ["zfs"], true],
    [["docker"], ["docker", "zfs"], false],
    [[], [], true],
  ] as const)("with %j serves %j: %s", (own, wanted, serves) => {
    expect(servesLabels(own, wanted)).toBe(serves);
  });
});

describe("the labels that no live server has", () => {
  const live = [
    { server_id: "a", labels: ["docker", "host:a"], draining: false },
    { server_id: "b", labels: ["zfs"], draining: false },
    { server_id: "c", labels: ["docker", "zfs", "gpu"], draining: true },
  ];
  const waiting = (runs_on: string[] | null, more: object = {}) =>
    labelsWithoutServer(live, { backend: "local", owner: null, runs_on, ...more });

  test.each([
    ["none, for a task that runs anywhere", null, null],
    ["none, where one server has all", ["docker", "host:a"], null],
    ["those that are missing everywhere", ["docker", "host:nas"], ["host:nas"]],
    ["those that only a server has that claims nothing more", ["gpu"], ["gpu"]],
    ["all of them, where each server has a part", ["docker", "zfs"], ["docker", "zfs"]],
  ])("are %s", (_what, runs_on, missing) => {
    expect(waiting(runs_on)).toEqual(missing);
  });

  test("are none while a live server works on the task", () => {
    expect(waiting(["gpu"], { owner: "c" })).toBeNull();
  });

  test("are for a job that of a server with a flow engine, and not those of its workers", () => {
    expect(waiting(["gpu"], { backend: "flowengine" })).toEqual(["flowengine"]);
    expect(waiting(["docker"], { backend: "flowengine", owner: "a" })).toBeNull();
    expect(neededHere({ backend: "flowengine", runs_on: ["gpu"] })).toEqual(["flowengine"]);
  });
});

test("a job has one tag: its label, or all of its labels joined by a sign that no label has", () => {
  expect([null, [], ["docker"], ["docker", "host:nas"]].map(tagOf)).toEqual([null, null, "docker", "docker+host:nas"]);
  expect(tagOf(undefined)).toBeNull();
});
