import { SimpleGrid } from "@mantine/core";
import { type Kind, VEHICLE_FIELDS, type VehicleField } from "../../../core/vehicles/fields.ts";
import type { useDraft } from "../forms/draft.ts";
import { ChoiceField, LongTextField, SuggestedField, TextField, YesField } from "../forms/fields.tsx";
import { isSuggested, useSuggestions } from "./suggestions.ts";
import { FLAGS, LONG_FIELDS, labelOf, SHORT_FIELDS, type VehicleDraft } from "./vehicle-draft.ts";
import { STATUS_CHOICES } from "./vehicle-words.ts";

/** How fields of a kind are typed. */
const TYPING: { readonly [Key in Kind]?: { readonly inputMode?: "numeric" | "decimal"; readonly required?: true } } = {
  name: { required: true },
  year: { inputMode: "numeric", required: true },
  price: { inputMode: "decimal", required: true },
  whole: { inputMode: "numeric" },
};

const HINTS: { readonly [Field in VehicleField]?: string } = {
  title: "Empty: year, make and model",
  features: "Separated by commas",
};

const about = (field: VehicleField) => ({
  label: labelOf(field),
  ...(HINTS[field] !== undefined && { description: HINTS[field] }),
});

interface VehicleFieldsProps {
  readonly draft: ReturnType<typeof useDraft<VehicleDraft>>;
  /** Whose other vehicles suggest values. */
  readonly dealerId: number;
}

/** Every field of a vehicle. */
export const VehicleFields = ({ draft: { bind, values }, dealerId }: VehicleFieldsProps) => {
  const suggestionsFor = useSuggestions(dealerId, values.make);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {SHORT_FIELDS.map((field) =>
          field === "status" ? (
            <ChoiceField key={field} {...bind(field)} {...about(field)} options={STATUS_CHOICES} />
          ) : isSuggested(field) ? (
            <SuggestedField
              key={field}
              {...bind(field)}
              {...about(field)}
              {...TYPING[VEHICLE_FIELDS[field].kind]}
              suggestions={suggestionsFor(field)}
            />
          ) : (
            <TextField key={field} {...bind(field)} {...about(field)} {...TYPING[VEHICLE_FIELDS[field].kind]} />
          ),
        )}
      </SimpleGrid>
      {LONG_FIELDS.map((field) => (
        <LongTextField key={field} {...bind(field)} {...about(field)} />
      ))}
      {FLAGS.map((field) => (
        <YesField key={field} {...bind(field)} {...about(field)} />
      ))}
    </>
  );
};
