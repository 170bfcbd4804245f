import { describe, expect, test } from "vitest";
import { licenseFault } from "../../../../src/tools/dist/license.ts";

const COPYRIGHT = "\n\nCopyright (c) 2026 The holder\n";

const BSD_2 = `Copyright (c) 2026 The holder
All rights reserved.

Redistribution and use in source and binary
forms, with or without modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice.
`;
const BSD_3 = `${BSD_2}
3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or
   promote products derived from this software without specific prior written permission.
`;
const BSD_4 = `${BSD_3}\n4. All advertising materials mentioning features of this software must display it.\n`;

describe("the text of a licence", () => {
  test.each([
    ["MIT", `MIT License${COPYRIGHT}`],
    ["MIT", `The MIT License (MIT)${COPYRIGHT}`],
    ["ISC", `ISC License${COPYRIGHT}`],
    ["BSD-3-Clause", `BSD 3-Clause License${COPYRIGHT}${BSD_3}`],
    ["BSD-2-Clause", `BSD 2-Clause License${COPYRIGHT}${BSD_2}`],
    ["BSD-3-Clause", BSD_3],
    ["BSD-2-Clause", BSD_2],
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
    ["BSD-2-Clause", "Copyright (c) 2026 The holder\n\nPermission is hereby granted, free of charge\n"],
  ])("is refused for %s where it begins as another", (id, text) => {
    expect(licenseFault(id, text, "LICENSE")).toMatch(/^LICENSE begins with .*, which is not how .* begins\./);
  });

  test.each([
    ["BSD-2-Clause", BSD_3],
    ["BSD-3-Clause", BSD_2],
    ["BSD-3-Clause", `BSD 3-Clause License${BSD_4}`],
  ])("is refused for %s where its clauses are those of another", (id, text) => {
    expect(licenseFault(id, text, "LICENSE")).toMatch(/^LICENSE has not the clauses of BSD-\d-Clause: .* --license\.$/);
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
