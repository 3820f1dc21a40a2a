import { Button, Text } from "@mantine/core";
import { type ComponentType, useState } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { Overview } from "../../../core/keys/overview.ts";
import { useRecord } from "../api/queries.ts";
import { SecondFactorAdvice } from "../entry/second-factor-advice.tsx";
import { ExtendDialog, ReactivateDialog, RevokeDialog } from "../keys/key-dialogs.tsx";
import { AssociationOf, type NamedKey } from "../keys/key-state.tsx";
import { Requests } from "../keys/requests.tsx";
import { requestsIn } from "../keys/usage-spans.ts";
import { type Column, RecordTable } from "../lists/record-table.tsx";
import { Figures } from "../page/figures.tsx";
import { PageLink } from "../page/link.tsx";
import { Page } from "../page/page.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { Section } from "../page/section.tsx";
import { useMay } from "../session/session.tsx";
import { DateAndRelativeTime, RelativeTimeOr } from "../times/times.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { MOST_REFUSED, MostRefused } from "./most-refused.tsx";
import { WhatChanged } from "./what-changed.tsx";

/** A button with which somebody does what a key needs. */
interface Remedy {
  readonly action: string;
  readonly dialog: ComponentType<{ record: PresentedKey; onClose: () => void }>;
}

interface AttentionListProps {
  readonly title: string;
  readonly keys: readonly NamedKey[];
  readonly total: number;
  readonly emptyText: string;
  readonly extraColumn: Column<PresentedKey>;
  readonly remedyOf: (key: PresentedKey) => Remedy;
}

/** Keys that need attention, each with its remedy. */
const AttentionList = ({ title, keys, total, emptyText, extraColumn, remedyOf }: AttentionListProps) => {
  const may = useMay();
  const [openKey, setOpenKey] = useState<PresentedKey | null>(null);
  const KeyDialog = openKey === null ? null : remedyOf(openKey).dialog;
  return (
    <Section title={title}>
      {keys.length === 0 ? (
        <Text size="sm">{emptyText}</Text>
      ) : (
        <RecordTable
          caption={title}
          rows={keys}
          keyOf={({ id }) => id}
          columns={[
            { head: "Key", cell: (key) => <PageLink to={`/keys/${key.id}`}>{key.name}</PageLink> },
            { head: "Association", cell: (key) => <AssociationOf record={key} /> },
            extraColumn,
            {
              head: "Action",
              cell: (key) =>
                may("keys:write") && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`${remedyOf(key).action} ${key.name}`}
                    onClick={() => setOpenKey(key)}
                  >
                    {remedyOf(key).action}
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
      {openKey !== null && KeyDialog !== null && <KeyDialog record={openKey} onClose={() => setOpenKey(null)} />}
    </Section>
  );
};

const MOST_REQUESTS = "/keys?sort=requests&order=desc";

const EXTEND: Remedy = { action: "Extend", dialog: ExtendDialog };
const REVOKE: Remedy = { action: "Revoke", dialog: RevokeDialog };
const REACTIVATE: Remedy = { action: "Re-activate", dialog: ReactivateDialog };

const OverviewSections = ({ overview }: { overview: Overview }) => (
  <>
    <Figures
      label="Figures"
      figures={[
        ["Requests in 24 hours", requestsIn(overview.requests), MOST_REQUESTS],
        ["Active keys", overview.active_keys, "/keys?status=active"],
        ...(overview.dealers === null ? [] : [["Dealers", overview.dealers, "/dealers"] as const]),
        ...(overview.vehicles === null ? [] : [["Vehicles", overview.vehicles, "/vehicles"] as const]),
      ]}
    />
    <FirstSteps vehicles={overview.vehicles} />
    <MostRefused keys={overview.most_refused} total={overview.refused_total} />
    <AttentionList
      title="Keys that expire within 30 days"
      keys={overview.expiring_keys}
      total={overview.expiring_total}
      emptyText="No key expires within 30 days."
      extraColumn={{
        head: "Expires",
        cell: (key) => key.expires_at !== null && <DateAndRelativeTime at={key.expires_at} />,
      }}
      remedyOf={() => EXTEND}
    />
    <AttentionList
      title="Keys not used for 90 days"
      keys={overview.idle_keys}
      total={overview.idle_total}
      emptyText="Every active key was used, or made, in the last 90 days."
      extraColumn={{ head: "Last use", cell: (key) => <RelativeTimeOr at={key.last_used_at} otherwise="Never" /> }}
      remedyOf={() => REVOKE}
    />
    {overview.unused_total > 0 && (
      <AttentionList
        title="Keys that end because nobody uses them"
        keys={overview.unused_keys}
        total={overview.unused_total}
        emptyText=""
        extraColumn={{
          head: "Ends",
          cell: ({ idle_ends_at: at }) => (at === null ? "Switched off" : <DateAndRelativeTime at={at} />),
        }}
        remedyOf={({ active }) => (active ? REVOKE : REACTIVATE)}
      />
    )}
    <Section title="Requests of the last 24 hours">
      <Requests
        hours={overview.requests}
        window="24h"
        linkOf={(outcome) => (outcome === "denied" || outcome === "limited" ? MOST_REFUSED : MOST_REQUESTS)}
      />
    </Section>
  </>
);

/** Keys that need attention, and the use of the service. */
export const OverviewPage = () => {
  const may = useMay();
  const overview = useRecord<Overview>("/overview", {}, { staleMs: 30_000 });
  return (
    <Page title="Overview">
      <SecondFactorAdvice />
      <QueryResult query={overview} lines={10}>
        {(read) => <OverviewSections overview={read} />}
      </QueryResult>
      {may("vehicles:read") && <WhatChanged />}
    </Page>
  );
};
