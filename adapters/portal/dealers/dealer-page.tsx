import { Button, SimpleGrid } from "@mantine/core";
import { useState } from "react";
import { admit } from "../../../core/access/decide.ts";
import { dealersKeyMayNotChangeActiveOfDealer } from "../../../core/access/rules/dealers-key-may-not-change-active-of-dealer.ts";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import type { Statistics } from "../../../core/dealers/statistics.ts";
import { useRecord } from "../api/queries.ts";
import { Answered } from "../lists/answered.tsx";
import { bindingOf, powersOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { Facts } from "../shell/facts.tsx";
import { LinkButton, PageLink } from "../shell/link.tsx";
import { Page } from "../shell/page.tsx";
import { Section } from "../shell/section.tsx";
import { StateBadge } from "../shell/state-badge.tsx";
import { Tile } from "../shell/tile.tsx";
import { Inventory } from "../vehicles/inventory.tsx";
import { priceInWords } from "../vehicles/vehicle-words.ts";
import { ActivateDealer, DeactivateDealer, EditDealer } from "./dealer-dialogs.tsx";
import { DealerFacts } from "./dealer-facts.tsx";

type Doing = "edit" | "deactivate" | "activate";

const DIALOGS = { edit: EditDealer, deactivate: DeactivateDealer, activate: ActivateDealer };

const vehicleLink = (vehicle: Statistics["newest_vehicle"]) =>
  vehicle === null ? (
    "None"
  ) : (
    <PageLink to={`/vehicles/${vehicle.id}`}>{`${vehicle.year} ${vehicle.make} ${vehicle.model}`}</PageLink>
  );

const StatisticsSection = ({ id }: { id: number }) => (
  <Section title="Statistics">
    <Answered query={useRecord<Statistics>(`/dealers/${id}/stats`)} lines={3}>
      {(statistics) => (
        <>
          <SimpleGrid cols={{ base: 2, sm: 3 }}>
            <Tile label="Vehicles" value={statistics.total_vehicles} />
            <Tile label="Available" value={statistics.available_vehicles} />
            <Tile label="Pending" value={statistics.pending_vehicles} />
            <Tile label="Sold" value={statistics.sold_vehicles} />
            <Tile label="Average price" value={priceInWords(statistics.average_price)} />
            <Tile label="Inventory value" value={priceInWords(statistics.inventory_value)} />
          </SimpleGrid>
          <Facts
            facts={[
              ["Newest", vehicleLink(statistics.newest_vehicle)],
              ["Oldest", vehicleLink(statistics.oldest_vehicle)],
            ]}
          />
        </>
      )}
    </Answered>
  </Section>
);

const DealerView = ({ record }: { record: Dealer }) => {
  const may = useMay();
  const { user } = useSession();
  const mayActivate = dealersKeyMayNotChangeActiveOfDealer(bindingOf(user), { active: 0 }, { active: 1 }) === null;
  const [doing, setDoing] = useState<Doing | null>(null);
  const Asking = doing === null ? null : DIALOGS[doing];
  const isActive = record.active === 1;
  return (
    <Page
      title={record.name}
      actions={
        <>
          {may("vehicles:write") && <LinkButton to={`/dealers/${record.id}/vehicles/new`}>Add a vehicle</LinkButton>}
          {may("dealers:write") && (
            <Button variant="default" onClick={() => setDoing("edit")}>
              Edit
            </Button>
          )}
          {isActive && admit(powersOf(user), "dealer.deactivate") === null && (
            <Button color="red" variant="outline" onClick={() => setDoing("deactivate")}>
              Deactivate
            </Button>
          )}
          {!isActive && mayActivate && may("dealers:write") && (
            <Button variant="default" onClick={() => setDoing("activate")}>
              Activate
            </Button>
          )}
        </>
      }
    >
      <Section
        title="Facts"
        actions={<StateBadge color={isActive ? "green" : "red"}>{isActive ? "active" : "inactive"}</StateBadge>}
      >
        <DealerFacts dealer={record} />
      </Section>
      <StatisticsSection id={record.id} />
      {may("vehicles:read") && <Inventory dealerId={record.id} />}
      {Asking !== null && <Asking record={record} onClose={() => setDoing(null)} />}
    </Page>
  );
};

/** One dealer with its statistics and inventory. */
export const DealerPage = ({ id }: { id: string }) => {
  const dealer = useRecord<Dealer>(`/dealers/${id}`);
  if (dealer.data !== undefined) return <DealerView record={dealer.data} />;
  return (
    <Page title="Dealer">
      <Answered query={dealer}>{() => null}</Answered>
    </Page>
  );
};
