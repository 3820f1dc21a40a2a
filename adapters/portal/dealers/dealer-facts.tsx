import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { type Dealer, WEEKDAYS } from "../../../core/dealers/fields.ts";
import type { Statistics } from "../../../core/dealers/statistics.ts";
import { useRecord } from "../api/queries.ts";
import { labelFromName } from "../forms/draft.ts";
import { Facts } from "../page/facts.tsx";
import { Figures } from "../page/figures.tsx";
import { PageLink } from "../page/link.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { TwoColumns } from "../page/record-page.tsx";
import { Section } from "../page/section.tsx";
import { StateBadge } from "../page/state-badge.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { DateTime } from "../times/times.tsx";

/** Whether a dealer is active, as a badge. */
export const DealerState = ({ dealer }: { dealer: Pick<Dealer, "active"> }) =>
  dealer.active ? <StateBadge color="green">active</StateBadge> : <StateBadge color="grey">inactive</StateBadge>;

const vehicleLink = (vehicle: Statistics["newest_vehicle"]) =>
  vehicle === null ? (
    <span>None</span>
  ) : (
    <PageLink to={`/vehicles/${vehicle.id}`}>{`${vehicle.year} ${vehicle.make} ${vehicle.model}`}</PageLink>
  );

/** A dealer's inventory in figures. */
export const DealerFigures = ({ id }: { id: number }) => {
  const { price } = useAmountFormats();
  return (
    <QueryResult query={useRecord<Statistics>(`/dealers/${id}/stats`)} lines={1}>
      {(statistics) => (
        <Figures
          label="Statistics"
          figures={[
            ["Vehicles", statistics.total_vehicles],
            ["Available", statistics.available_vehicles],
            ["Pending", statistics.pending_vehicles],
            ["Sold", statistics.sold_vehicles],
            ["Average price", price(Math.round(statistics.average_price))],
            ["Inventory value", price(Math.round(statistics.inventory_value))],
            ["Newest", vehicleLink(statistics.newest_vehicle)],
            ["Oldest", vehicleLink(statistics.oldest_vehicle)],
          ]}
        />
      )}
    </QueryResult>
  );
};

const ExternalLink = ({ url, children }: { url: string; children?: ReactNode }) => (
  <Anchor href={url} size="sm" target="_blank" rel="noreferrer">
    {children ?? url}
  </Anchor>
);

/** The facts of a dealer, without unset fields. */
const DealerFacts = ({ dealer }: { dealer: Dealer }) => {
  const { website, logo_url, description, social_media } = dealer;
  const facts: (readonly [string, ReactNode])[] = [
    ["Address", `${dealer.address}, ${dealer.city}, ${dealer.state} ${dealer.zip}`],
    ["Phone", dealer.phone],
    ["Email", dealer.email],
  ];
  if (website !== null) facts.push(["Website", <ExternalLink key="website" url={website} />]);
  if (logo_url !== null) facts.push(["Logo", <img key="logo" src={logo_url} alt="" height={40} loading="lazy" />]);
  if (description !== null) facts.push(["Description", description]);
  for (const [network, url] of Object.entries(social_media ?? {}))
    facts.push([network, <ExternalLink key={network} url={url} />]);
  if (dealer.codes.length > 0) facts.push(["Codes in other systems", dealer.codes.join(", ")]);
  facts.push(["Created", <DateTime key="created" at={dealer.created_at} />]);
  return <Facts facts={facts} />;
};

/** The opening hours of a dealer, without days that have none. */
const DealerHours = ({ hours }: { hours: NonNullable<Dealer["hours"]> }) => (
  <Facts
    facts={WEEKDAYS.filter((day) => hours[day] !== undefined).map((day) => [labelFromName(day), hours[day]] as const)}
  />
);

/** The facts of a dealer and its opening hours. */
export const DealerDetails = ({ dealer }: { dealer: Dealer }) => (
  <TwoColumns
    aside={
      dealer.hours !== null && (
        <Section title="Opening hours">
          <DealerHours hours={dealer.hours} />
        </Section>
      )
    }
  >
    <Section title="Facts">
      <DealerFacts dealer={dealer} />
    </Section>
  </TwoColumns>
);
