import { Button, SimpleGrid, Stack, Text } from "@mantine/core";
import { type ComponentType, useState } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { Overview } from "../../../core/keys/overview.ts";
import { useRecord } from "../api/queries.ts";
import { ExtendDialog, RevokeDialog } from "../keys/key-dialogs.tsx";
import { AssociationOf } from "../keys/key-state.tsx";
import { Requests } from "../keys/requests.tsx";
import { requestsIn } from "../keys/usage-spans.ts";
import { Answered } from "../lists/answered.tsx";
import { type Column, RecordTable } from "../lists/record-table.tsx";
import { AgoOr } from "../moments/moment.tsx";
import { SecondFactorAdvice } from "../session/second-factor-advice.tsx";
import { useMay } from "../session/session.tsx";
import { PageLink } from "../shell/link.tsx";
import { Page } from "../shell/page.tsx";
import { Section } from "../shell/section.tsx";
import { Tile } from "../shell/tile.tsx";

interface KeysToDoProps {
  readonly title: string;
  readonly keys: readonly PresentedKey[];
  readonly total: number;
  readonly none: string;
  readonly extra: Column<PresentedKey>;
  /** The remedy for each. */
  readonly action: string;
  readonly dialog: ComponentType<{ record: PresentedKey; onClose: () => void }>;
}

/** Keys that need attention, each with its remedy. */
const KeysToDo = ({ title, keys, total, none, extra, action, dialog: Asking }: KeysToDoProps) => {
  const may = useMay();
  const [asked, setAsked] = useState<PresentedKey | null>(null);
  return (
    <Section title={title}>
      {keys.length === 0 ? (
        <Text size="sm">{none}</Text>
      ) : (
        <RecordTable
          caption={title}
          rows={keys}
          keyOf={({ id }) => id}
          columns={[
            { head: "Key", cell: (key) => <PageLink to={`/keys/${key.id}`}>{key.name}</PageLink> },
            { head: "Association", cell: (key) => <AssociationOf record={key} /> },
            extra,
            {
              head: "Action",
              cell: (key) =>
                may("keys:write") && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`${action} ${key.name}`}
                    onClick={() => setAsked(key)}
                  >
                    {action}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {total > keys.length && (
        <Text size="sm">
          These are {keys.length} of {total}.
        </Text>
      )}
      {asked !== null && <Asking record={asked} onClose={() => setAsked(null)} />}
    </Section>
  );
};

const Figures = ({ figures }: { figures: Overview }) => (
  <Stack gap="lg">
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      <Tile label="Requests in 24 hours" value={requestsIn(figures.requests)} />
      <Tile label="Active keys" value={figures.active_keys} />
      {figures.dealers !== null && <Tile label="Dealers" value={figures.dealers} />}
      {figures.vehicles !== null && <Tile label="Vehicles" value={figures.vehicles} />}
    </SimpleGrid>
    <Section title="Requests of the last 24 hours">
      <Requests hours={figures.requests} window="24h" />
    </Section>
    <KeysToDo
      title="Keys that expire within 30 days"
      keys={figures.expiring_keys}
      total={figures.expiring_total}
      none="No key expires within 30 days."
      extra={{ head: "Expires", cell: (key) => <AgoOr at={key.expires_at} otherwise="Never" /> }}
      action="Extend"
      dialog={ExtendDialog}
    />
    <KeysToDo
      title="Keys not used for 90 days"
      keys={figures.idle_keys}
      total={figures.idle_total}
      none="Every active key was used, or made, in the last 90 days."
      extra={{ head: "Last use", cell: (key) => <AgoOr at={key.last_used_at} otherwise="Never" /> }}
      action="Revoke"
      dialog={RevokeDialog}
    />
  </Stack>
);

/** The use of the service, and the keys that need attention. */
export const OverviewPage = () => {
  const overview = useRecord<Overview>("/overview", {}, { staleMs: 30_000 });
  return (
    <Page title="Overview">
      <SecondFactorAdvice />
      <Answered query={overview} lines={10}>
        {(figures) => <Figures figures={figures} />}
      </Answered>
    </Page>
  );
};
