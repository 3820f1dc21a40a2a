import { Text } from "@mantine/core";
import type { LastDay } from "../../../core/keys/refusals.ts";
import { AssociationOf, type NamedKey } from "../keys/key-state.tsx";
import { refusedInWords } from "../keys/refused.tsx";
import { RecordTable } from "../lists/record-table.tsx";
import { formatCount, formatNumber } from "../page/figures.tsx";
import { PageLink } from "../page/link.tsx";
import { Section } from "../page/section.tsx";

type RefusedKey = NamedKey & LastDay;

const WIDTH = 240;
const HEIGHT = 12;

/** The keys of the last 24 hours, those with most refused requests first. */
export const MOST_REFUSED = "/keys?refused_lately=24&sort=refused&order=desc";

/** A key's requests as one bar: served, then refused. All bars have the scale of the longest. */
const Bar = ({ record, most }: { record: RefusedKey; most: number }) => {
  const { name, requests_24h, refused_24h } = record;
  const [all, refused] = [requests_24h, refused_24h].map((count) => (count / Math.max(1, most)) * WIDTH);
  const label = `${name}: ${formatCount(requests_24h, "request")}, ${formatNumber(refused_24h)} refused`;
  return (
    <svg className="stacked-bar" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
      <title>{label}</title>
      <rect className="bar-served" width={(all ?? 0) - (refused ?? 0)} height={HEIGHT} />
      <rect className="bar-refused" x={(all ?? 0) - (refused ?? 0)} width={refused ?? 0} height={HEIGHT} />
    </svg>
  );
};

/** The keys whose requests are refused most, on one scale, with what most of them ran into. */
export const MostRefused = ({ keys, total }: { keys: readonly RefusedKey[]; total: number }) => {
  const most = Math.max(1, ...keys.map(({ requests_24h }) => requests_24h));
  const title = "Most refused, 24 hours";
  return (
    <Section title={title}>
      {keys.length === 0 ? (
        <Text size="sm">No request was refused in the last 24 hours.</Text>
      ) : (
        <>
          <RecordTable
            caption={title}
            rows={keys}
            keyOf={({ id }) => id}
            columns={[
              { head: "Key", cell: (key) => <PageLink to={`/keys/${key.id}`}>{key.name}</PageLink> },
              { head: "Association", cell: (key) => <AssociationOf record={key} /> },
              {
                head: "Requests",
                cell: (key) => (
                  <PageLink to={`/keys/${key.id}`}>
                    <Bar record={key} most={most} />
                  </PageLink>
                ),
              },
              { head: "Refused", cell: refusedInWords },
            ]}
          />
          {total > keys.length && <PageLink to={MOST_REFUSED}>All {formatCount(total, "key")}</PageLink>}
        </>
      )}
    </Section>
  );
};
