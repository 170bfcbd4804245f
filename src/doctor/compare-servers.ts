// What has to be the same on all live servers: their clocks, and the windows in which nothing is changed.
import { MOST_SKEW_SECONDS, type ServerDetails } from "../domain/server.ts";

type Compared = { readonly found: readonly string[]; readonly fix: readonly string[] };

/** `skew_seconds`: of the server that answers, as it has just measured it. The others have written theirs with their lease. */
export function compareServers(live: readonly ServerDetails[], skew_seconds: number): Compared {
  const skewed = live.flatMap(({ name, this: answers, clock_skew_seconds }) =>
    !answers && isSkewed(clock_skew_seconds)
      ? [`the clock of ${name} is ${clock_skew_seconds} s ahead of the database's`]
      : [],
  );
  const own = isSkewed(skew_seconds)
    ? [`the clock of the server that answers is ${skew_seconds} s ahead of the database's`]
    : [];
  const clocks = [...own, ...skewed];
  const windows = Map.groupBy(live, ({ windows_digest }) => windows_digest);
  const differ =
    windows.size <= 1 ? [] : [`the windows of ORCH_FREEZE_WINDOWS differ: ${[...windows].map(withNames).join("; ")}`];
  return {
    found: [...clocks, ...differ],
    fix: [
      ...(clocks.length > 0 ? ["Set the clocks of the servers and of the database by NTP."] : []),
      ...(differ.length > 0
        ? ["Give every server the same ORCH_FREEZE_WINDOWS: each holds what it starts itself."]
        : []),
    ],
  };
}

const isSkewed = (seconds: number | null): boolean => Math.abs(seconds ?? 0) > MOST_SKEW_SECONDS;

const withNames = ([digest, servers]: readonly [string | null, readonly ServerDetails[]]): string => {
  const names = servers.map(({ name }) => name).join(", ");
  return digest === null ? `${names} without` : `${names} with ${digest.slice(0, MOST_OF_DIGEST)}`;
};

/** Enough to see that two are not the same. */
const MOST_OF_DIGEST = "sha256:".length + 8;
