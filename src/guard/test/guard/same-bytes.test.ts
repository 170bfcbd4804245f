// The same bytes have the same verdict, findings and order, after any other judgement. `node src/guard/test/guard/same-bytes.ts` judges
// them 1,000 times under load.
import { describe, expect, test } from "vitest";
import { askedAgain, SCRIPTS } from "./same-bytes.ts";

const ROUNDS = process.env["ORCH_TESTS"] === "all" ? 25 : 3;

describe(`${SCRIPTS.length} scripts and a plan, judged ${ROUNDS} times in different orders`, () => {
  test("have one answer each, byte for byte", { timeout: 300_000 }, () => {
    expect(SCRIPTS).toHaveLength(45);
    expect(askedAgain(ROUNDS)).toEqual({ answers: (SCRIPTS.length + 1) * ROUNDS, changed: [] });
  });
});
