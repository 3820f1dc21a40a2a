import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { DealerLink } from "../dealers/dealer-choice.tsx";
import { Mileage, Price } from "../settings/amounts.tsx";
import { Facts } from "../shell/facts.tsx";
import { Section } from "../shell/section.tsx";
import { CalendarDate, DateTime } from "../times/times.tsx";
import { onLotInWords } from "./days-on-lot.ts";
import { PLAIN_FACTS } from "./plain-facts.ts";
import { PriceDifference } from "./price-difference.tsx";
import { StatusChoice } from "./status-choice.tsx";
import { LONG_FIELDS, labelOf } from "./vehicle-draft.ts";
import { stageInWords } from "./vehicle-words.ts";

const factsOf = (vehicle: Vehicle): (readonly [string, ReactNode])[] => [
  [
    "Price",
    <div key="price">
      <span className="main-fact">
        <Price of={vehicle.price} />
      </span>
      <PriceDifference vehicle={vehicle} withDate />
    </div>,
  ],
  ["Mileage", <Mileage key="mileage" of={vehicle.mileage} />],
  ["Status", <StatusChoice key="status" vehicle={vehicle} />],
  ...(vehicle.stage === null ? [] : [["Stage", stageInWords(vehicle.stage)] as const]),
  ...(vehicle.listed_at === null ? [] : [["Listed", <CalendarDate key="listed" at={vehicle.listed_at} />] as const]),
  ...(vehicle.sold_at === null ? [] : [["Sold", <CalendarDate key="sold" at={vehicle.sold_at} />] as const]),
  ["On the lot", onLotInWords(vehicle)],
  ["Dealer", <DealerLink key="dealer" id={vehicle.dealer_id} />],
  ["Make", vehicle.make],
  ["Model", vehicle.model],
  ["Year", vehicle.year],
  ...PLAIN_FACTS.filter((field) => vehicle[field] !== null).map((field) => [labelOf(field), vehicle[field]] as const),
  ["Featured", vehicle.featured === 1 ? "Yes" : "No"],
  ["Publish", vehicle.publish === 1 ? "Yes" : "No"],
  ["Created", <DateTime key="created" at={vehicle.created_at} />],
  ["Changed", <DateTime key="changed" at={vehicle.updated_at} />],
];

/** The facts of a vehicle, the price first. */
export const VehicleFacts = ({ vehicle }: { vehicle: Vehicle }) => (
  <Section title="Facts">
    <Facts facts={factsOf(vehicle)} />
  </Section>
);

const FeatureList = ({ features }: { features: string }) => (
  <ul className="features">
    {[...new Set(features.split(","))]
      .filter((feature) => feature.trim() !== "")
      .map((feature) => (
        <li key={feature}>{feature}</li>
      ))}
  </ul>
);

/** The long texts of a vehicle, each with its label; nothing if it has none. */
export const VehicleTexts = ({ vehicle }: { vehicle: Vehicle }) =>
  LONG_FIELDS.map((field) => {
    const text = vehicle[field];
    return (
      text && (
        <Section key={field} title={labelOf(field)}>
          {field === "features" ? <FeatureList features={text} /> : <Text className="long-text">{text}</Text>}
        </Section>
      )
    );
  });
