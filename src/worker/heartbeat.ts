// Renews the leases of this server at intervals. When it could not for so long that another server may take its tasks up, it
// kills its running steps: both would work on one target otherwise (D-232).
type Deps = {
  /** Rejects when the database does not work, or another server has it. */
  readonly renew: () => Promise<unknown>;
  /** Null where no other server can get the database before this one has ended. */
  readonly lease_ms: number | null;
  readonly every_ms: number;
  /** In milliseconds, on a clock that is never set. */
  readonly now: () => number;
  readonly cutOff: () => void;
  readonly log: { error(details: object, message: string): void };
};

/** The returned function is one beat; it never rejects. A beat that is late is not waited for. */
export function createHeartbeat({ renew, lease_ms, every_ms, now, cutOff, log }: Deps): () => Promise<void> {
  let renewed = now();
  let isCut = false;

  function checkLease(): void {
    const is_over = lease_ms !== null && now() - renewed > lease_ms - every_ms;
    if (is_over && !isCut) {
      log.error(
        {},
        "the leases could not be renewed in time: the running steps are killed, another server may take over",
      );
      cutOff();
    }
    isCut = is_over;
  }

  return async () => {
    checkLease();
    const began = now();
    try {
      await renew();
      renewed = Math.max(renewed, began);
    } catch (error) {
      log.error({ err: error }, "leases were not renewed");
    }
  };
}
