// Reads one page of a list, or with --all every page, joined into one.
import type { Result } from "./failure.ts";

type Page = { readonly next_after: string | null };

export async function allPages<P extends Page>(
  all: boolean,
  read: (after: string | undefined) => Promise<Result<P>>,
  join: (before: P, page: P) => P,
): Promise<Result<P>> {
  let found = await read(undefined);
  while (all && found.ok && found.value.next_after !== null) {
    const before = found.value;
    const page = await read(found.value.next_after);
    found = page.ok ? { ok: true, value: join(before, page.value) } : page;
  }
  return found;
}
