import { MIN_SALES, type SalePoint } from "./estimate.ts";

/** A sale of a dealer that others are compared with. */
export interface PastSale extends SalePoint {
  readonly vehicle_id: number;
  readonly year: number;
  readonly sold_at: string;
}

/** What vehicles have in common with the one in question. */
export const LIKENESSES = ["model_and_years", "model", "body_style_and_years"] as const;
export type Likeness = (typeof LIKENESSES)[number];

/** Sales of similar vehicles, the last ones first. */
export interface SimilarSales {
  readonly like: Likeness;
  readonly sales: readonly PastSale[];
}

/** So many of the last sales are considered. */
const MAX_SALES = 20;
/** How many years a vehicle may be older or newer. */
const YEARS_APART = 2;

/**
 * The sales that tell most of a vehicle: the last 20 of its model and about its age; if these are fewer than five, of its
 * model of any age; or else of its make and body style, about its age. If none of these are five, those of its model.
 */
export const similarSales = (
  year: number,
  { ofModel, ofStyle }: { readonly ofModel: readonly PastSale[]; readonly ofStyle: readonly PastSale[] },
): SimilarSales => {
  const isNear = (sale: PastSale): boolean => Math.abs(sale.year - year) <= YEARS_APART;
  const groups: readonly SimilarSales[] = [
    { like: "model_and_years", sales: ofModel.filter(isNear).slice(0, MAX_SALES) },
    { like: "model", sales: ofModel.slice(0, MAX_SALES) },
    { like: "body_style_and_years", sales: ofStyle.filter(isNear).slice(0, MAX_SALES) },
  ];
  return groups.find(({ sales }) => sales.length >= MIN_SALES) ?? { like: "model", sales: ofModel };
};
