/** One page of a walk: its items, and the position of the next page; `null` after the last. */
export interface WalkedPage<Position, Item> {
  readonly items: readonly Item[];
  readonly next: Position | null;
}

/**
 * Reads page after page from `first` and returns all items in order. Fails after `mostPages`, so that an endless walk
 * fails before it fills the memory.
 */
export const walkPages = async <Position, Item>(
  first: Position,
  mostPages: number,
  read: (position: Position, pageNumber: number) => Promise<WalkedPage<Position, Item>>,
): Promise<Item[]> => {
  const walked: Item[] = [];
  let position: Position | null = first;
  for (let pageNumber = 0; position !== null; pageNumber++) {
    if (pageNumber === mostPages)
      throw new Error(`the walk goes on after ${mostPages} pages, at ${Bun.inspect(position)}`);
    const page: WalkedPage<Position, Item> = await read(position, pageNumber);
    walked.push(...page.items);
    position = page.next;
  }
  return walked;
};
