import { describe, expect, test } from "vitest";
import { licenseFault } from "../../../src/dist/license.ts";

const COPYRIGHT = "\n\nCopyright (c) 2026 The holder\n";

describe("the text of a licence", () => {
  test.each([
    ["MIT", `MIT License${COPYRIGHT}`],
    ["MIT", `The MIT License (MIT)${COPYRIGHT}`],
    ["ISC", `ISC License${COPYRIGHT}`],
    ["BSD-3-Clause", `BSD 3-Clause License${COPYRIGHT}`],
    [
      "Apache-2.0",
      "\n                                 Apache License\n                           Version 2.0, January 2004\n",
    ],
    ["MPL-2.0", "Mozilla Public License Version 2.0\n====\n"],
    [
      "GPL-3.0-or-later",
      "                    GNU GENERAL PUBLIC LICENSE\n                       Version 3, 29 June 2007\n",
    ],
    ["AGPL-3.0-only", "GNU AFFERO GENERAL PUBLIC LICENSE\n   Version 3, 19 November 2007\n"],
    ["SEE LICENSE IN LICENSE", "Only for use in this house.\n"],
  ])("fits %s by its first lines", (id, text) => {
    expect(licenseFault(id, text, "LICENSE")).toBeNull();
  });

  test.each([
    ["MIT", `ISC License${COPYRIGHT}`],
    ["GPL-3.0-only", "GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\n"],
    ["GPL-3.0-only", "GNU GENERAL PUBLIC LICENSE\nVersion 2, June 1991\n"],
    ["Apache-2.0", "This project is under the Apache License, Version 2.0.\n"],
  ])("is refused for %s where it begins as another", (id, text) => {
    expect(licenseFault(id, text, "LICENSE")).toMatch(/^LICENSE begins with .*, which is not how .* begins\./);
  });

  test("is refused where it is empty, missing, or has a blank where the holder belongs", () => {
    expect(licenseFault("MIT", null, "LICENSE")).toMatch(/^LICENSE is not there or is empty\./);
    expect(licenseFault("SEE LICENSE IN LICENSE", " \n", "LICENSE")).toMatch(/is empty/);
    const template = "MIT License\n\nCopyright (c) [year] [fullname]\n";
    expect(licenseFault("MIT", template, "LICENSE")).toMatch(/still has a blank/);
  });

  test("is refused for a name that is none of those that orch knows, with what to use instead", () => {
    expect(licenseFault("constructor", "MIT License", "LICENSE")).toMatch(
      /does not know how the licence "constructor" begins\. It knows MIT, .*"SEE LICENSE IN LICENSE"/,
    );
  });
});
