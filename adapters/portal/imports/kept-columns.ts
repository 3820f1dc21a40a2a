import type { OwnColumns } from "../../../core/imports/headings/columns.ts";
import { foldHeading, isComputed } from "../../../core/imports/headings/headings.ts";

interface Kept {
  /** The dealer and the headings for which it is kept. */
  readonly file: string;
  readonly columns: OwnColumns;
}

/** So many kinds of files are remembered. */
const MOST_KEPT = 50;

const storeOf = (userId: number): string => `portal-import-columns-${userId}`;

const keptBy = (userId: number): readonly Kept[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storeOf(userId)) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
};

/** Tells files of one kind: their headings, without those that a file of failed rows has besides. */
const kindOf = (dealerId: string, heading: readonly string[]): string =>
  JSON.stringify([
    dealerId,
    ...heading
      .filter((name) => !isComputed(name))
      .map(foldHeading)
      .sort(),
  ]);

/** What the user last chose, in this browser, for a file of this dealer with the same headings. */
export const keptColumns = (userId: number, dealerId: string, heading: readonly string[]): OwnColumns =>
  keptBy(userId).find(({ file }) => file === kindOf(dealerId, heading))?.columns ?? {};

/** Keeps what was chosen for the dealer's next file of the same headings. */
export const keepColumns = (
  userId: number,
  dealerId: string,
  { heading, own }: { readonly heading: readonly string[]; readonly own: OwnColumns },
): void => {
  const file = kindOf(dealerId, heading);
  const others = keptBy(userId).filter((kept) => kept.file !== file);
  const mine = Object.keys(own).length === 0 ? [] : [{ file, columns: own }];
  localStorage.setItem(storeOf(userId), JSON.stringify([...mine, ...others].slice(0, MOST_KEPT)));
};
