import { Checkbox, Input, Table } from "@mantine/core";
import {
  ACTIONS,
  type Action,
  holds,
  type PermissionPair,
  type PermissionSet,
  permissionBit,
  RESOURCES,
  type Resource,
  setOfPairs,
} from "../../../core/permissions.ts";
import { RESOURCE_TRAITS } from "../../../core/resources.ts";
import { useIssue } from "../forms/issues.tsx";
import { RecordTable } from "../lists/record-table.tsx";
import { ScrollableTable } from "../lists/scrollable-table.tsx";
import { Section } from "../page/section.tsx";

/** Labels of the actions. */
export const ACTION_LABELS: Readonly<Record<Action, string>> = {
  read: "Read",
  write: "Add and change",
  delete: "Delete",
};

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

interface PermissionMatrixProps {
  readonly value: PermissionSet;
  readonly onChange: (value: PermissionSet) => void;
  /** The permissions that may be granted; other boxes can only be cleared. */
  readonly ceiling?: PermissionSet;
}

/** A checkbox for each pair of resource and action. */
export const PermissionMatrix = ({ value, onChange, ceiling }: PermissionMatrixProps) => {
  const issue = useIssue("permissions");
  return (
    <Input.Wrapper label="Permissions" labelElement="div" error={issue}>
      <ScrollableTable label="Permissions, table">
        <Table>
          <Table.Caption className="hidden-caption">Permissions</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Resource</Table.Th>
              {ACTIONS.map((action) => (
                <Table.Th key={action} scope="col">
                  {ACTION_LABELS[action]}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {RESOURCES.map((resource) => (
              <Table.Tr key={resource}>
                <Table.Th scope="row" fw={400}>
                  {RESOURCE_TRAITS[resource].title}
                </Table.Th>
                {ACTIONS.map((action) => {
                  const permission = `${resource}:${action}` as const;
                  const isHeld = holds(value, permission);
                  const isOffered = ceiling === undefined || holds(ceiling, permission);
                  return (
                    <Table.Td key={action} data-head={ACTION_LABELS[action]}>
                      <Checkbox
                        aria-label={`${resource}: ${action}`}
                        checked={isHeld}
                        disabled={!isOffered && !isHeld}
                        onChange={() => onChange(value ^ permissionBit(permission))}
                      />
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollableTable>
    </Input.Wrapper>
  );
};
