/** The share by which a new price may differ from the one before it. */
const USUAL_CHANGE = 0.2;
/** A price below this share of what its peers cost was probably typed wrongly. */
const LOWEST_SHARE = 0.1;
/** Fewer peers do not show what is usual. */
const MIN_PEERS = 3;

const middleOf = (prices: readonly number[]): number => {
  const inOrder = prices.toSorted((one, other) => one - other);
  return inOrder[inOrder.length >> 1] ?? 0;
};

/** True if a price changes by more than a fifth. A price of 0 means that none was known. */
export const isUnusualChange = (before: number, after: number): boolean =>
  before > 0 && Math.abs(after - before) > before * USUAL_CHANGE;

/**
 * The price that a new one was probably meant to be near, if it should be confirmed: the one before, if they differ by
 * more than a fifth; or the middle one of its peers' prices, if it is below a tenth of that. `null` if there is nothing
 * to confirm. A price of 0 means that none is known.
 */
export const doubtedAgainst = (
  price: number,
  { before, peers }: { readonly before: number | null; readonly peers: readonly number[] },
): number | null => {
  if (before !== null && isUnusualChange(before, price)) return before;
  const known = peers.filter((peer) => peer > 0);
  const middle = middleOf(known);
  return price > 0 && known.length >= MIN_PEERS && price < middle * LOWEST_SHARE ? middle : null;
};
