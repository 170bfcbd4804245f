// The time by which approvals expire, which has to be the same on every server: that of the database, as this server measures its own clock
// against it with each lease (D-403).
import type { Clock, Servers } from "../ports.ts";

export const expiryClock =
  ({ clock, servers }: { readonly clock: Clock; readonly servers: Pick<Servers, "aheadMs"> }): Clock =>
  () =>
    new Date(clock().getTime() - servers.aheadMs());
