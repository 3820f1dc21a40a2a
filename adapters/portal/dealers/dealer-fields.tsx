import { Button, Group, SimpleGrid, Stack } from "@mantine/core";
import type { useDraft } from "../forms/draft.ts";
import { FieldGroup } from "../forms/field-group.tsx";
import { LongTextField, TextField } from "../forms/fields.tsx";
import { type DealerDraft, type Network, WEEKDAYS } from "./dealer-draft.ts";

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

/** Every field of a dealer. */
export const DealerFields = ({ draft }: { draft: Draft }) => {
  const { bind } = draft;
  return (
    <>
      <FieldGroup title="Name and address">
        <TextField {...bind("name")} label="Name" required />
        <TextField {...bind("address")} label="Street address" required />
        <TextField {...bind("city")} label="City" required />
        <TextField {...bind("state")} label="State" required />
        <TextField {...bind("zip")} label="ZIP or postal code" required />
      </FieldGroup>
      <FieldGroup title="Contact">
        <TextField {...bind("phone")} label="Phone" required />
        <TextField {...bind("email")} label="Email" type="email" required />
        <TextField {...bind("website")} label="Website" inputMode="url" />
      </FieldGroup>
      <FieldGroup title="Presentation" wide={<LongTextField {...bind("description")} label="Description" />}>
        <TextField {...bind("logo_url")} label="Address of the logo" inputMode="url" />
      </FieldGroup>
      <HoursFields draft={draft} />
      <NetworkFields draft={draft} />
    </>
  );
};
