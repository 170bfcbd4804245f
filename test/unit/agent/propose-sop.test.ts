// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
import { describe, expect, test } from "vitest";
import { withParameters, withTargetVariables } from "../../../src/agent/parameters.ts";
import { shellContextOf } from "../../../src/policy/judge-plan.ts";
import { aContract } from "../../support/builders.ts";

const contract = aContract({
  target: { service: "web", compose_dir: "/srv/web", branch: "main" },
  payload: { tag: "v1.2.3", note: { title: "Deploy" } },
});
const put = (command: string) => withTargetVariables(command, contract, shellContextOf(contract, "/root"));

describe("values of the target become variables", () => {
  test.each([
    ["docker restart web", 'docker restart "$ORCH_TARGET_SERVICE"'],
    ["systemctl restart web.service", 'systemctl restart "$ORCH_TARGET_SERVICE".service'],
    ["cp index.html /srv/web/public", 'cp index.html "$ORCH_TARGET_COMPOSE_DIR"/public'],
    ['git -C "/srv/web" pull origin main', 'git -C "${ORCH_TARGET_COMPOSE_DIR}" pull origin "$ORCH_TARGET_BRANCH"'],
    ["echo ok > /srv/web/state", 'echo ok > "$ORCH_TARGET_COMPOSE_DIR"/state'],
  ])("%s", (command, expected) => {
    expect(put(command)).toBe(expected);
  });

  test.each(["echo webmaster", "grep 'web' file", "sed -i 's/web/x/' file", "cat <<'END'\nweb\nEND", "true"])(
    "except within other words, or where a variable would be text: %s",
    (command) => {
      expect(put(command)).toBe(command);
    },
  );

  test("in arguments of a tool call only where a value is exactly one of the contract", () => {
    const args = { container: "web", text: "web is up", tags: ["v1.2.3"], title: "Deploy", other: 1 };
    expect(withParameters(args, contract)).toEqual({
      container: "${target.service}",
      text: "web is up",
      tags: ["${payload.tag}"],
      title: "${payload.note.title}",
      other: 1,
    });
  });
});
