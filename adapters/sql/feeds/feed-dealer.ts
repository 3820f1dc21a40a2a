import type { FeedDealer } from "../../../core/channels/channel.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, type Statement, statement } from "../query/statement.ts";

type FeedDealerRow = Omit<FeedDealer, "codes"> & { readonly codes: string };

/** Reads the fields of a dealer that feeds contain. */
export const feedDealerStatement = (db: SqlDatabase): Statement<FeedDealerRow> =>
  statement(() =>
    db
      .selectFrom("dealers")
      .select(["id", "name", "address", "city", "state", "zip", "phone", "codes"])
      .where("id", "=", param("id")),
  );

/** The dealer of a row of that statement. */
export const feedDealerIn = ({ codes, ...dealer }: FeedDealerRow): FeedDealer => ({
  ...dealer,
  codes: JSON.parse(codes) as readonly string[],
});
