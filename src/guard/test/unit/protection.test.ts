import { describe, expect, test } from "vitest";
import { protectPaths } from "../../guard.ts";
import { outcomeOf } from "./guard-outcome.ts";

describe("a tree that the site protects", () => {
  test("is deleted by nothing, and what is right below it only after an approval", () => {
    expect(outcomeOf("rm -rf /photos-of-the-site")).toBe("allow");
    protectPaths(["/photos-of-the-site/"]);
    expect(outcomeOf("rm -rf /photos-of-the-site")).toBe("block");
    expect(outcomeOf("rm -rf /photos-of-the-site/*")).toBe("block");
    expect(outcomeOf("chmod -R 777 /photos-of-the-site")).toBe("block");
    expect(outcomeOf("rm -rf /photos-of-the-site/2024")).toBe("ask");
    expect(outcomeOf("rm -rf /photos-of-the-site/2024/tmp")).toBe("allow");
  });

  test("takes nothing away from what is always protected", () => {
    protectPaths(["/usr/of-the-site"]);
    expect(outcomeOf("rm -rf /usr")).toBe("block");
    expect(outcomeOf("rm -rf /usr/of-the-site")).toBe("block");
  });
});
