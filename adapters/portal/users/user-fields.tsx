import { Button, SimpleGrid, Text } from "@mantine/core";
import { ROLE_PERMISSIONS, ROLES, setOfPairs } from "../../../core/access/permissions.ts";
import { ROLE_WORDS } from "../api/answers.ts";
import { DealerField, useDealerName } from "../dealers/dealer-choice.tsx";
import type { useDraft } from "../forms/draft.ts";
import { ChoiceField, TextField } from "../forms/fields.tsx";
import { bindingOf } from "../keys/key-effect.ts";
import { PermissionMatrix } from "../permissions/matrix.tsx";
import { useSession } from "../session/session.tsx";
import type { UserDraft } from "./user-draft.ts";

interface UserFieldsProps {
  readonly draft: ReturnType<typeof useDraft<UserDraft>>;
  /** True for the signed-in user's own record, of which others change the address and raise the role. */
  readonly isSelf?: boolean;
}

/** Every field of a user. Permissions follow the role until they are chosen by hand. */
export const UserFields = ({ draft, isSelf = false }: UserFieldsProps) => {
  const { user } = useSession();
  const nameOf = useDealerName();
  const held = setOfPairs(user.permissions);
  const own = bindingOf(user);
  const { values, set, bind } = draft;
  const usual = ROLE_PERMISSIONS[values.role] & held;
  const roles = isSelf
    ? ROLES.slice(ROLES.indexOf(user.role))
    : ROLES.filter((role) => user.role === "super_admin" || role !== "super_admin");
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextField {...bind("name")} label="Name" required />
        <TextField
          {...bind("email")}
          label="Email"
          type="email"
          required
          {...(isSelf && { disabled: true, description: "Changed on the page of your account" })}
        />
        <ChoiceField
          {...bind("role")}
          label="Role"
          options={roles.map((role) => [role, ROLE_WORDS[role]] as const)}
          onChange={(role) =>
            set({ role, ...(values.permissions === usual && { permissions: ROLE_PERMISSIONS[role] & held }) })
          }
        />
        {own === null ? (
          values.role !== "super_admin" && (
            <DealerField {...bind("dealer_id")} none="No dealer" required={values.role === "dealer_admin"} />
          )
        ) : (
          <Text size="sm">Belongs to {nameOf(own)}.</Text>
        )}
      </SimpleGrid>
      <div>
        <Button size="compact-sm" variant="default" mb="xs" onClick={() => set({ permissions: usual })}>
          Usual permissions of the role
        </Button>
        <PermissionMatrix value={values.permissions} onChange={(permissions) => set({ permissions })} ceiling={held} />
      </div>
    </>
  );
};
