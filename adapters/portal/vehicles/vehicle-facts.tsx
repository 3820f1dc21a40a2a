import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { DealerLink } from "../choices/dealer-choice.tsx";
import { Facts } from "../page/facts.tsx";
import { formatNumber } from "../page/figures.tsx";
import { Section } from "../page/section.tsx";
import { useMay } from "../session/session.tsx";
import { Mileage, Price } from "../settings/amounts.tsx";
import { CalendarDate, DateTime, Day } from "../times/times.tsx";
import { EditAmount } from "./edit-amount.tsx";
import { LotAge } from "./lot-age.tsx";
import { PLAIN_FACTS } from "./plain-facts.ts";
import { PriceDifference } from "./price-difference.tsx";
import { StatusChoice } from "./status-choice.tsx";
import { ENERGY_FIELDS, LONG_FIELDS, labelOf, UNITS } from "./vehicle-draft.ts";
import { stageInWords } from "./vehicle-words.ts";

type PlainFact = (typeof PLAIN_FACTS)[number];

const isEnergy = (field: PlainFact): boolean => ENERGY_FIELDS.includes(field);

/** A fact in words: amounts as the settings say, measures with their units. */
const factInWords = (vehicle: Vehicle, field: PlainFact): ReactNode => {
  if (field === "msrp" && vehicle.msrp !== null) return <Price of={vehicle.msrp} />;
  if (field === "electric_range") return <Mileage of={vehicle.electric_range} />;
  if (field === "date_first_registered" && vehicle.date_first_registered !== null)
    return <Day of={vehicle.date_first_registered} />;
  const [value, unit] = [vehicle[field], UNITS[field]];
  return unit === undefined ? value : `${formatNumber(Number(value))} ${unit}`;
};

const plainFactsOf = (vehicle: Vehicle, belongs: (field: PlainFact) => boolean): (readonly [string, ReactNode])[] =>
  PLAIN_FACTS.filter((field) => vehicle[field] !== null && belongs(field)).map((field) => [
    labelOf(field),
    factInWords(vehicle, field),
  ]);

/** An amount, with a button that changes it for those who may. */
const amount = (
  vehicle: Vehicle,
  field: "price" | "mileage",
  { mayChange, shown }: { readonly mayChange: boolean; readonly shown: ReactNode },
): ReactNode =>
  mayChange ? (
    <EditAmount key={field} vehicle={vehicle} field={field}>
      {shown}
    </EditAmount>
  ) : (
    shown
  );

const factsOf = (vehicle: Vehicle, mayChange: boolean): (readonly [string, ReactNode])[] => [
  [
    "Price",
    <div key="price">
      {amount(vehicle, "price", {
        mayChange,
        shown: (
          <span className="main-fact">
            <Price of={vehicle.price} />
          </span>
        ),
      })}
      <PriceDifference vehicle={vehicle} withDate />
    </div>,
  ],
  ["Mileage", amount(vehicle, "mileage", { mayChange, shown: <Mileage key="mileage" of={vehicle.mileage} /> })],
  ["Status", <StatusChoice key="status" vehicle={vehicle} />],
  ...(vehicle.stage === null ? [] : [["Stage", stageInWords(vehicle.stage)] as const]),
  ...(vehicle.listed_at === null ? [] : [["Listed", <CalendarDate key="listed" at={vehicle.listed_at} />] as const]),
  ...(vehicle.sold_at === null ? [] : [["Sold", <CalendarDate key="sold" at={vehicle.sold_at} />] as const]),
  ["On the lot", <LotAge key="age" vehicle={vehicle} />],
  ["Dealer", <DealerLink key="dealer" id={vehicle.dealer_id} />],
  ["Make", vehicle.make],
  ["Model", vehicle.model],
  ["Year", vehicle.year],
  ...plainFactsOf(vehicle, (field) => !isEnergy(field)),
  ["Featured", vehicle.featured === 1 ? "Yes" : "No"],
  ["Publish", vehicle.publish === 1 ? "Yes" : "No"],
  ["Created", <DateTime key="created" at={vehicle.created_at} />],
  ["Changed", <DateTime key="changed" at={vehicle.updated_at} />],
];

/** What stands under the title on phones. */
const GLANCED = ["Price", "Status", "On the lot"];

interface VehicleFactsProps {
  readonly vehicle: Vehicle;
  /** True if price, status and days stand elsewhere on the page. */
  readonly isGlanced: boolean;
}

/** The facts of a vehicle, the price first. Those of its energy and emissions follow if there are any. */
export const VehicleFacts = ({ vehicle, isGlanced }: VehicleFactsProps) => {
  const ofEnergy = plainFactsOf(vehicle, isEnergy);
  const mayChange = useMay()("vehicles:write");
  return (
    <>
      <Section title="Facts">
        <Facts facts={factsOf(vehicle, mayChange).filter(([name]) => !isGlanced || !GLANCED.includes(name))} />
      </Section>
      {ofEnergy.length > 0 && (
        <Section title="Energy and emissions">
          <Facts facts={ofEnergy} />
        </Section>
      )}
    </>
  );
};

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
