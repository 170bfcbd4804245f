// Reads one page of a list, or with --all every page, joined into one.
type Page = { readonly next_after: string | null };

export async function allPages<P extends Page>(
  all: boolean,
  read: (after: string | undefined) => Promise<P>,
  join: (before: P, page: P) => P,
): Promise<P> {
  let result = await read(undefined);
  while (all && result.next_after !== null) {
    result = join(result, await read(result.next_after));
  }
  return result;
}
