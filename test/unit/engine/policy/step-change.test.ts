// Whether a step changes something, and what policy has against its preview.
import { describe, expect, test } from "vitest";
import { changesOf, previewFault, previewObstacle } from "../../../../src/engine/policy/category-consequences.ts";
import { check, cmd, mcpCall, wait } from "../../../support/builders.ts";

const SHELL = { home: "/root", cwd: "/srv/web", env: {} };
const fault = (preview: string) => previewFault({ kind: "cmd", value: "make deploy", preview }, SHELL);

describe("a preview", () => {
  test.each(["terraform plan", "docker compose up --dry-run", "rsync -n a/ b/", "kubectl diff -f x.yaml"])(
    "that policy knows to look only is taught and run: %s",
    (preview) => {
      expect([fault(preview), previewObstacle(preview, SHELL)]).toEqual([null, null]);
    },
  );

  test("that policy does not know is taught, and not run without an approval", () => {
    const preview = "ansible-playbook --check --diff site.yml";
    expect(fault(preview)).toBeNull();
    expect(previewObstacle(preview, SHELL)).toMatch(/not known to only look/);
  });

  test("that needs an approval is not run", () => {
    expect(previewObstacle("cat /etc/shadow | $x", SHELL)).not.toBeNull();
  });

  test("that changes something, or that is always blocked, is refused", () => {
    expect(fault("docker compose up")).toBe("a preview only looks, and this one changes containers, images or volumes");
    expect(fault("rm -rf /")).not.toBeNull();
  });

  test("is none where a step has none", () => {
    expect([previewFault(cmd("rm -rf /"), SHELL), previewFault(check("true"), SHELL)]).toEqual([null, null]);
  });
});

describe("what a step changes", () => {
  test("is known of a command, and not asked of a tool", () => {
    const steps = [cmd("cat a"), cmd("touch a"), cmd("./deploy.sh"), wait("1s"), mcpCall()];
    expect(changesOf(steps, SHELL)).toEqual(["looks", "changes", "cannot_tell", "looks", null]);
  });

  test("depends on what the steps before it have left", () => {
    expect(changesOf([cmd("echo 'touch b' > a.sh"), check("sh a.sh")], SHELL)).toEqual(["changes", "changes"]);
  });
});
