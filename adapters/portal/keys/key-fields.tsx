import { Button, Group, Text } from "@mantine/core";
import { RATE_LIMITS } from "../../../core/access/rate-limits.ts";
import { APP_TYPES, DEFAULT_PERMISSIONS, setOfPairs } from "../../../core/permissions.ts";
import { DealerField, DealerName } from "../choices/dealer-choice.tsx";
import { UserField } from "../choices/user-choice.tsx";
import type { useDraft } from "../forms/draft.ts";
import { FieldGroup } from "../forms/field-group.tsx";
import { CheckboxField, ChoiceField, LongTextField, TextField } from "../forms/fields.tsx";
import { PermissionMatrix } from "../permissions/permissions.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { associationsFor, type KeyDraft } from "./key-draft.ts";

interface KeyFieldsProps {
  readonly draft: ReturnType<typeof useDraft<KeyDraft>>;
  readonly isNew: boolean;
}

const TYPES = APP_TYPES.map((type) => [type, type.charAt(0).toUpperCase() + type.slice(1)] as const);

/** The dealer or user of the key, as far as the signed-in user may choose. */
const AssociationFields = ({ draft }: Pick<KeyFieldsProps, "draft">) => {
  const { user } = useSession();
  const { values, bind } = draft;
  const boundDealerId = bindingOf(user);
  const isForBoundDealer = values.association === "dealer" && boundDealerId !== null;
  return (
    <FieldGroup
      title="Who it is for"
      description="A dealer's key sees that dealer's data only, a user's key what its user may see."
      fullWidth={
        isForBoundDealer && (
          <Text size="sm">
            The key will be bound to <DealerName id={boundDealerId} />.
          </Text>
        )
      }
    >
      <ChoiceField {...bind("association")} label="Association" options={associationsFor(user)} />
      {values.association === "dealer" && boundDealerId === null && <DealerField {...bind("dealer_id")} required />}
      {values.association === "user" && <UserField {...bind("user_id")} label="User" required />}
    </FieldGroup>
  );
};

const PermissionFields = ({ draft: { values, set } }: Pick<KeyFieldsProps, "draft">) => {
  const held = setOfPairs(useSession().user.permissions);
  if (values.association === "user")
    return (
      <FieldGroup
        title="What it may do"
        fullWidth={<Text size="sm">A user's key has the permissions of its user, as they are at the time of use.</Text>}
      />
    );
  return (
    <FieldGroup
      title="What it may do"
      fullWidth={
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
          <PermissionMatrix
            value={values.permissions}
            onChange={(permissions) => set({ permissions })}
            ceiling={held}
          />
        </>
      }
    />
  );
};

const BrowserFields = ({ draft: { bind } }: Pick<KeyFieldsProps, "draft">) => (
  <FieldGroup
    title="In browsers"
    description="A page that carries a key shows it to everybody. Such a key must be public: a web key of a dealer that only reads vehicles and dealers."
    fullWidth={
      <LongTextField
        {...bind("allowed_origins")}
        label="Allowed origins"
        description="One in each line, such as https://www.harbor.example.com. Empty: any"
      />
    }
  >
    <CheckboxField {...bind("public")} label="Public" description="The limit holds for each visitor's address" />
  </FieldGroup>
);

const NetworkFields = ({ draft: { bind } }: Pick<KeyFieldsProps, "draft">) => (
  <FieldGroup
    title="Networks"
    description="A key for servers can be limited to their networks. Requests from other addresses are refused."
    fullWidth={
      <LongTextField
        {...bind("allowed_networks")}
        label="Allowed networks"
        description="One in each line, such as 203.0.113.0/24 or 2001:db8::/32. Empty: any"
      />
    }
  />
);

/** Every field of a key. A new key's permissions follow its app type until the user edits them. */
export const KeyFields = ({ draft, isNew }: KeyFieldsProps) => {
  const { values, set, bind } = draft;
  const held = setOfPairs(useSession().user.permissions);
  const chooseType = (app_type: KeyDraft["app_type"]): void => {
    const isPreset = values.permissions === (DEFAULT_PERMISSIONS[values.app_type] & held);
    set({ app_type, ...(isNew && isPreset && { permissions: DEFAULT_PERMISSIONS[app_type] & held }) });
  };
  return (
    <>
      <FieldGroup title="The key" fullWidth={<LongTextField {...bind("description")} label="Description" />}>
        <TextField {...bind("name")} label="Name" description="What people will know it by" required />
        <TextField
          {...bind("app_id")}
          label="App id"
          description={isNew ? "Names the application; becomes part of the key" : "Part of the key; cannot be changed"}
          required
          disabled={!isNew}
        />
        <ChoiceField {...bind("app_type")} label="App type" options={TYPES} onChange={chooseType} />
        <TextField
          {...bind("owner_email")}
          label="Owner's email"
          description="Gets notices before the key ends. Empty: its user does"
          inputMode="email"
        />
      </FieldGroup>
      <AssociationFields draft={draft} />
      <PermissionFields draft={draft} />
      <FieldGroup title="Limits">
        <TextField
          {...bind("rate_limit")}
          label="Requests a minute"
          description={`Empty: ${RATE_LIMITS[values.app_type]}, as for every ${values.app_type} key`}
          inputMode="numeric"
        />
        <TextField {...bind("expires_at")} label="Expires at the end of" description="Empty: never" type="date" />
      </FieldGroup>
      <BrowserFields draft={draft} />
      <NetworkFields draft={draft} />
    </>
  );
};
