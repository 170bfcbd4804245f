// A server as the page shows it.
import type { Answer } from "../../operations.ts";

export type ShownServer = Answer<"list_servers">["servers"][number];
