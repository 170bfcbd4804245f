// The payload of a contract is known, so what `jq` makes of it is judged; what is made of it by a program that is not followed is
// a question where a directory below a fixed one is deleted.
import { describe, expect, test } from "vitest";
import { aContract, cmd } from "../../../../test/support/builders.ts";
import { judgePlan } from "../../../engine/policy/judge-plan.ts";
import { judge } from "../../guard.ts";

const PAYLOAD = {
  path: "../../usr",
  name: "cache",
  words: ["-rf", "/usr"],
  nested: { items: [{ dir: "../../etc" }] },
  "odd key": "/usr",
};
const env = { ORCH_PAYLOAD: JSON.stringify(PAYLOAD) };

function verdictOn(command: string): string {
  const [first] = judge(command, { home: "/home/op", cwd: "/srv/app", env });
  return first?.verdict ?? "allow";
}

const IS = '<<<"$ORCH_PAYLOAD"';

describe("a value of the payload counts as it is", () => {
  test.each([
    `p=$(jq -r .path ${IS}); rm -rf "/srv/app/$p"`,
    `p=$(echo "$ORCH_PAYLOAD" | jq -r '.nested.items[0].dir'); rm -rf "/srv/app/$p"`,
    `p=$(jq -r '.nested | .items[-1].dir' ${IS}); rm -rf "/srv/app/$p"`,
    `p=$(jq -r '.missing // "../../usr"' ${IS}); rm -rf "/srv/app/$p"`,
    `p=$(jq -r '.["odd key"]' ${IS}); rm -rf "$p"`,
    `p=$(jq -rn 'env.ORCH_PAYLOAD | fromjson | .path'); rm -rf "/srv/app/$p"`,
    `p=$(jq -rn '$ENV.ORCH_PAYLOAD | fromjson | .path'); rm -rf "/srv/app/$p"`,
    `mapfile -t a < <(jq -r '.words[]' ${IS}); rm "\${a[@]}"`,
    `readarray -t a <<<"$(jq -r '.words[]' ${IS})"; rm "\${a[@]}"`,
    `jq -r '.words[]' ${IS} | xargs rm`,
    `while read -r d; do rm -rf "$d"; done < <(jq -r '.words[1]' ${IS})`,
    `echo "$ORCH_PAYLOAD" > p.json; rm -rf "/srv/app/$(jq -r .path p.json)"`,
  ])("%s is blocked", (command) => {
    expect(verdictOn(command)).toBe("block");
  });

  test.each([
    `p=$(jq -r .name ${IS}); rm -rf "/srv/app/$p"`,
    `p=$(jq -r '.missing // "old"' ${IS}); rm -rf "/srv/app/$p"`,
    `p=$(jq -r '.name.deeper?' ${IS}); echo "$p"`,
    `jq . ${IS}`,
  ])("%s is allowed", (command) => {
    expect(verdictOn(command)).toBe("allow");
  });
});

describe("what a program that is not followed makes of the payload may lead out of a directory", () => {
  test.each([
    `p=$(jq -r '.path | ltrimstr("x")' ${IS}); rm -rf "/srv/app/$p"`,
    `p=$(jq -r --arg k path '.[$k]' ${IS}); rm -rf "/srv/app/$p"`,
    `p=$(python3 -c 'import os, json; print(json.loads(os.environ["ORCH_PAYLOAD"])["path"])'); rm -rf "/srv/app/$p"`,
    `p=$(yq -r .path ${IS}); rm -r "/srv/app/$p/old"`,
  ])("%s is a question", (command) => {
    expect(verdictOn(command)).toBe("ask");
  });

  test("other text that is not known is a name of the directory", () => {
    expect(verdictOn('v=$(cat VERSION); rm -rf "/srv/app/releases/$v"')).toBe("allow");
  });

  test("also in a later step", () => {
    const contract = aContract({ payload: PAYLOAD, target: { compose_dir: "/srv/app" } });
    const steps = [cmd(`jq -r '.path | ascii_downcase' ${IS} > p`), cmd('rm -rf "/srv/app/$(cat p)"')];
    const context = { home: "/home/op", remote: false };
    const plan = {
      contract,
      steps,
      safety_level: "standard",
      intent: contract.intent,
      context,
      proved: false,
    } as const;
    expect(judgePlan(plan)).toMatchObject([{ step_index: 1, verdict: "ask", code: "dyn.operand" }]);
  });
});
