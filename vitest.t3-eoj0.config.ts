import { defineConfig } from "vitest/config";
export default defineConfig({ test: { include: ["src/execution/test/unit/flow-engine/*.test.ts"], isolate: false, testTimeout: 60000 } });
