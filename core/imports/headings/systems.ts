import { AUTOFUNDS } from "./systems/autofunds.ts";
import { AUTOXLOO } from "./systems/autoxloo.ts";
import { DEALERCENTER } from "./systems/dealercenter.ts";
import { GOOGLE_ADS } from "./systems/google-ads.ts";
import { GOOGLE_LISTINGS } from "./systems/google-listings.ts";
import { HOMENET } from "./systems/homenet.ts";
import { KSL } from "./systems/ksl.ts";
import { META } from "./systems/meta.ts";
import { VAUTO } from "./systems/vauto.ts";
import { WEBSITES_4_DEALERS } from "./systems/websites-for-dealers.ts";

/** The columns of the files of one system, as they are written there. */
export interface SystemHeadings {
  readonly name: string;
  readonly headings: Readonly<Record<string, readonly string[]>>;
  /** Columns of its files for which vehicles have no field. */
  readonly unread: readonly string[];
}

/** Systems whose files public sources describe. docs/imports.md says what to choose for each. */
export const SYSTEMS: readonly SystemHeadings[] = [
  VAUTO,
  HOMENET,
  DEALERCENTER,
  AUTOFUNDS,
  AUTOXLOO,
  KSL,
  GOOGLE_LISTINGS,
  GOOGLE_ADS,
  META,
  WEBSITES_4_DEALERS,
];
