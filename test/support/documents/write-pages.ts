// `npm run docs`: writes the pages that are made from the code.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GENERATED_PAGES } from "./generated-pages.ts";

for (const [path, write] of Object.entries(GENERATED_PAGES))
  await writeFile(join(import.meta.dirname, "../../..", path), await write());
