// Keeps to one run at a time for each key: callers that ask meanwhile join it, and get its answer. It is aborted once all
// of them have left; the next one begins after it has ended.

type Running<T> = { readonly answer: Promise<T>; readonly left: AbortController; callers: number };

type Joined<T> = (key: string, run: (signal: AbortSignal) => Promise<T>, caller: AbortSignal) => Promise<T>;

export function createJoined<T>(): Joined<T> {
  const running = new Map<string, Running<T>>();

  function begin(key: string, run: (signal: AbortSignal) => Promise<T>): Running<T> {
    const left = new AbortController();
    const before = running.get(key)?.answer.catch(() => undefined);
    const answer = Promise.resolve(before).then(() => run(left.signal));
    const begun = { answer, left, callers: 0 };
    const forget = () => void (running.get(key) === begun && running.delete(key));
    answer.then(forget, forget);
    running.set(key, begun);
    return begun;
  }

  return (key, run, caller) => {
    const now = running.get(key);
    const joined = now === undefined || now.left.signal.aborted ? begin(key, run) : now;
    joined.callers += 1;
    const leave = () => {
      joined.callers -= 1;
      if (joined.callers === 0) joined.left.abort();
    };
    if (caller.aborted) leave();
    else caller.addEventListener("abort", leave, { once: true });
    return joined.answer.finally(() => caller.removeEventListener("abort", leave));
  };
}
