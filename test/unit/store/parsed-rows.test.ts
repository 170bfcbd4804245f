import { expect, test } from "vitest";
import { createParsedRows } from "../../../src/store/parsed-rows.ts";

const row = { id: "a", body: '{"list":[1]}', message: false };

function countingParse() {
  let count = 0;
  return { parse: () => ({ list: [++count] }), count: () => count };
}

test("a row that is the same in every column is parsed once, and one that is not is parsed again", () => {
  const known = createParsedRows<{ list: number[] }>({ most: 8, largest: 100 });
  const { parse, count } = countingParse();
  const first = known.of("a", row, parse);
  expect(known.of("a", { ...row }, parse)).toBe(first);
  expect(count()).toBe(1);
  for (const changed of [
    { ...row, body: '{"list":[2]}' },
    { ...row, message: true },
    { body: row.body, message: false },
  ]) {
    expect(known.of("a", changed, parse)).not.toBe(first);
  }
  expect(count()).toBe(4);
});

test("what was written is known, also where the row that is read has more columns", () => {
  const known = createParsedRows<{ list: number[] }>({ most: 8, largest: 100 });
  const written = { list: [7] };
  known.keep("a", row, written);
  const parse = () => expect.unreachable();
  expect(known.of("a", { cursor: 3, ...row }, parse)).toBe(written);
});

test("a row that cannot be read is refused each time, and a record is refused no more once its row is mended", () => {
  const known = createParsedRows<{ list: number[] }>({ most: 8, largest: 100 });
  const refuse = () => {
    throw new Error("damaged");
  };
  for (let time = 0; time < 2; time += 1) expect(() => known.of("a", row, refuse)).toThrow("damaged");
  expect(known.of("a", row, () => ({ list: [] }))).toEqual({ list: [] });
});

test("what is shared cannot be changed", () => {
  const shared = createParsedRows<{ list: number[] }>({ most: 8, largest: 100 }).of("a", row, () => ({ list: [1] }));
  expect(() => shared.list.push(2)).toThrow(TypeError);
  expect(() => Object.assign(shared, { list: [] })).toThrow(TypeError);
});

test("the rows that were used last are kept, and none that is large", () => {
  const known = createParsedRows<{ list: number[] }>({ most: 2, largest: 100 });
  const parsed: string[] = [];
  const use = (id: string, body = "x") =>
    known.of(id, { id, body }, () => {
      parsed.push(id);
      return { list: [] };
    });
  for (const id of ["a", "b", "a", "c", "a", "b"]) use(id);
  expect(parsed).toEqual(["a", "b", "c", "b"]);
  for (let time = 0; time < 2; time += 1) use("large", "x".repeat(100));
  expect(parsed.slice(4)).toEqual(["large", "large"]);
});
