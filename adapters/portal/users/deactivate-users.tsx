import { Text } from "@mantine/core";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { change, read } from "../api/client.ts";
import { useList } from "../api/queries.ts";
import type { GivenBack, Leave } from "../api/responses.ts";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import type { BulkDialogProps } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { formatCount } from "../page/figures.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { OffboardingFields, useOffboarding } from "./offboarding.tsx";

/** How many active keys are revoked or transferred with a user. */
const KeysOf = ({ id, verb }: { id: number; verb: string }) => {
  const { data } = useList<PresentedKey>(
    "/keys",
    { user_id: id, active: "true", limit: 1 },
    { enabled: useMay()("keys:read") },
  );
  if (data === undefined) return null;
  return data.total === 0 ? "No keys" : `${formatCount(data.total, "key")} ${verb}`;
};

/** Deactivates the selected users, and revokes or transfers their keys. Undo gives both back. */
export const DeactivateUsers = (dialogProps: BulkDialogProps<PresentedUser>) => {
  const { user } = useSession();
  const offboarding = useOffboarding();
  const { keyHandling, newOwner, body } = offboarding;
  const deactivate = async ({ id }: PresentedUser): Promise<string> => {
    await change("POST", `/users/${id}/leave`, body);
    const { left } = await read<Leave>(`/users/${id}/leave`);
    return left === null || left.keys === 0
      ? ""
      : `${formatCount(left.keys, "key")} ${keyHandling === "revoke" ? "revoked" : "passed on"}`;
  };
  const reactivate = async ({ id }: PresentedUser): Promise<string> => {
    const { keys } = await change<GivenBack>("POST", `/users/${id}/return`);
    return keys === 0 ? "Active again" : `Active again, with ${formatCount(keys, "key")}`;
  };
  return (
    <BulkChange
      {...dialogProps}
      title={(count) => `Deactivate ${formatCount(count, "user")}?`}
      confirm="Deactivate"
      resultTitle={(count) => `${formatCount(count, "user")} deactivated`}
      danger
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      skipReason={({ id, active }) => (id === user.id ? "This is you" : !active && "Inactive already")}
      detail={({ id }) => <KeysOf id={id} verb={keyHandling === "revoke" ? "to be revoked" : "to be passed on"} />}
      isChanged={offboarding.isChanged}
      validate={() => {
        const isOwnerMissing = keyHandling === "transfer" && newOwner === "";
        throwIfIssues(isOwnerMissing ? [{ path: "to_user_id", message: "is required to transfer keys" }] : []);
      }}
      changeRow={deactivate}
      undoRow={reactivate}
    >
      <Text size="sm">The accounts are deactivated and signed out everywhere.</Text>
      <OffboardingFields offboarding={offboarding} excludedIds={dialogProps.rows.map(({ id }) => id)} />
    </BulkChange>
  );
};
