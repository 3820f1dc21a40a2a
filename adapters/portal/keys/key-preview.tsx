import { List, Stack, Text } from "@mantine/core";
import { permissionsOf } from "../../../core/permissions.ts";
import { RESOURCE_TRAITS } from "../../../core/resources.ts";
import { useDealerName } from "../choices/dealer-choice.tsx";
import { useChosenUser } from "../choices/user-choice.tsx";
import { RecordTable } from "../lists/record-table.tsx";
import { Notice } from "../page/notice.tsx";
import { Section } from "../page/section.tsx";
import { ACTION_LABELS } from "../permissions/permissions.tsx";
import { useSession } from "../session/session.tsx";
import type { KeyDraft } from "./key-draft.ts";
import { actionsOn, effectOf, type KeyEffect, reachedResources, visibleTo } from "./key-effect.ts";

/** The effect of a draft that the signed-in user saves. */
export const useKeyEffect = (values: KeyDraft): KeyEffect =>
  effectOf(values, useSession().user, useChosenUser(values.user_id));

const boundTo = (effect: KeyEffect, dealer: string): string => {
  if (effect.isSuperAdmin) return "It reaches the data of every dealer.";
  if (effect.dealerId === null) return "It is not bound to a dealer.";
  return `It is bound to ${dealer}: data of other dealers is refused or left out.`;
};

/** What a key will be able to do and see, in words and as a table; empty until its dealer or user is chosen. */
export const KeyPreview = ({ effect }: { effect: KeyEffect }) => {
  const name = useDealerName(effect.dealerId);
  if (!effect.isChosen) return null;
  const dealer = effect.dealerId === null ? "its dealer" : name;
  const reached = reachedResources(effect);
  return (
    <Section title="What this key will be able to do">
      <Stack gap="sm">
        {reached.length === 0 ? (
          <Text size="sm">Nothing: it has no permission that takes effect.</Text>
        ) : (
          <List size="sm">
            {reached.map((resource) => (
              <List.Item key={resource}>
                {actionsOn(effect, resource)
                  .map((action) => ACTION_LABELS[action].toLowerCase())
                  .join(", ")}
                : {visibleTo(effect, resource, dealer)}
              </List.Item>
            ))}
          </List>
        )}
        <Text size="sm">
          {boundTo(effect, dealer)}
          {effect.user !== null && ` It has the permissions of ${effect.user.name}, as they are at the time of use.`}
        </Text>
        {effect.notHeld !== 0 && (
          <Notice title="More than you hold">
            You do not hold {permissionsOf(effect.notHeld).join(", ")} yourself, so the service will refuse this key.
          </Notice>
        )}
        {effect.notHeld === 0 && effect.refusal !== null && (
          <Notice title="More than you may hand out">{effect.refusal}. The service will refuse this key.</Notice>
        )}
        {reached.length > 0 && (
          <RecordTable
            caption="Effective permissions"
            rows={reached}
            keyOf={(resource) => resource}
            columns={[
              { head: "Resource", cell: (resource) => RESOURCE_TRAITS[resource].title },
              { head: "Can", cell: (resource) => actionsOn(effect, resource).join(", ") },
              { head: "Sees", cell: (resource) => <div className="wraps">{visibleTo(effect, resource, dealer)}</div> },
            ]}
          />
        )}
      </Stack>
    </Section>
  );
};
