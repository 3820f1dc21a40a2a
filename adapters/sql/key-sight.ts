import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Sight } from "../../core/keys/key-repository.ts";
import type { Values } from "./database.ts";
import { param } from "./statement.ts";

/** The kinds of sight there are of keys: each has statements of its own. */
export type Seen = "everything" | "dealer" | "user";

export const kindOf = (sight: Sight): Seen =>
  sight === "everything" ? sight : "dealerId" in sight ? "dealer" : "user";

/** Values for the parameters of a sight's part of the WHERE. */
export const sightValues = (sight: Sight): Values =>
  sight === "everything" ? {} : "dealerId" in sight ? { sightDealer: sight.dealerId } : { sightUser: sight.userId };

/** Keys bound to a dealer, themselves or through their user. */
const boundTo = (dealer: RawBuilder<number>): RawBuilder<SqlBool> => sql<SqlBool>`api_keys.id IN (
  SELECT key_id FROM dealer_keys WHERE dealer_id = ${dealer}
  UNION ALL SELECT of_user.id FROM api_keys AS of_user JOIN users AS holder ON holder.id = of_user.user_id
  WHERE holder.dealer_id = ${dealer} AND of_user.association = 'user')`;

/** The part of the WHERE that a sight demands. */
export const SEES: Readonly<Record<Seen, RawBuilder<SqlBool>>> = {
  everything: sql<SqlBool>`1 = 1`,
  dealer: boundTo(param<number>("sightDealer")),
  user: sql<SqlBool>`api_keys.user_id = ${param("sightUser")}`,
};
