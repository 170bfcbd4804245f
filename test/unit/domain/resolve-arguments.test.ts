// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
import { describe, expect, test } from "vitest";
import { resolveArguments, splicedParameters, unknownParameters } from "../../../src/domain/resolve-arguments.ts";

const SOURCE = { target: { host: "h1" }, payload: { note: { tags: ["a", "b"], count: 3, none: null } } };

describe("parameters of an mcp_call", () => {
  test("a whole string is replaced by the value, typed", () => {
    const args = { host: "${target.host}", count: "${payload.note.count}", deep: [{ tags: "${payload.note.tags}" }] };
    expect(resolveArguments(args, SOURCE)).toEqual({ host: "h1", count: 3, deep: [{ tags: ["a", "b"] }] });
  });

  test("null is a value like any other", () => {
    expect(resolveArguments({ x: "${payload.note.none}" }, SOURCE)).toEqual({ x: null });
    expect(unknownParameters({ x: "${payload.note.none}" }, SOURCE)).toEqual([]);
  });

  test("text around a parameter leaves it alone", () => {
    const args = { a: "x ${target.host}", b: "${target.host} ", c: "${other.host}", d: "${target.}" };
    expect(resolveArguments(args, SOURCE)).toEqual(args);
  });

  test("a replaced value is not looked at again", () => {
    const source = { target: { a: "${target.b}", b: "x" }, payload: {} };
    expect(resolveArguments({ v: "${target.a}" }, source)).toEqual({ v: "${target.b}" });
  });

  test("names of nothing are reported once, wherever they stand", () => {
    const args = { a: "${target.port}", b: [{ c: ["${payload.note.x}", "${target.port}"] }], d: "${target.host}" };
    expect(unknownParameters(args, SOURCE)).toEqual(["payload.note.x", "target.port"]);
  });

  test("what every object inherits is no value", () => {
    const args = { a: "${target.constructor}", b: "${payload.note.toString}", c: "${payload.__proto__.x}" };
    expect(unknownParameters(args, SOURCE)).toHaveLength(3);
    expect(resolveArguments(args, SOURCE)).toEqual(args);
  });

  test("a list has numbered members and no length", () => {
    expect(resolveArguments({ a: "${payload.note.tags.1}" }, SOURCE)).toEqual({ a: "b" });
    expect(unknownParameters({ a: "${payload.note.tags.length}" }, SOURCE)).toHaveLength(1);
  });
});

describe("T3: what looks like a parameter and is none", () => {
  test.each<[string, unknown, readonly (string | number)[][]]>([
    ["inside a path", { path: "/x/${target.service}.txt" }, [["path"]]],
    ["with a blank after it", { path: "${target.service} " }, [["path"]]],
    ["with blanks inside", { path: "${ target.service }" }, [["path"]]],
    ["with a name that is none", { path: "${target.my-host}" }, [["path"]]],
    ["without a name", { path: "${payload}" }, [["path"]]],
    ["two beside each other", { path: "${target.a}${payload.b}" }, [["path"]]],
    ["deep in a list", { files: [{ path: "a" }, { path: "a ${payload.b}" }] }, [["files", 1, "path"]]],
    ["in the name of a field", { "${target.service}": 1, other: {} }, [[]]],
    ["a whole one", { path: "${target.service}", deep: ["${payload.a.b}"] }, []],
    ["of another kind", { path: "/x/${HOME}/${targets.x}", text: "costs $5 {target.x}" }, []],
    ["no text", { a: 1, b: null, c: true }, []],
  ])("%s", (_what, value, paths) => {
    expect(splicedParameters(value).map(({ path }) => path)).toEqual(paths);
  });

  test.each([
    ["/x/${target.service}.txt", "$ORCH_TARGET_SERVICE"],
    ["${payload.file}.txt", "$ORCH_PAYLOAD"],
  ])("%s comes with both ways out", (text, variable) => {
    const [{ message = "" } = {}] = splicedParameters({ text });
    expect(message).toContain(JSON.stringify(text));
    expect(message).toContain('write "${payload.NAME}" alone');
    expect(message).toContain(`whose shell reads ${variable}`);
  });
});
