// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
import { describe, expect, test } from "vitest";
import { shellContextOf } from "../../../../src/engine/policy/judge-plan.ts";
import { withParameters, withTargetVariables } from "../../../../src/features/procedures/parametrised-step.ts";
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

describe("arguments of a tool call", () => {
  const target = { service: "web", compose_dir: "/srv/web", port: "8080" };
  const contract = aContract({ target, payload: { tag: "v1.2.3", note: { title: "Deploy" } } });

  test("become parameters where a string is exactly a value of the contract, at any depth", () => {
    const args = { container: "web", tags: ["v1.2.3", { in: "/srv/web" }], title: "Deploy", other: 1 };
    expect(withParameters(args, contract)).toEqual({
      value: {
        container: "${target.service}",
        tags: ["${payload.tag}", { in: "${target.compose_dir}" }],
        title: "${payload.note.title}",
        other: 1,
      },
      left: [],
    });
  });

  test("stay where a parameter cannot be, and each place is named", () => {
    const args = { text: "web is up", "dir/x": { web: 1 }, ports: [8080], cwd: "/srv/web/app", word: "webmaster" };
    const whole = "a parameter replaces a whole string, and this one is longer";
    const number = "a parameter would be text, and this is a number";
    expect(withParameters(args, contract)).toEqual({
      value: args,
      left: [
        { key: "target.service", value: "web", where: "/text", why: whole },
        { key: "target.service", value: "web", where: "/dir~1x/web", why: "a name in an object cannot be a parameter" },
        { key: "target.port", value: "8080", where: "/ports/0", why: number },
        { key: "target.service", value: "web", where: "/cwd", why: whole },
        { key: "target.compose_dir", value: "/srv/web", where: "/cwd", why: whole },
      ],
    });
  });
});
