import { Button, Group, Text } from "@mantine/core";
import { RATE_LIMITS } from "../../../core/access/rate-limits.ts";
import { APP_TYPES, DEFAULT_PERMISSIONS, setOfPairs } from "../../../core/permissions.ts";
import { DealerField, DealerName } from "../choices/dealer-choice.tsx";
import { UserField } from "../choices/user-choice.tsx";
import type { useDraft } from "../forms/draft.ts";
import { FieldGroups, type FieldList, type ListedGroup } from "../forms/field-list.tsx";
import { PermissionMatrix } from "../permissions/permissions.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { associationsFor, type KeyDraft } from "./key-draft.ts";

interface KeyFieldsProps {
  readonly draft: ReturnType<typeof useDraft<KeyDraft>>;
  readonly isNew: boolean;
}

const TYPES = APP_TYPES.map((type) => [type, type.charAt(0).toUpperCase() + type.slice(1)] as const);

/** The permissions of a key, chosen one by one or as those of an app type. */
const PermissionChoice = ({ draft: { values, set } }: Pick<KeyFieldsProps, "draft">) => {
  const held = setOfPairs(useSession().user.permissions);
  return (
    <>
      <Group gap="xs" role="group" aria-label="Presets">
        <Text size="sm">Presets:</Text>
        {APP_TYPES.map((type) => (
          <Button
            key={type}
            size="compact-sm"
            variant="default"
            onClick={() => set({ permissions: DEFAULT_PERMISSIONS[type] & held })}
          >
            {type}
          </Button>
        ))}
        <Button size="compact-sm" variant="default" onClick={() => set({ permissions: 0 })}>
          none
        </Button>
      </Group>
      <PermissionMatrix value={values.permissions} onChange={(permissions) => set({ permissions })} ceiling={held} />
    </>
  );
};

const IN_BROWSERS: ListedGroup<KeyDraft> = {
  title: "In browsers",
  description:
    "A page that carries a key shows it to everybody. Such a key must be public: a web key of a dealer that only reads vehicles and dealers.",
  fields: {
    public: { kind: "flag", label: "Public", hint: "The limit holds for each visitor's address" },
    allowed_origins: {
      kind: "long",
      label: "Allowed origins",
      hint: "One in each line, such as https://www.harbor.example.com. Empty: any",
    },
  },
};

const NETWORKS: ListedGroup<KeyDraft> = {
  title: "Networks",
  description: "A key for servers can be limited to their networks. Requests from other addresses are refused.",
  fields: {
    allowed_networks: {
      kind: "long",
      label: "Allowed networks",
      hint: "One in each line, such as 203.0.113.0/24 or 2001:db8::/32. Empty: any",
    },
  },
};

/** Every field of a key. A new key's permissions follow its app type until the user edits them. */
export const KeyFields = ({ draft, isNew }: KeyFieldsProps) => {
  const { user } = useSession();
  const { values, set } = draft;
  const held = setOfPairs(user.permissions);
  const boundDealerId = bindingOf(user);
  const isOfDealer = values.association === "dealer";
  const isOfUser = values.association === "user";
  const chooseType = (app_type: KeyDraft["app_type"]): void => {
    const isPreset = values.permissions === (DEFAULT_PERMISSIONS[values.app_type] & held);
    set({ app_type, ...(isNew && isPreset && { permissions: DEFAULT_PERMISSIONS[app_type] & held }) });
  };
  const key: FieldList<KeyDraft> = {
    name: { kind: "text", label: "Name", hint: "What people will know it by", required: true },
    app_id: {
      ...{ kind: "text", label: "App id", required: true, disabled: !isNew },
      hint: isNew ? "Names the application; becomes part of the key" : "Part of the key; cannot be changed",
    },
    app_type: { kind: "choice", label: "App type", choices: TYPES, onChoose: chooseType },
    owner_email: {
      kind: "email",
      label: "Owner's email",
      hint: "Gets notices before the key ends. Empty: its user does",
    },
    description: { kind: "long", label: "Description" },
  };
  const owner: FieldList<KeyDraft> = {
    association: { kind: "choice", label: "Association", choices: associationsFor(user) },
    dealer_id: isOfDealer && boundDealerId === null && { kind: DealerField, label: "Dealer", required: true },
    user_id: isOfUser && { kind: UserField, label: "User", required: true },
  };
  const limits: FieldList<KeyDraft> = {
    rate_limit: {
      ...{ kind: "whole", label: "Requests a minute" },
      hint: `Empty: ${RATE_LIMITS[values.app_type]}, as for every ${values.app_type} key`,
    },
    expires_at: { kind: "date", label: "Expires at the end of", hint: "Empty: never" },
  };
  return (
    <FieldGroups
      draft={draft}
      groups={[
        { title: "The key", fields: key },
        {
          title: "Who it is for",
          description: "A dealer's key sees that dealer's data only, a user's key what its user may see.",
          fields: owner,
          below: isOfDealer && boundDealerId !== null && (
            <Text size="sm">
              The key will be bound to <DealerName id={boundDealerId} />.
            </Text>
          ),
        },
        {
          title: "What it may do",
          below: isOfUser ? (
            <Text size="sm">A user's key has the permissions of its user, as they are at the time of use.</Text>
          ) : (
            <PermissionChoice draft={draft} />
          ),
        },
        { title: "Limits", fields: limits },
        IN_BROWSERS,
        NETWORKS,
      ]}
    />
  );
};
