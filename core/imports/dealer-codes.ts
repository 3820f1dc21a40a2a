import { foldCode } from "../dealers/codes.ts";
import type { RowReads } from "./import-repository.ts";
import type { ReadRow } from "./row-decision.ts";

/** The rows with the dealers whose codes they name. */
export const withDealersOfCodes = async (
  reads: Pick<RowReads, "dealersWithCodes">,
  rows: readonly ReadRow[],
): Promise<readonly ReadRow[]> => {
  const codeOf = ({ dealerId, values: { dealerCode } }: ReadRow): string | null =>
    dealerId === null && dealerCode !== undefined ? foldCode(dealerCode) : null;
  const codes = new Set(rows.flatMap((row) => codeOf(row) ?? []));
  if (codes.size === 0) return rows;
  const dealers = await reads.dealersWithCodes([...codes]);
  return rows.map((row) => {
    const dealerId = dealers.get(codeOf(row) ?? "");
    return dealerId === undefined ? row : { ...row, dealerId };
  });
};
