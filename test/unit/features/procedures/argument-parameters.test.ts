// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
import { describe, expect, test } from "vitest";
import { withParameters } from "../../../../src/features/procedures/parametrised-step.ts";
import { aContract } from "../../../support/builders.ts";

const contract = aContract({
  target: { service: "web", compose_dir: "/srv/web", port: "8080" },
  payload: { tag: "v1.2.3", note: { title: "Deploy" } },
});

describe("arguments of a tool call", () => {
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
    expect(withParameters(args, contract)).toEqual({
      value: args,
      left: [
        { key: "target.service", value: "web", where: "/text", why: whole },
        { key: "target.service", value: "web", where: "/dir~1x/web", why: "a name in an object cannot be a parameter" },
        {
          key: "target.port",
          value: "8080",
          where: "/ports/0",
          why: "a parameter would be text, and this is a number",
        },
        { key: "target.service", value: "web", where: "/cwd", why: whole },
        { key: "target.compose_dir", value: "/srv/web", where: "/cwd", why: whole },
      ],
    });
  });
});
