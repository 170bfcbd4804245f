// Generates the Prisma client for both databases into src/store/generated (npm run generate, and after npm install).
// Works without a network: generating needs no engine binary, and a path to any existing file keeps Prisma from fetching one.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Provider } from "../src/store/sql.ts";
import { PROVIDERS, providerSchema } from "./provider-schema.ts";

const root = join(import.meta.dirname, "..");
const target = join(root, "src/store/generated");
const prisma = join(dirname(createRequire(import.meta.url).resolve("prisma/package.json")), "build/index.js");

function generate(provider: Provider): void {
  const schema = join(target, `${provider}.prisma`);
  writeFileSync(schema, providerSchema(provider));
  const { status, stdout, stderr } = spawnSync(process.execPath, [prisma, "generate", "--schema", schema], {
    cwd: root,
    encoding: "utf8",
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
      CHECKPOINT_DISABLE: "1",
    },
  });
  if (status !== 0) throw new Error(`prisma generate failed for ${provider}:\n${stdout}${stderr}`);
}

mkdirSync(target, { recursive: true });
for (const provider of PROVIDERS) generate(provider);
