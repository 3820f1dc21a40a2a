const ROUTE = /<Route path="([^"]+)"/g;

/** The pages of the portal at which none of these addresses leads, as `adapters/portal/app.tsx` names them. */
export const pagesWithout = async (addresses: readonly string[]): Promise<string[]> => {
  const text = await Bun.file("adapters/portal/app.tsx").text();
  const pages = [...text.matchAll(ROUTE)].map(([, page = ""]) => page);
  if (pages.length === 0) throw new Error("adapters/portal/app.tsx has no routes of this form any more");
  // An address that a page names itself, such as /keys/new, is not one of /keys/:id.
  const pageOf = (path: string): string | undefined =>
    pages.find((page) => page === path) ??
    pages.find((page) => new RegExp(`^${page.replaceAll(/:\w+/g, "[^/]+")}$`).test(path));
  const reached = new Set(addresses.map((address) => pageOf(new URL(address, "https://portal.example.com").pathname)));
  return pages.filter((page) => !reached.has(page));
};
