import { Text } from "@mantine/core";
import { useState } from "react";
import { UserField } from "../choices/user-choice.tsx";
import { numberOrText } from "../forms/draft.ts";
import { ChoiceField } from "../forms/fields.tsx";

const KEY_HANDLINGS = [
  ["revoke", "Revoke them all"],
  ["transfer", "Transfer them to another user"],
] as const;
type KeyHandling = (typeof KEY_HANDLINGS)[number][0];

/** What happens to the keys of deactivated users, and the request body for it. */
export const useOffboarding = () => {
  const [keyHandling, setKeyHandling] = useState<KeyHandling>("revoke");
  const [newOwner, setNewOwner] = useState("");
  const body =
    keyHandling === "revoke" ? { keys: keyHandling } : { keys: keyHandling, to_user_id: numberOrText(newOwner) };
  return { keyHandling, setKeyHandling, newOwner, setNewOwner, body, isChanged: keyHandling !== "revoke" };
};

interface OffboardingFieldsProps {
  readonly offboarding: ReturnType<typeof useOffboarding>;
  /** The users to deactivate, who cannot get the keys. */
  readonly excludedIds: readonly number[];
}

/** Asks what happens to the keys of deactivated users. */
export const OffboardingFields = ({
  offboarding: { keyHandling, setKeyHandling, newOwner, setNewOwner },
  excludedIds,
}: OffboardingFieldsProps) => (
  <>
    <ChoiceField
      path="keys"
      label="What happens to their keys"
      value={keyHandling}
      onChange={setKeyHandling}
      options={KEY_HANDLINGS}
    />
    {keyHandling === "transfer" ? (
      <>
        <UserField
          path="to_user_id"
          label="New owner"
          value={newOwner}
          onChange={setNewOwner}
          excludedIds={excludedIds}
          required
        />
        <Text size="sm">The keys go on working, with the permissions of the new owner.</Text>
      </>
    ) : (
      <Text size="sm">Whatever uses these keys will be refused with status 401 from its next request on.</Text>
    )}
  </>
);
