// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
import { describe, expect, test } from "vitest";
import { shellContextOf } from "../../../../src/engine/policy/judge-plan.ts";
import { withTargetVariables } from "../../../../src/features/procedures/parametrised-step.ts";
import { aContract } from "../../../support/builders.ts";

const contract = aContract({ target: { service: "web", compose_dir: "/srv/web", branch: "main", slot: "7" } });
const put = (command: string) => withTargetVariables(command, contract, shellContextOf(contract, "/root"));

describe("values of the target become variables", () => {
  test.each([
    ["docker restart web", 'docker restart "$ORCH_TARGET_SERVICE"'],
    ["systemctl restart web.service", 'systemctl restart "$ORCH_TARGET_SERVICE".service'],
    ["cp index.html /srv/web/public", 'cp index.html "$ORCH_TARGET_COMPOSE_DIR"/public'],
    ['git -C "/srv/web" pull origin main', 'git -C "${ORCH_TARGET_COMPOSE_DIR}" pull origin "$ORCH_TARGET_BRANCH"'],
    ["echo ok > /srv/web/state", 'echo ok > "$ORCH_TARGET_COMPOSE_DIR"/state'],
    ["grep 'web' file", 'grep "$ORCH_TARGET_SERVICE" file'],
    ["systemctl restart 'my@web.service'", `systemctl restart 'my@'"$ORCH_TARGET_SERVICE"'.service'`],
    ["ls '/srv/web/app'", `ls "$ORCH_TARGET_COMPOSE_DIR"'/app'`],
    ["cat > f <<END\nname: web\nEND", "cat > f <<END\nname: ${ORCH_TARGET_SERVICE}\nEND"],
    ['grep -q x <<<"web is up"', 'grep -q x <<<"${ORCH_TARGET_SERVICE} is up"'],
    ['id=$(docker ps -qf name=web) && test "$id"', 'id=$(docker ps -qf name="$ORCH_TARGET_SERVICE") && test "$id"'],
    ["true", "true"],
  ])("%s", (command, text) => {
    expect(put(command)).toEqual({ text, left: [] });
  });

  test.each([
    ["echo webmaster", "target.service", "it is a part of a longer word"],
    ["sed -i 's/web/x/' file", "target.service", "it is in single quotes with other text, which may be code"],
    ["awk '/web/ {print $1}' f", "target.service", "it is in single quotes with other text, which may be code"],
    ["jq -e '.[\"web\"]' f", "target.service", "it is in single quotes with other text, which may be code"],
    ["cat <<'END'\nweb\nEND", "target.service", "no variable is expanded there"],
    ["echo $'web\\n'", "target.service", "no variable is expanded there"],
    [
      "web=1; test 1 = 1",
      "target.service",
      "a variable there would be no value: it is a name, an operator or a comment",
    ],
    ["docker restart w\\eb", "target.service", "it is spelled with escapes, or put together from parts"],
    ["s=we; docker restart ${s}b", "target.service", "it is spelled with escapes, or put together from parts"],
    ["head -n 7 f", "target.slot", "so short a value occurs by chance"],
  ])("except where one would not be the same: %s", (command, key, why) => {
    const value = key === "target.slot" ? "7" : "web";
    expect(put(command)).toEqual({ text: command, left: [{ key, value, why }] });
  });

  test("with each reason named once where others are replaced around it", () => {
    const { text, left } = put("docker restart web && sed 's/web/web-1/' f && sed 's/web/y/' g");
    expect(text).toContain('docker restart "$ORCH_TARGET_SERVICE" && ');
    expect(left).toHaveLength(1);
  });

  test("in a bounded number of places, of which the rest is named", () => {
    const { text, left } = put(`echo${" web".repeat(60)}`);
    expect(text.match(/ORCH_TARGET_SERVICE/g)).toHaveLength(40);
    expect(left).toMatchObject([{ key: "target.service", why: expect.stringContaining("too many places") }]);
  });
});
