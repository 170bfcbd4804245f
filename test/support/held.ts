// Opens what the tests of a file share, or what each test opens for itself, and closes it when they have ended.
import { afterAll, afterEach } from "vitest";

type Open = AsyncDisposable | { readonly stop: () => Promise<unknown> | unknown };

const close = (one: Open) => (Symbol.asyncDispose in one ? one[Symbol.asyncDispose]() : one.stop());

/** Is open until the last test of the file has ended; what was opened last is closed first. */
export function held<T extends Open>(one: T): T {
  afterAll(async () => void (await close(one)));
  return one;
}

/** Opens as `open` does; what a test has opened is closed when it has ended. */
export function eachTime<Given extends unknown[], T extends Open>(open: (...given: Given) => Promise<T>) {
  const opened: T[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await close(one);
  });
  return async (...given: Given): Promise<T> => {
    const one = await open(...given);
    opened.push(one);
    return one;
  };
}
