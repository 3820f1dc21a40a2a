import { Text } from "@mantine/core";
import { useList } from "../api/queries.ts";
import { KeyStateBadge, type NamedKey } from "../keys/key-state.tsx";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { PageLink } from "../page/link.tsx";
import { Section } from "../page/section.tsx";
import { RelativeTimeOr } from "../times/times.tsx";

const MAX_KEYS = 50;

const COLUMNS: readonly Column<NamedKey>[] = [
  { head: "Name", cell: (key) => <PageLink to={`/keys/${key.id}`}>{key.name}</PageLink> },
  { head: "Status", cell: (key) => <KeyStateBadge record={key} /> },
  { head: "Last use", cell: (key) => <RelativeTimeOr at={key.last_used_at} otherwise="Never" /> },
];

/** The keys of one user. */
export const UserKeys = ({ userId }: { userId: number }) => (
  <Section title="Keys">
    <RecordList
      caption="Keys of this user"
      query={useList<NamedKey>("/keys", { user_id: userId, include: "names", limit: MAX_KEYS })}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      empty={<Text size="sm">This user has no keys.</Text>}
      below={({ items, total }) =>
        total > items.length && (
          <Text size="sm">
            These are {items.length} of {total}.
          </Text>
        )
      }
    />
  </Section>
);
