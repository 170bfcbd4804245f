// Ends the session on the server, and in this tab in any case.
import { send } from "./request.ts";
import { forgetSession } from "./session.ts";

export const logOut = (): Promise<void> =>
  send("/console/logout", { method: "POST", body: {} }).then(forgetSession, forgetSession);
