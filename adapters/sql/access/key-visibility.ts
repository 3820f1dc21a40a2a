import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Visibility } from "../../../core/access/visibility.ts";
import { param } from "../query/statement.ts";
import type { VisibilityKind } from "./visibility.ts";

/** Keys bound to a dealer, directly or through their user. */
const boundTo = (dealer: RawBuilder<number>): RawBuilder<SqlBool> => sql<SqlBool>`api_keys.id IN (
  SELECT key_id FROM dealer_keys WHERE dealer_id = ${dealer}
  UNION ALL SELECT of_user.id FROM api_keys AS of_user JOIN users AS holder ON holder.id = of_user.user_id
  WHERE holder.dealer_id = ${dealer} AND of_user.association = 'user')`;

/** The time after which a reader may see a key's usage; the empty text, which sorts first, for all of it. */
export const USAGE_VISIBLE_AFTER: Readonly<Record<VisibilityKind, RawBuilder<string>>> = {
  everything: sql<string>`''`,
  dealer: sql<string>`COALESCE(api_keys.bound_since, '')`,
  user: sql<string>`COALESCE(api_keys.bound_since, '')`,
};

const sinceBound = (column: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} > ${USAGE_VISIBLE_AFTER.dealer}`;

/**
 * Whether a reader may see usage of this time. Only super-admins see usage from before the key belonged to its dealer.
 */
export const IS_USAGE_VISIBLE: Readonly<Record<VisibilityKind, (column: string) => RawBuilder<SqlBool>>> = {
  everything: () => sql<SqlBool>`1 = 1`,
  dealer: sinceBound,
  user: sinceBound,
};

/** The WHERE condition for the keys that a reader may see, by the parameters of `visibilityValues`. */
export const IS_KEY_VISIBLE: Readonly<Record<VisibilityKind, RawBuilder<SqlBool>>> = {
  everything: sql<SqlBool>`1 = 1`,
  dealer: boundTo(param<number>("visibleDealer")),
  user: sql<SqlBool>`api_keys.user_id = ${param("visibleUser")}`,
};

/** The same with the reader's own values. */
export const isKeyVisible = (visibility: Visibility): RawBuilder<SqlBool> =>
  visibility === "everything"
    ? IS_KEY_VISIBLE.everything
    : "dealerId" in visibility
      ? boundTo(sql.val(visibility.dealerId))
      : sql<SqlBool>`api_keys.user_id = ${visibility.userId}`;
