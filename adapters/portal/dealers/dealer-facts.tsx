import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { type Dealer, WEEKDAYS } from "../../../core/dealers/fields.ts";
import { labelFromName } from "../forms/draft.ts";
import { Facts } from "../page/facts.tsx";
import { DateTime } from "../times/times.tsx";

const ExternalLink = ({ url, children }: { url: string; children?: ReactNode }) => (
  <Anchor href={url} size="sm" target="_blank" rel="noreferrer">
    {children ?? url}
  </Anchor>
);

/** The facts of a dealer, without unset fields. */
export const DealerFacts = ({ dealer }: { dealer: Dealer }) => {
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
export const DealerHours = ({ hours }: { hours: NonNullable<Dealer["hours"]> }) => (
  <Facts
    facts={WEEKDAYS.filter((day) => hours[day] !== undefined).map((day) => [labelFromName(day), hours[day]] as const)}
  />
);
