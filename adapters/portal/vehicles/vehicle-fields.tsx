import { Stack } from "@mantine/core";
import { type Kind, VEHICLE_FIELDS, type VehicleField } from "../../../core/vehicles/fields.ts";
import type { useDraft } from "../forms/draft.ts";
import { FieldGroup } from "../forms/field-group.tsx";
import { CheckboxField, ChoiceField, LongTextField, SuggestedField, TextField } from "../forms/fields.tsx";
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

/** The input for each kind of field. */
const INPUTS_BY_KIND: {
  readonly [Key in Kind]?: {
    readonly inputMode?: "numeric" | "decimal";
    readonly required?: true;
    readonly type?: "date";
  };
} = {
  name: { required: true },
  year: { inputMode: "numeric", required: true },
  price: { inputMode: "decimal", required: true },
  whole: { inputMode: "numeric" },
  decimal: { inputMode: "decimal" },
  money: { inputMode: "decimal" },
  day: { type: "date" },
};

const HINTS: { readonly [Field in VehicleField]?: string } = {
  title: "Empty: year, make and model",
  vin: "Fills make and year where they are empty",
  listed_at: "When it came to the lot; empty: now",
  features: "Separated by commas",
  date_first_registered: "If only the month is known, its first day",
  msrp: "The manufacturer's suggested retail price",
};

const labelsOf = (field: VehicleField) => {
  const hint = HINTS[field] ?? (UNITS[field] === undefined ? undefined : `In ${UNITS[field]}`);
  return { label: labelOf(field), ...(hint !== undefined && { description: hint }) };
};

interface VehicleFieldsProps {
  readonly draft: ReturnType<typeof useDraft<VehicleDraft>>;
  /** The dealer whose vehicles suggest values; `null` for every dealer. */
  readonly dealerId: number | null;
  /** True for a vehicle that is being added: its VIN comes first, as it fills other fields. */
  readonly isNew?: boolean;
}

interface ShortFieldProps {
  readonly field: (typeof SHORT_FIELDS)[number];
  readonly draft: ReturnType<typeof useDraft<VehicleDraft>>;
  readonly suggestionsFor: ReturnType<typeof useSuggestions>;
  /** Replaces the field's own hint. */
  readonly description?: string | undefined;
}

/** The input of a field of one line. */
export const ShortField = ({ field, draft: { bind }, suggestionsFor, description }: ShortFieldProps) => {
  if (field === "status") return <ChoiceField {...bind(field)} {...labelsOf(field)} options={STATUS_CHOICES} />;
  const hint = description !== undefined && { description };
  const text = { ...bind(field), ...labelsOf(field), ...hint, ...INPUTS_BY_KIND[VEHICLE_FIELDS[field].kind] };
  if (!isSuggested(field)) return <TextField {...text} />;
  return <SuggestedField {...text} suggestions={suggestionsFor(field)} />;
};

const OFFER: readonly VehicleField[] = ["make", "model", "year", "price", "msrp", "status", "mileage"];
const IDENTITY: readonly VehicleField[] = ["title", "trim", "vin", "stock_number"];
const GROUPED: readonly VehicleField[] = [...OFFER, ...IDENTITY, ...PAST_FIELDS, ...ENERGY_FIELDS];

/** Every field of a vehicle. Fields without a group of their own are its details. */
export const VehicleFields = ({ draft, dealerId, isNew = false }: VehicleFieldsProps) => {
  const { bind, values } = draft;
  const vinIssue = useDecodedVin(draft);
  const stages = stageChoices(values.status);
  const suggestionsFor = useSuggestions(dealerId, values.make);
  const input = (field: (typeof SHORT_FIELDS)[number]) => (
    <ShortField
      key={field}
      field={field}
      draft={draft}
      suggestionsFor={suggestionsFor}
      description={field === "vin" ? vinIssue : undefined}
    />
  );
  const inputs = (belongs: (field: VehicleField) => boolean) => SHORT_FIELDS.filter(belongs).map(input);
  return (
    <>
      <FieldGroup title="The vehicle">
        {isNew && input("vin")}
        {inputs((field) => OFFER.includes(field))}
      </FieldGroup>
      <FieldGroup title="On the lot">
        <ChoiceField
          {...bind("stage")}
          // After a change of the status, the previous stage may not be offered.
          value={stages.some(([stage]) => stage === values.stage) ? values.stage : ""}
          {...labelsOf("stage")}
          options={stages}
        />
        <TextField {...bind("listed_at")} {...labelsOf("listed_at")} type="date" />
        {values.status === "sold" && <TextField {...bind("sold_at")} {...labelsOf("sold_at")} type="date" />}
      </FieldGroup>
      <FieldGroup title="Name and numbers">
        {inputs((field) => IDENTITY.includes(field) && !(isNew && field === "vin"))}
      </FieldGroup>
      <FieldGroup title="Details">{inputs((field) => !GROUPED.includes(field))}</FieldGroup>
      <FieldGroup title="Registration and warranty">{inputs((field) => PAST_FIELDS.includes(field))}</FieldGroup>
      <FieldGroup title="Energy and emissions">{inputs((field) => ENERGY_FIELDS.includes(field))}</FieldGroup>
      <FieldGroup
        title="Presentation"
        fullWidth={
          <Stack gap="sm">
            {LONG_FIELDS.map((field) => (
              <LongTextField key={field} {...bind(field)} {...labelsOf(field)} />
            ))}
            {FLAGS.map((field) => (
              <CheckboxField key={field} {...bind(field)} {...labelsOf(field)} />
            ))}
          </Stack>
        }
      />
    </>
  );
};
