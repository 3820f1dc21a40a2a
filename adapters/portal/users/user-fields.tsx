import { Button, Group, Text } from "@mantine/core";
import { authorityOfUser } from "../../../core/access/authority.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../../../core/access/rules/nobody-hands-out-more-than-they-hold.ts";
import { nobodyRaisesTheirOwnRole } from "../../../core/access/rules/nobody-raises-their-own-role.ts";
import { ROLE_PERMISSIONS, ROLES, type Role, setOfPairs } from "../../../core/permissions.ts";
import { ROLE_LABELS } from "../api/responses.ts";
import { DealerField, DealerName } from "../choices/dealer-choice.tsx";
import type { useDraft } from "../forms/draft.ts";
import { FieldGroups, type FieldList } from "../forms/field-list.tsx";
import { PermissionMatrix } from "../permissions/permissions.tsx";
import { bindingOf, powersOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import type { UserDraft } from "./user-draft.ts";

interface UserFieldsProps {
  readonly draft: ReturnType<typeof useDraft<UserDraft>>;
  /** True for the signed-in user's own record: only others may change its address or raise its role. */
  readonly isSelf?: boolean;
}

/** Every field of a user. Permissions follow the role until somebody edits them. */
export const UserFields = ({ draft, isSelf = false }: UserFieldsProps) => {
  const { user } = useSession();
  const held = setOfPairs(user.permissions);
  const boundDealerId = bindingOf(user);
  const { values, set } = draft;
  const usual = ROLE_PERMISSIONS[values.role] & held;
  const mayGive = (role: Role): boolean =>
    isSelf
      ? nobodyRaisesTheirOwnRole({ userId: user.id }, user, { role }) === null
      : nobodyHandsOutMoreThanTheyHold(
          powersOf(user),
          authorityOfUser({ role, dealerId: boundDealerId, permissions: 0 }),
        ) === null;
  const roles = ROLES.filter(mayGive);
  const fields: FieldList<UserDraft> = {
    name: { kind: "text", label: "Name", required: true },
    email: {
      ...{ kind: "email", label: "Email", required: true },
      ...(isSelf && { disabled: true, hint: "Changed on the page of your account" }),
    },
    role: {
      ...{ kind: "choice", label: "Role", choices: roles.map((role) => [role, ROLE_LABELS[role]]) },
      onChoose: (role) =>
        set({ role, ...(values.permissions === usual && { permissions: ROLE_PERMISSIONS[role] & held }) }),
    },
    dealer_id: boundDealerId === null &&
      values.role !== "super_admin" && {
        ...{ kind: DealerField, label: "Dealer", placeholder: "No dealer" },
        required: values.role === "dealer_admin",
      },
  };
  return (
    <FieldGroups
      draft={draft}
      groups={[
        {
          ...{ title: "The user", fields },
          below: boundDealerId !== null && (
            <Text size="sm">
              Belongs to <DealerName id={boundDealerId} />.
            </Text>
          ),
        },
        {
          title: "What they may do",
          below: (
            <>
              <Group>
                <Button size="compact-sm" variant="default" onClick={() => set({ permissions: usual })}>
                  Usual permissions of the role
                </Button>
              </Group>
              <PermissionMatrix
                value={values.permissions}
                onChange={(permissions) => set({ permissions })}
                ceiling={held}
              />
            </>
          ),
        },
      ]}
    />
  );
};
