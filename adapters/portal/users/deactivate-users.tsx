import { Text } from "@mantine/core";
import { useRef } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { change, readList } from "../api/client.ts";
import { useListed } from "../api/queries.ts";
import { refuse } from "../forms/refuse.ts";
import type { Asked } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { counted } from "../shell/figures.tsx";
import { LeavingFields, useLeaving } from "./leaving.tsx";

const MOST = 1000;

const activeKeysOf = (id: number, limit: number) => ({ user_id: id, active: "true", limit });

/** How many keys that work go with a user. */
const KeysOf = ({ id, verb }: { id: number; verb: string }) => {
  const { data } = useListed<PresentedKey>("/keys", activeKeysOf(id, 1), { enabled: useMay()("keys:read") });
  if (data === undefined) return null;
  return data.total === 0 ? "No keys" : `${counted(data.total, "key")} ${verb}`;
};

/** Deactivates the ticked users, and revokes or passes on their keys; undone, they have them back. */
export const DeactivateUsers = (asked: Asked<PresentedUser>) => {
  const { user } = useSession();
  const mayReadKeys = useMay()("keys:read");
  const leaving = useLeaving();
  const { fate, newOwner, body } = leaving;
  const keysBefore = useRef(new Map<number, readonly PresentedKey[]>());
  const deactivate = async ({ id }: PresentedUser): Promise<string> => {
    const { items } = mayReadKeys ? await readList<PresentedKey>("/keys", activeKeysOf(id, MOST)) : { items: [] };
    await change("POST", `/users/${id}/leave`, body);
    keysBefore.current.set(id, items);
    return items.length === 0 ? "" : `${counted(items.length, "key")} ${fate === "revoke" ? "revoked" : "passed on"}`;
  };
  const reactivate = async ({ id }: PresentedUser): Promise<string> => {
    await change("PUT", `/users/${id}`, { active: true });
    const keys = keysBefore.current.get(id) ?? [];
    for (const key of keys)
      await change("PUT", `/keys/${key.id}`, fate === "revoke" ? { active: true } : { user_id: id });
    return keys.length === 0 ? "Active again" : `Active again, with ${counted(keys.length, "key")}`;
  };
  return (
    <BulkChange
      {...asked}
      title={(count) => `Deactivate ${counted(count, "user")}?`}
      confirm="Deactivate"
      outcome={(count) => `${counted(count, "user")} deactivated`}
      danger
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      exempt={({ id, active }) => (id === user.id ? "This is you" : !active && "Inactive already")}
      about={({ id }) => <KeysOf id={id} verb={fate === "revoke" ? "to be revoked" : "to be passed on"} />}
      isChanged={leaving.isChanged}
      check={() => {
        const isOpen = fate === "transfer" && newOwner === "";
        refuse(isOpen ? [{ path: "to_user_id", message: "is required to transfer keys" }] : []);
      }}
      change={deactivate}
      undo={reactivate}
    >
      <Text size="sm">The accounts are deactivated and signed out everywhere.</Text>
      <LeavingFields leaving={leaving} except={asked.rows.map(({ id }) => id)} />
    </BulkChange>
  );
};
