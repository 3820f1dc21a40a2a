import { sql } from "kysely";
import type { NoticeReceiver } from "../../../core/keys/life.ts";
import type { Tx } from "../query/database.ts";
import type { Row } from "../query/tables.ts";

interface FoundReceiver {
  readonly owner_email: string | null;
  readonly user_id: number | null;
  readonly name: string | null;
  readonly email: string | null;
}

/** Whom a notice goes to: the owner of a key, or else the active user; `null` if there is neither. */
export const receiverIn = ({
  owner_email: owner,
  user_id: userId,
  name,
  email,
}: FoundReceiver): NoticeReceiver | null => {
  if (owner !== null) return { userId: null, name: "", email: owner };
  return userId === null || email === null ? null : { userId, name: name ?? "", email };
};

/**
 * Finds whom notices go to about what a key or user made of a dealer. Nobody, if the key or user is bound to another dealer
 * by now.
 */
export const receiverOf = async (
  tx: Tx,
  {
    actor_key_id: key,
    actor_user_id: user,
    dealer_id: dealer,
  }: Pick<Row<"webhooks">, "actor_key_id" | "actor_user_id" | "dealer_id">,
): Promise<NoticeReceiver | null> => {
  const {
    rows: [row],
  } = await sql<FoundReceiver>`SELECT api_keys.owner_email, CASE WHEN users.active = 1 THEN users.id END AS user_id,
      users.name, users.email
    FROM (SELECT 1 AS one) AS maker
    LEFT JOIN api_keys ON api_keys.id = ${key}
    LEFT JOIN dealer_keys ON dealer_keys.key_id = api_keys.id
    LEFT JOIN users ON users.id = COALESCE(api_keys.user_id, ${user})
    WHERE COALESCE(dealer_keys.dealer_id, users.dealer_id) IS NULL
      OR COALESCE(dealer_keys.dealer_id, users.dealer_id) = ${dealer}`.execute(tx);
  return row === undefined ? null : receiverIn(row);
};
