import {
  ACTIONS,
  holds,
  type PermissionPair,
  RESOURCES,
  type Resource,
  setOfPairs,
} from "../../../core/permissions.ts";
import { RESOURCE_TRAITS } from "../../../core/resources.ts";
import { RecordTable } from "../lists/record-table.tsx";
import { Section } from "../page/section.tsx";
import { ACTION_LABELS } from "./action-labels.ts";

/** The permissions of a key or user, pair by pair. */
export const PermissionTable = ({ pairs }: { pairs: readonly PermissionPair[] }) => {
  const held = setOfPairs(pairs);
  return (
    <Section title="Permissions">
      <RecordTable
        caption="Permissions"
        rows={RESOURCES}
        keyOf={(resource) => resource}
        columns={[
          { head: "Resource", cell: (resource) => RESOURCE_TRAITS[resource].title },
          ...ACTIONS.map((action) => ({
            head: ACTION_LABELS[action],
            cell: (resource: Resource) => (holds(held, `${resource}:${action}`) ? "Yes" : "No"),
          })),
        ]}
      />
    </Section>
  );
};
