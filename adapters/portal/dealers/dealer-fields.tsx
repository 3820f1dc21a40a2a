import { SimpleGrid } from "@mantine/core";
import { DEALER_FIELDS, type Dealer, type DealerField, WEEKDAYS } from "../../../core/dealers/fields.ts";
import { labelFromName, recordOf, type useDraft } from "../forms/draft.ts";
import { FieldGroups, type FieldList, Fields } from "../forms/field-list.tsx";
import { FieldRows } from "../forms/field-rows.tsx";
import { TextField } from "../forms/fields.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { type DealerDraft, LONG_FIELDS, labelOf, SHORT_FIELDS } from "./dealer-draft.ts";

type Draft = ReturnType<typeof useDraft<DealerDraft>>;

const Hours = ({ draft: { values, set } }: { draft: Draft }) => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" verticalSpacing="sm">
    <Fields
      list={recordOf(WEEKDAYS, (day) => ({
        kind: "text" as const,
        label: labelFromName(day),
        placeholder: "9:00-18:00",
      }))}
      values={values.hours}
      set={(changes) => set({ hours: { ...values.hours, ...changes } })}
      under="hours."
    />
  </SimpleGrid>
);

const Networks = ({ draft: { values, set } }: { draft: Draft }) => (
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
);

/** How the fields of each kind are typed. */
const KINDS = {
  name: { kind: "text", required: true },
  email: { kind: "email", required: true },
  text: { kind: "text" },
  long: { kind: "long" },
  url: { kind: "url" },
  degrees: { kind: "decimal" },
} as const;

const UNIQUENESS: readonly (readonly [Dealer["unique_vin"], string])[] = [
  ["warn", "Accept it"],
  ["refuse", "Refuse it"],
];

const ADDRESS: readonly DealerField[] = ["name", "address", "city", "state", "zip", "latitude", "longitude"];
const CONTACT: readonly DealerField[] = ["phone", "email", "website"];

/** The typed fields of a group, as the list of a dealer's fields says. */
const typedFields = (belongs: (field: DealerField) => boolean): FieldList<DealerDraft> =>
  recordOf([...SHORT_FIELDS, ...LONG_FIELDS].filter(belongs), (field) => ({
    ...KINDS[DEALER_FIELDS[field].kind],
    label: labelOf(field),
  }));

/** What only users without a dealer choose. */
const UNBOUND: FieldList<DealerDraft> = {
  codes: {
    kind: "long",
    label: labelOf("codes"),
    hint: "One on a line. A file for several dealers names them by these codes; google:HARBOR-1 is the store code in feeds for Google.",
  },
  rate_limit: {
    kind: "whole",
    label: labelOf("rate_limit"),
    hint: "Beside the limit of each key; empty for the limit of the service.",
  },
};

/** Every field of a dealer. Fields without a group of their own are its presentation. */
export const DealerFields = ({ draft }: { draft: Draft }) => {
  const isUnbound = bindingOf(useSession().user) === null;
  const presentation: FieldList<DealerDraft> = {
    ...typedFields((field) => ![...ADDRESS, ...CONTACT].includes(field)),
    ...(isUnbound && UNBOUND),
    unique_vin: { kind: "choice", label: labelOf("unique_vin"), choices: UNIQUENESS },
  };
  return (
    <FieldGroups
      draft={draft}
      groups={[
        { title: "Name and address", fields: typedFields((field) => ADDRESS.includes(field)) },
        { title: "Contact", fields: typedFields((field) => CONTACT.includes(field)) },
        { title: "Presentation", fields: presentation },
        { title: "Opening hours", below: <Hours draft={draft} /> },
        { title: "Social media", below: <Networks draft={draft} /> },
      ]}
    />
  );
};
