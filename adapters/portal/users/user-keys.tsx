import { Text } from "@mantine/core";
import { useListed } from "../api/queries.ts";
import { KeyStateBadge, type NamedKey } from "../keys/key-state.tsx";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { AgoOr } from "../moments/moment.tsx";
import { PageLink } from "../shell/link.tsx";
import { Section } from "../shell/section.tsx";

const MOST = 50;

const COLUMNS: readonly Column<NamedKey>[] = [
  { head: "Name", cell: (key) => <PageLink to={`/keys/${key.id}`}>{key.name}</PageLink> },
  { head: "Status", cell: (key) => <KeyStateBadge record={key} /> },
  { head: "Last use", cell: (key) => <AgoOr at={key.last_used_at} otherwise="Never" /> },
];

/** The keys of one user. */
export const UserKeys = ({ userId }: { userId: number }) => (
  <Section title="Keys">
    <RecordList
      caption="Keys of this user"
      query={useListed<NamedKey>("/keys", { user_id: userId, include: "names", limit: MOST })}
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
