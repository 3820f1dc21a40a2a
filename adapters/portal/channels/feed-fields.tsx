import { Button, Group, Stack } from "@mantine/core";
import { DealerField, useDealerNames } from "../choices/dealer-choice.tsx";
import type { useDraft } from "../forms/draft.ts";
import { FieldGroups, type FieldList, Fields } from "../forms/field-list.tsx";
import { TextField } from "../forms/fields.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { type FeedDraft, type FeedStore, storePath } from "./feed-draft.ts";
import { CHANNEL_CHOICES } from "./feed-words.ts";

type Draft = ReturnType<typeof useDraft<FeedDraft>>;

const WHOSE = [
  ["some", "Those of some dealers"],
  ["all", "Those of all dealers"],
] as const;

const MILEAGE_UNITS = [
  ["mi", "Miles"],
  ["km", "Kilometers"],
] as const;

const FEED: FieldList<FeedDraft> = {
  name: { kind: "text", label: "Name", required: true },
  channel: {
    kind: "choice",
    label: "Channel",
    hint: "Decides its columns, and what leaves a vehicle out.",
    choices: CHANNEL_CHOICES,
  },
  active: { kind: "flag", label: "Active", hint: "If not, the channel keeps the copy that it has." },
};

const VEHICLES: FieldList<FeedDraft["filters"]> = {
  condition: { kind: "text", label: "Condition" },
  make: { kind: "text", label: "Make" },
  model: { kind: "text", label: "Model" },
  body_style: { kind: "text", label: "Body style" },
  min_year: { kind: "whole", label: "Year from" },
  max_year: { kind: "whole", label: "Year to" },
  min_price: { kind: "whole", label: "Price from" },
  max_price: { kind: "whole", label: "Price to" },
};

const TOLD: FieldList<FeedDraft> = {
  currency: { kind: "text", label: "Currency", hint: "Three capitals, such as USD.", required: true },
  country: { kind: "text", label: "Country", hint: "Two capitals, such as US.", required: true },
  mileage_unit: { kind: "choice", label: "Mileages are in", choices: MILEAGE_UNITS },
  price_type: {
    kind: "text",
    label: "Price type",
    hint: "What the prices include, for Google's vehicle ads in Australia, Canada and Japan: all_in_price.",
  },
  max_drop_percent: {
    kind: "whole",
    label: "Hold it if it loses more than",
    hint: "Percent of its vehicles since the last fetch, and more than 3.",
    required: true,
  },
  link_template: {
    kind: "url",
    label: "Link template",
    hint: "The address of a vehicle's page, with fields in braces: https://www.example.com/cars/{stock_number}. Google vehicle ads need {store_code} in it.",
    isWide: true,
  },
};

const STORE_CODE = "A channel knows a dealer by the code of its store. Google requires it.";

/** The store code of the user's own dealer, the only one of the feed. */
const OwnStore = ({ draft: { values, set } }: { draft: Draft }) => {
  const [own] = values.stores;
  if (own === undefined) return null;
  return (
    <TextField
      path={storePath(own.dealerId)}
      label="Store code"
      description={STORE_CODE}
      value={own.code}
      onChange={(code) => set({ stores: [{ ...own, code }] })}
    />
  );
};

/** The dealers of a feed with their store codes; users add and remove them. */
const Stores = ({ draft: { values, set } }: { draft: Draft }) => {
  const { stores } = values;
  const nameOf = useDealerNames(stores.map(({ dealerId }) => dealerId));
  const replace = (changed: FeedStore): void =>
    set({ stores: stores.map((store) => (store.dealerId === changed.dealerId ? changed : store)) });
  const add = (id: string): void => {
    const dealerId = Number(id);
    if (!Number.isSafeInteger(dealerId) || dealerId < 1 || stores.some((store) => store.dealerId === dealerId)) return;
    set({ stores: [...stores, { dealerId, code: "" }] });
  };
  return (
    <Stack gap="sm">
      {stores.map((store) => (
        <Group key={store.dealerId} align="flex-end" gap="sm">
          <TextField
            path={storePath(store.dealerId)}
            label={`Store code of ${nameOf(store.dealerId)}`}
            value={store.code}
            onChange={(code) => replace({ ...store, code })}
          />
          <Button
            variant="default"
            aria-label={`Remove ${nameOf(store.dealerId)}`}
            onClick={() => set({ stores: stores.filter(({ dealerId }) => dealerId !== store.dealerId) })}
          >
            Remove
          </Button>
        </Group>
      ))}
      <DealerField path="dealer_ids" value="" onChange={add} placeholder="Choose a dealer to add" />
    </Stack>
  );
};

/** Every field of a feed. Only users without a dealer choose the dealers. */
export const FeedFields = ({ draft }: { draft: Draft }) => {
  const { values, set } = draft;
  const isBound = bindingOf(useSession().user) !== null;
  return (
    <FieldGroups
      draft={draft}
      groups={[
        { title: "The feed", fields: FEED },
        !isBound && {
          title: "Dealers",
          description: STORE_CODE,
          fields: { whose: { kind: "choice", label: "Whose vehicles", choices: WHOSE } },
          below: <Stores draft={draft} />,
        },
        {
          title: "Which vehicles",
          description:
            "Available and pending ones, as far as these fields do not narrow it. Several words are separated by commas.",
          inputs: (
            <Fields
              list={VEHICLES}
              values={values.filters}
              set={(changes) => set({ filters: { ...values.filters, ...changes } })}
              under="filters."
            />
          ),
        },
        { title: "What the channel is told", fields: TOLD, below: isBound && <OwnStore draft={draft} /> },
      ]}
    />
  );
};
