import { Button, Group, SimpleGrid, Stack } from "@mantine/core";
import type { ComponentProps } from "react";
import { DEALER_FIELDS, type DealerField, type Kind, WEEKDAYS } from "../../../core/dealers/fields.ts";
import type { useDraft } from "../forms/draft.ts";
import { FieldGroup } from "../forms/field-group.tsx";
import { LongTextField, TextField } from "../forms/fields.tsx";
import { type DealerDraft, LONG_FIELDS, labelOf, type Network, SHORT_FIELDS } from "./dealer-draft.ts";

type Draft = ReturnType<typeof useDraft<DealerDraft>>;

const capitalised = (day: string): string => day.charAt(0).toUpperCase() + day.slice(1);

const HoursFields = ({ draft: { values, set } }: { draft: Draft }) => (
  <FieldGroup
    title="Opening hours"
    wide={
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" verticalSpacing="sm">
        {WEEKDAYS.map((day) => (
          <TextField
            key={day}
            path={`hours.${day}`}
            label={capitalised(day)}
            placeholder="9:00-18:00"
            value={values.hours[day]}
            onChange={(hours) => set({ hours: { ...values.hours, [day]: hours } })}
          />
        ))}
      </SimpleGrid>
    }
  />
);

const NetworkFields = ({ draft: { values, set } }: { draft: Draft }) => {
  const { networks } = values;
  const replace = (changed: Network): void =>
    set({ networks: networks.map((network) => (network.id === changed.id ? changed : network)) });
  const nextId = Math.max(0, ...networks.map(({ id }) => id)) + 1;
  return (
    <FieldGroup
      title="Social media"
      wide={
        <Stack gap="sm">
          {networks.map((network, at) => (
            <Group key={network.id} align="flex-end" gap="sm">
              <TextField
                path={`network-${network.id}`}
                label={`Network ${at + 1}`}
                value={network.name}
                onChange={(name) => replace({ ...network, name })}
              />
              <TextField
                path={`social_media.${network.name}`}
                label={`Address ${at + 1}`}
                value={network.url}
                onChange={(url) => replace({ ...network, url })}
              />
              <Button
                variant="default"
                aria-label={`Remove network ${at + 1}`}
                onClick={() => set({ networks: networks.filter(({ id }) => id !== network.id) })}
              >
                Remove
              </Button>
            </Group>
          ))}
          <Group>
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => set({ networks: [...networks, { id: nextId, name: "", url: "" }] })}
            >
              Add a network
            </Button>
          </Group>
        </Stack>
      }
    />
  );
};

/** How fields of a kind are typed. */
const TYPING: { readonly [Key in Kind]?: Pick<ComponentProps<typeof TextField>, "required" | "type" | "inputMode"> } = {
  name: { required: true },
  email: { required: true, type: "email" },
  url: { inputMode: "url" },
  degrees: { inputMode: "decimal" },
};

const ADDRESS: readonly DealerField[] = ["name", "address", "city", "state", "zip", "latitude", "longitude"];
const CONTACT: readonly DealerField[] = ["phone", "email", "website"];

/** Every field of a dealer; those of no other group are its presentation. */
export const DealerFields = ({ draft }: { draft: Draft }) => {
  const { bind } = draft;
  const inputs = (belongs: (field: DealerField) => boolean) =>
    SHORT_FIELDS.filter(belongs).map((field) => (
      <TextField key={field} {...bind(field)} label={labelOf(field)} {...TYPING[DEALER_FIELDS[field].kind]} />
    ));
  const long = LONG_FIELDS.map((field) => <LongTextField key={field} {...bind(field)} label={labelOf(field)} />);
  return (
    <>
      <FieldGroup title="Name and address">{inputs((field) => ADDRESS.includes(field))}</FieldGroup>
      <FieldGroup title="Contact">{inputs((field) => CONTACT.includes(field))}</FieldGroup>
      <FieldGroup title="Presentation" wide={long}>
        {inputs((field) => ![...ADDRESS, ...CONTACT].includes(field))}
      </FieldGroup>
      <HoursFields draft={draft} />
      <NetworkFields draft={draft} />
    </>
  );
};
