import { VEHICLE_FIELDS, type VehicleField } from "../../../core/vehicles/fields.ts";
import { recordOf, type useDraft } from "../forms/draft.ts";
import { FieldGroups, type FieldList } from "../forms/field-list.tsx";
import { useDecodedVin } from "./decoded-vin.ts";
import { isSuggested, useSuggestions } from "./suggestions.ts";
import {
  ENERGY_FIELDS,
  FLAGS,
  LONG_FIELDS,
  labelOf,
  PAST_FIELDS,
  SHORT_FIELDS,
  UNITS,
  type VehicleDraft,
} from "./vehicle-draft.ts";
import { STATUS_CHOICES, stageChoices } from "./vehicle-words.ts";

/** How the fields of each kind are typed. */
const KINDS = {
  name: { kind: "text", required: true },
  year: { kind: "whole", required: true },
  price: { kind: "decimal", required: true },
  status: { kind: "choice", choices: STATUS_CHOICES },
  text: { kind: "text" },
  code: { kind: "text" },
  whole: { kind: "whole" },
  decimal: { kind: "decimal" },
  money: { kind: "decimal" },
  day: { kind: "date" },
  long: { kind: "long" },
  flag: { kind: "flag" },
} as const;

const HINTS: { readonly [Field in VehicleField]?: string } = {
  title: "Empty: year, make and model",
  vin: "Fills make and year where they are empty",
  listed_at: "When it came to the lot; empty: now",
  features: "Separated by commas",
  date_first_registered: "If only the month is known, its first day",
  msrp: "The manufacturer's suggested retail price",
};

const labelsOf = (field: VehicleField) => ({
  label: labelOf(field),
  hint: HINTS[field] ?? (UNITS[field] === undefined ? undefined : `In ${UNITS[field]}`),
});

type Typed = (typeof SHORT_FIELDS | typeof LONG_FIELDS | typeof FLAGS)[number];

/** These fields, as the list of a vehicle's fields says. */
export const typedFields = (
  fields: readonly Typed[],
  suggestionsFor: ReturnType<typeof useSuggestions>,
): FieldList<VehicleDraft> =>
  recordOf(fields, (field) => ({
    ...KINDS[VEHICLE_FIELDS[field].kind],
    ...labelsOf(field),
    suggestions: isSuggested(field) ? suggestionsFor(field) : undefined,
  })) as FieldList<VehicleDraft>;

interface VehicleFieldsProps {
  readonly draft: ReturnType<typeof useDraft<VehicleDraft>>;
  /** The dealer whose vehicles suggest values; `null` for every dealer. */
  readonly dealerId: number | null;
  /** True for a vehicle that is being added: its VIN comes first, as it fills other fields. */
  readonly isNew?: boolean;
}

const OFFER: readonly VehicleField[] = ["make", "model", "year", "price", "msrp", "status", "mileage"];
const IDENTITY: readonly VehicleField[] = ["title", "trim", "vin", "stock_number"];
const GROUPED: readonly VehicleField[] = [...OFFER, ...IDENTITY, ...PAST_FIELDS, ...ENERGY_FIELDS];

const lotFields = ({ status, stage }: VehicleDraft): FieldList<VehicleDraft> => {
  const choices = stageChoices(status);
  // After a change of the status, the previous stage may not be offered.
  const chosen = choices.some(([one]) => one === stage) ? stage : "";
  return {
    stage: { kind: "choice", ...labelsOf("stage"), choices, chosen },
    listed_at: { kind: "date", ...labelsOf("listed_at") },
    sold_at: status === "sold" && { kind: "date", ...labelsOf("sold_at") },
  };
};

/** Every field of a vehicle. Fields without a group of their own are its details. */
export const VehicleFields = ({ draft, dealerId, isNew = false }: VehicleFieldsProps) => {
  const { values } = draft;
  const vinIssue = useDecodedVin(draft);
  const suggestionsFor = useSuggestions(dealerId, values.make);
  const listed = (belongs: (field: VehicleField) => boolean) =>
    typedFields(SHORT_FIELDS.filter(belongs), suggestionsFor);
  const vin: FieldList<VehicleDraft> = {
    vin: { kind: "text", label: labelOf("vin"), hint: vinIssue ?? labelsOf("vin").hint },
  };
  const identity = listed((field) => IDENTITY.includes(field) && !(isNew && field === "vin"));
  return (
    <FieldGroups
      draft={draft}
      groups={[
        { title: "The vehicle", fields: { ...(isNew && vin), ...listed((field) => OFFER.includes(field)) } },
        { title: "On the lot", fields: lotFields(values) },
        { title: "Name and numbers", fields: { ...identity, ...(!isNew && vin) } },
        { title: "Details", fields: listed((field) => !GROUPED.includes(field)) },
        { title: "Registration and warranty", fields: listed((field) => PAST_FIELDS.includes(field)) },
        { title: "Energy and emissions", fields: listed((field) => ENERGY_FIELDS.includes(field)) },
        { title: "Presentation", fields: typedFields([...LONG_FIELDS, ...FLAGS], suggestionsFor) },
      ]}
    />
  );
};
