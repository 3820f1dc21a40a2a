import { SimpleGrid } from "@mantine/core";
import type { ComponentProps } from "react";
import { DEALER_FIELDS, type Dealer, type DealerField, type Kind, WEEKDAYS } from "../../../core/dealers/fields.ts";
import { labelFromName, type useDraft } from "../forms/draft.ts";
import { FieldGroup } from "../forms/field-group.tsx";
import { FieldRows } from "../forms/field-rows.tsx";
import { ChoiceField, LongTextField, TextField } from "../forms/fields.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { type DealerDraft, LONG_FIELDS, labelOf, SHORT_FIELDS } from "./dealer-draft.ts";

type Draft = ReturnType<typeof useDraft<DealerDraft>>;

const HoursFields = ({ draft: { values, set } }: { draft: Draft }) => (
  <FieldGroup
    title="Opening hours"
    fullWidth={
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" verticalSpacing="sm">
        {WEEKDAYS.map((day) => (
          <TextField
            key={day}
            path={`hours.${day}`}
            label={labelFromName(day)}
            placeholder="9:00-18:00"
            value={values.hours[day]}
            onChange={(hours) => set({ hours: { ...values.hours, [day]: hours } })}
          />
        ))}
      </SimpleGrid>
    }
  />
);

const NetworkFields = ({ draft: { values, set } }: { draft: Draft }) => (
  <FieldGroup
    title="Social media"
    fullWidth={
      <FieldRows
        noun="network"
        rows={values.networks}
        onChange={(networks) => set({ networks })}
        newRow={(id) => ({ id, name: "", url: "" })}
        renderFields={({ id, name, url }, number, change) => (
          <>
            <TextField
              path={`network-${id}`}
              label={`Network ${number}`}
              value={name}
              onChange={(typed) => change({ name: typed })}
            />
            <TextField
              path={`social_media.${name}`}
              label={`Address ${number}`}
              value={url}
              onChange={(typed) => change({ url: typed })}
            />
          </>
        )}
      />
    }
  />
);

/** The input for each kind of field. */
const TYPING: { readonly [Key in Kind]?: Pick<ComponentProps<typeof TextField>, "required" | "type" | "inputMode"> } = {
  name: { required: true },
  email: { required: true, type: "email" },
  url: { inputMode: "url" },
  degrees: { inputMode: "decimal" },
};

const UNIQUENESS: readonly (readonly [Dealer["unique_vin"], string])[] = [
  ["warn", "Accept it"],
  ["refuse", "Refuse it"],
];

const ADDRESS: readonly DealerField[] = ["name", "address", "city", "state", "zip", "latitude", "longitude"];
const CONTACT: readonly DealerField[] = ["phone", "email", "website"];

/** Every field of a dealer. Fields without a group of their own are its presentation. */
export const DealerFields = ({ draft }: { draft: Draft }) => {
  const { bind } = draft;
  const isUnbound = bindingOf(useSession().user) === null;
  const inputs = (belongs: (field: DealerField) => boolean) =>
    SHORT_FIELDS.filter(belongs).map((field) => (
      <TextField key={field} {...bind(field)} label={labelOf(field)} {...TYPING[DEALER_FIELDS[field].kind]} />
    ));
  const long = LONG_FIELDS.map((field) => <LongTextField key={field} {...bind(field)} label={labelOf(field)} />);
  return (
    <>
      <FieldGroup title="Name and address">{inputs((field) => ADDRESS.includes(field))}</FieldGroup>
      <FieldGroup title="Contact">{inputs((field) => CONTACT.includes(field))}</FieldGroup>
      <FieldGroup title="Presentation" fullWidth={long}>
        {inputs((field) => ![...ADDRESS, ...CONTACT].includes(field))}
        {isUnbound && (
          <LongTextField
            {...bind("codes")}
            label={labelOf("codes")}
            description="One on a line. A file for several dealers names them by these codes; google:HARBOR-1 is the store code in feeds for Google."
          />
        )}
        {isUnbound && (
          <TextField
            {...bind("rate_limit")}
            label={labelOf("rate_limit")}
            description="Beside the limit of each key; empty for the limit of the service."
            inputMode="numeric"
          />
        )}
        <ChoiceField {...bind("unique_vin")} label={labelOf("unique_vin")} options={UNIQUENESS} />
      </FieldGroup>
      <HoursFields draft={draft} />
      <NetworkFields draft={draft} />
    </>
  );
};
