// Reads a list of the store to its end, page by page.
const PAGE = 500;

export type Page = { readonly limit: number; readonly after: string | undefined };

/** `idOf` gives the id that the next page follows. */
export async function everyPage<Row>(
  read: (page: Page) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: string | undefined; ; ) {
    const page = await read({ limit: PAGE, after });
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return rows;
    after = idOf(last);
  }
}
