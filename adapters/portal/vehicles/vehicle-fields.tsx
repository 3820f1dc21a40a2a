import { SimpleGrid } from "@mantine/core";
import type { useDraft } from "../forms/draft.ts";
import { ChoiceField, LongTextField, TextField, YesField } from "../forms/fields.tsx";
import { TEXTS, type VehicleDraft } from "./vehicle-draft.ts";
import { STATUS_CHOICES } from "./vehicle-words.ts";

/** Every field of a vehicle. */
export const VehicleFields = ({ draft: { bind } }: { draft: ReturnType<typeof useDraft<VehicleDraft>> }) => (
  <>
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      <TextField {...bind("make")} label="Make" required />
      <TextField {...bind("model")} label="Model" required />
      <TextField {...bind("year")} label="Year" inputMode="numeric" required />
      <TextField {...bind("price")} label="Price" inputMode="decimal" required />
      <ChoiceField {...bind("status")} label="Status" options={STATUS_CHOICES} />
      <TextField {...bind("mileage")} label="Mileage" inputMode="numeric" />
      {TEXTS.map(([field, label]) => (
        <TextField
          key={field}
          {...bind(field)}
          label={label}
          {...(field === "title" && { description: "Empty: year, make and model" })}
        />
      ))}
      <TextField {...bind("seats")} label="Seats" inputMode="numeric" />
    </SimpleGrid>
    <LongTextField {...bind("features")} label="Features" description="Separated by commas" />
    <LongTextField {...bind("description")} label="Description" />
    <YesField {...bind("featured")} label="Featured" />
  </>
);
