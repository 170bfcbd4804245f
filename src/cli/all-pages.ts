// Reads one page of a list, or with --all every page, joined into one.
import type { Result } from "./failure.ts";

type Page = { readonly next_after: string | null };

export async function allPages<P extends Page>(
  all: boolean,
  read: (after: string | undefined) => Promise<Result<P>>,
  join: (before: P, page: P) => P,
): Promise<Result<P>> {
  let result = await read(undefined);
  while (all && result.ok && result.value.next_after !== null) {
    const before = result.value;
    const page = await read(result.value.next_after);
    result = page.ok ? { ok: true, value: join(before, page.value) } : page;
  }
  return result;
}
