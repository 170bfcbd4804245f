// The local backend keeps the contract of every execution backend.
import { createLocalBackend } from "../../src/execution/local-backend.ts";
import { executionBackendSuite } from "./execution-backend.ts";

executionBackendSuite("local", {
  create: () => createLocalBackend({ clock: () => new Date(), home: "/tmp" }),
});
