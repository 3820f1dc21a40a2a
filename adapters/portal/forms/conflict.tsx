import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import { pairsOfSet } from "../../../core/permissions.ts";
import { useList } from "../api/queries.ts";
import { Notice } from "../page/notice.tsx";
import { useMay } from "../session/session.tsx";
import { DateTime } from "../times/times.tsx";
import type { useDraft } from "./draft.ts";
import type { Conflict } from "./edit.ts";
import { labelOfPath } from "./issue-messages.ts";

/** A value of a draft as text. */
const valueInWords = (value: unknown): string => {
  if (value === "" || value === null || value === undefined) return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(valueInWords).join("; ") || "nothing";
  if (typeof value !== "object") return String(value);
  const parts = Object.entries(value).filter(([name, part]) => name !== "id" && part !== "");
  return (
    parts
      .map(([name, part]) => (name === "name" || name === "url" ? part : `${labelOfPath(name)} ${part}`))
      .join(", ") || "nothing"
  );
};

/** A draft holds permissions as one number. */
const permissionsInWords = (value: unknown): string =>
  pairsOfSet(Number(value))
    .map(({ resource, action }) => `${resource}: ${action}`)
    .join(", ") || "none";

/** A conflict and its record. */
export interface ConflictProps<Draft extends object> {
  readonly conflict: Conflict<Draft> | null;
  readonly draft: ReturnType<typeof useDraft<Draft>>;
  /** The record's resource in the audit log. */
  readonly resource: "vehicles" | "dealers" | "keys" | "users" | "feeds" | "settings" | "sources" | "webhooks";
  /** The record's id; settings have none. */
  readonly id?: number;
  readonly labelOf?: (field: keyof Draft & string) => string;
  /** Renders values that need more than their text, such as ids of records. */
  readonly valueRenderers?: Partial<Record<keyof Draft, (value: string) => ReactNode>>;
}

/** Who changed a record since a time, if the user may read the audit log. */
const ChangedBy = ({ resource, id, since }: { resource: string; id: number | undefined; since: string }) => {
  const mayRead = useMay()("audit:read");
  const { data } = useList<AuditEntry>("/audit", { resource, id, limit: 20 }, { enabled: mayRead });
  // Only changes of the record itself have both `before` and `after`; those of a vehicle's images do not.
  const entries = (data?.items ?? []).filter(
    (entry) => entry.at > since && entry.resource === resource && entry.before !== null && entry.after !== null,
  );
  const [last] = entries;
  if (last === undefined) return <Text size="sm">It was changed since you opened it.</Text>;
  const names = [...new Set(entries.map(({ actor }) => actor.name))].join(", ");
  return (
    <Text size="sm">
      Changed by {names}, <DateTime at={last.at} />.
    </Text>
  );
};

const FieldConflict = <Draft extends object>({
  field,
  conflict: { before, theirs, mine },
  draft: { values, set },
  labelOf = labelOfPath,
  valueRenderers = {},
}: Omit<ConflictProps<Draft>, "conflict" | "resource" | "id"> & {
  readonly field: keyof Draft & string;
  readonly conflict: Conflict<Draft>;
}) => {
  const displayed = (value: unknown): ReactNode => {
    if (field === "permissions") return permissionsInWords(value);
    return value === "" ? "nothing" : (valueRenderers[field]?.(String(value)) ?? valueInWords(value));
  };
  const current = JSON.stringify(values[field]);
  const chosen =
    current === JSON.stringify(theirs[field]) ? "theirs" : current === JSON.stringify(mine[field]) ? "mine" : "";
  const isTouched = JSON.stringify(mine[field]) !== JSON.stringify(before[field]);
  return (
    <Radio.Group
      label={`${labelOf(field)}: mine or theirs?`}
      description={isTouched ? <>Before: {displayed(before[field])}</> : "You have not changed this"}
      value={chosen}
      onChange={(choice) => {
        const changes: Partial<Draft> = {};
        changes[field] = (choice === "mine" ? mine : theirs)[field];
        set(changes);
      }}
    >
      <Stack gap={8} my={6}>
        <Radio value="mine" label={<>Keep mine: {displayed(mine[field])}</>} className="wraps" />
        <Radio value="theirs" label={<>Take theirs: {displayed(theirs[field])}</>} className="wraps" />
      </Stack>
    </Radio.Group>
  );
};

/** Shows what somebody else changed in the edited record, and lets the user choose for each field, or for all. */
export const ConflictChoice = <Draft extends object>({ conflict, resource, id, ...choice }: ConflictProps<Draft>) => {
  if (conflict === null) return null;
  const { fields, mine, theirs, since } = conflict;
  const takeAll = (from: Draft): void =>
    choice.draft.set(Object.fromEntries(fields.map((field) => [field, from[field]])) as Partial<Draft>);
  return (
    <Notice title="Somebody changed this meanwhile" isRefusal>
      <Stack gap="sm">
        <ChangedBy resource={resource} id={id} since={since} />
        <Text size="sm">Choose what is to stay, and save again.</Text>
        {fields.map((field) => (
          <FieldConflict key={field} field={field} conflict={conflict} {...choice} />
        ))}
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => takeAll(mine)}>
            Keep all mine
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => takeAll(theirs)}>
            Take all theirs
          </Button>
        </Group>
      </Stack>
    </Notice>
  );
};
