/** The items in lists of `size`; the last list may be shorter. Only one list is kept in memory at a time. */
export function* batches<Item>(series: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of series) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
