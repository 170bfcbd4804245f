// What a check printed before the change is given to the checks that compare with it, and to no other.
import { expect, test } from "vitest";
import { printedBefore } from "../../../src/domain/step-run.ts";
import { check, cmd, mcpCall } from "../../support/builders.ts";

test("only a check that names ORCH_BEFORE is given one", () => {
  const compares = check('x=$(id); echo "$x"; [ "$x" != "$ORCH_BEFORE" ]');
  const hides = check('v=ORCH_; w=BEFORE; echo one; declare -n u="$v$w"; [ -n "$u" ]');
  const steps = [cmd("echo $ORCH_BEFORE"), compares, hides, mcpCall(), compares];
  const looks = new Map([...steps.keys()].map((index) => [index, { printed: index === 4 ? null : `out ${index}` }]));
  expect([...printedBefore(looks, steps)]).toEqual([[1, "out 1"]]);
  expect(printedBefore(null, steps).size).toBe(0);
});
