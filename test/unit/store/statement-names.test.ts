// Which statements PostgreSQL keeps.
import { expect, test } from "vitest";
import { createStatementNames } from "../../../src/store/statement-names.ts";

const query = (sql: string, args: unknown[] = [1]) => ({ sql, args });

test("a statement that is sent again has a name from then on, and each has another one", () => {
  const nameOf = createStatementNames();
  const sent = ["a", "b", "a", "b", "a"].map((sql) => nameOf(query(sql)));
  expect(sent).toEqual(["", "", "orch_0", "orch_1", "orch_0"]);
});

test("a statement without arguments has no name, because a script cannot be prepared", () => {
  const nameOf = createStatementNames();
  expect(["BEGIN", "BEGIN", "BEGIN"].map((sql) => nameOf(query(sql, [])))).toEqual(["", "", ""]);
});

test("at most two hundred statements have names, however many there are", () => {
  const nameOf = createStatementNames();
  const twice = (sql: string) => [nameOf(query(sql)), nameOf(query(sql))][1];
  const names = Array.from({ length: 250 }, (_, nth) => twice(`statement ${nth}`));
  expect(new Set(names).size).toBe(201);
  expect(names.slice(200)).toEqual(new Array(50).fill(""));
  expect(nameOf(query("statement 0"))).toBe("orch_0");
});
