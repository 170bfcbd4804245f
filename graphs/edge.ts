// What an edge chooses by: the fact that a node reported.

/** Throws when the node has reported no fact: that is a bug, and no outcome is guessed. */
export function factOf<State extends object, Fact extends keyof State & string>(
  state: State,
  fact: Fact,
  ...nodes: readonly string[]
): NonNullable<State[Fact]> {
  const reported = state[fact];
  if (reported == null) throw new Error(`no fact ${fact}: ${nodes.join(" or ")} has reported none`);
  return reported;
}
