import type { Timestamp } from "../../../core/clock.ts";
import type { KeyRecord } from "../../../core/keys/key.ts";
import type { IssuedSecret } from "../../../core/keys/secrets.ts";
import type { Tx } from "../query/database.ts";

/** Adds the present secret of a key. */
export const addSecret = async (tx: Tx, keyId: number, { hash }: Pick<IssuedSecret, "hash">): Promise<void> => {
  await tx.insertInto("key_secrets").values({ hash, key_id: keyId, ends_at: null }).execute();
};

/** Ends the previous secret at `previousEndsAt`, and all older ones now. */
export const replaceSecret = async (
  tx: Tx,
  {
    seen: { id, keyStart },
    secret,
    previousEndsAt,
  }: { readonly seen: KeyRecord; readonly secret: IssuedSecret; readonly previousEndsAt: Timestamp },
): Promise<void> => {
  await tx.deleteFrom("key_secrets").where("key_id", "=", id).where("ends_at", "is not", null).execute();
  await tx
    .updateTable("key_secrets")
    .set({ ends_at: previousEndsAt, start: keyStart })
    .where("key_id", "=", id)
    .execute();
  await addSecret(tx, id, secret);
};
