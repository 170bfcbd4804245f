// A server as the page shows it.
import type { OperationAnswer } from "../../typed-operations.ts";

export type ShownServer = OperationAnswer<"list_servers">["servers"][number];
