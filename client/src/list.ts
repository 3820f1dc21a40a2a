/** A page of a list. */
export interface Page<Item, Body> {
  readonly items: readonly Item[];
  /** How many records there are on all pages; `null` if the service does not say. */
  readonly total: number | null;
  /** The whole answer, with what a list says besides its items. */
  readonly body: Body;
  readonly response: Response;
  /** True if another page follows. */
  readonly hasNext: boolean;
  /** Reads the page behind this one; `null` if this is the last. */
  next(): Promise<Page<Item, Body> | null>;
}

/** A list: nothing is asked before somebody reads it. */
export class List<Item, Body> implements AsyncIterable<Item> {
  readonly #first: () => Promise<Page<Item, Body>>;

  constructor(first: () => Promise<Page<Item, Body>>) {
    this.#first = first;
  }

  /** The first page. */
  page(): Promise<Page<Item, Body>> {
    return this.#first();
  }

  /** The pages, each read when the one before was taken. */
  async *pages(): AsyncGenerator<Page<Item, Body>, void> {
    for (let page: Page<Item, Body> | null = await this.page(); page !== null; page = await page.next()) yield page;
  }

  /** All items, of page after page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** All items at once. */
  async all(): Promise<Item[]> {
    const all: Item[] = [];
    for await (const item of this) all.push(item);
    return all;
  }
}

/** The query of the next page in a header `Link`, as the service writes it; `null` on the last page. */
export const nextQuery = (link: string | null): string | null =>
  /<[^>]*?\?([^>]*)>; rel="next"/.exec(link ?? "")?.[1] ?? null;
