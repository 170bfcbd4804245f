// The store of the unit tests does what every Store does.
import { memoryStore } from "../support/memory-store.ts";
import { storeSuite } from "./store-suite.ts";

storeSuite(async () => memoryStore(() => new Date()));
