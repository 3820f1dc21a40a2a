import { Text } from "@mantine/core";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { useListed } from "../api/queries.ts";
import { KeyStateBadge } from "../keys/key-state.tsx";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { AgoOr } from "../moments/moment.tsx";
import { PageLink } from "../shell/link.tsx";
import { Section } from "../shell/section.tsx";

const MOST = 50;

const columnsOf = (isUserActive: boolean): readonly Column<PresentedKey>[] => [
  { head: "Name", cell: (key) => <PageLink to={`/keys/${key.id}`}>{key.name}</PageLink> },
  { head: "Status", cell: (key) => <KeyStateBadge record={key} isUserActive={isUserActive} /> },
  { head: "Last use", cell: (key) => <AgoOr at={key.last_used_at} otherwise="Never" /> },
];

/** The keys of one user. */
export const UserKeys = ({ user }: { user: PresentedUser }) => (
  <Section title="Keys">
    <RecordList
      caption="Keys of this user"
      query={useListed<PresentedKey>("/keys", { user_id: user.id, limit: MOST })}
      columns={columnsOf(user.active)}
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
