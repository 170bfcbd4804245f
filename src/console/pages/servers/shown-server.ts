// A server as the page shows it.
import type { OperationAnswer } from "../../operation-types.ts";

export type ShownServer = OperationAnswer<"list_servers">["servers"][number];
