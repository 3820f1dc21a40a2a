import { Button, Fieldset, Group, SimpleGrid, Stack } from "@mantine/core";
import type { useDraft } from "../forms/draft.ts";
import { LongTextField, TextField } from "../forms/fields.tsx";
import { type DealerDraft, type Network, WEEKDAYS } from "./dealer-draft.ts";

type Draft = ReturnType<typeof useDraft<DealerDraft>>;

const capitalised = (day: string): string => day.charAt(0).toUpperCase() + day.slice(1);

const HoursFields = ({ draft: { values, set } }: { draft: Draft }) => (
  <Fieldset legend="Opening hours">
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
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
  </Fieldset>
);

const NetworkFields = ({ draft: { values, set } }: { draft: Draft }) => {
  const { networks } = values;
  const replace = (changed: Network): void =>
    set({ networks: networks.map((network) => (network.id === changed.id ? changed : network)) });
  const nextId = Math.max(0, ...networks.map(({ id }) => id)) + 1;
  return (
    <Fieldset legend="Social media">
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
    </Fieldset>
  );
};

/** Every field of a dealer. */
export const DealerFields = ({ draft }: { draft: Draft }) => {
  const { bind } = draft;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextField {...bind("name")} label="Name" required />
        <TextField {...bind("address")} label="Street address" required />
        <TextField {...bind("city")} label="City" required />
        <TextField {...bind("state")} label="State" required />
        <TextField {...bind("zip")} label="ZIP or postal code" required />
        <TextField {...bind("phone")} label="Phone" required />
        <TextField {...bind("email")} label="Email" type="email" required />
        <TextField {...bind("website")} label="Website" inputMode="url" />
        <TextField {...bind("logo_url")} label="Address of the logo" inputMode="url" />
      </SimpleGrid>
      <LongTextField {...bind("description")} label="Description" />
      <HoursFields draft={draft} />
      <NetworkFields draft={draft} />
    </>
  );
};
