import { Text } from "@mantine/core";
import { useState } from "react";
import { numberOrText } from "../forms/draft.ts";
import { ChoiceField } from "../forms/fields.tsx";
import { UserField } from "./user-choice.tsx";

const FATES = [
  ["revoke", "Revoke them all"],
  ["transfer", "Transfer them to another user"],
] as const;
type Fate = (typeof FATES)[number][0];

/** What happens to the keys of users who are deactivated, and the request body that says so. */
export const useLeaving = () => {
  const [fate, setFate] = useState<Fate>("revoke");
  const [newOwner, setNewOwner] = useState("");
  const body = fate === "revoke" ? { keys: fate } : { keys: fate, to_user_id: numberOrText(newOwner) };
  return { fate, setFate, newOwner, setNewOwner, body, isChanged: fate !== "revoke" };
};

interface LeavingFieldsProps {
  readonly leaving: ReturnType<typeof useLeaving>;
  /** The users who are deactivated: none of them gets the keys. */
  readonly except: readonly number[];
}

/** Asks what happens to the keys of users who are deactivated. */
export const LeavingFields = ({ leaving: { fate, setFate, newOwner, setNewOwner }, except }: LeavingFieldsProps) => (
  <>
    <ChoiceField path="keys" label="What happens to their keys" value={fate} onChange={setFate} options={FATES} />
    {fate === "transfer" ? (
      <>
        <UserField
          path="to_user_id"
          label="New owner"
          value={newOwner}
          onChange={setNewOwner}
          except={except}
          required
        />
        <Text size="sm">The keys go on working, with the permissions of the new owner.</Text>
      </>
    ) : (
      <Text size="sm">Whatever uses these keys will be refused with status 401 from its next request on.</Text>
    )}
  </>
);
