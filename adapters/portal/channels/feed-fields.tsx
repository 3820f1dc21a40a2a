import { Button, Group, Stack } from "@mantine/core";
import { DealerField, useDealerNames } from "../choices/dealer-choice.tsx";
import { labelFromName, type useDraft } from "../forms/draft.ts";
import { FieldGroup } from "../forms/field-group.tsx";
import { CheckboxField, ChoiceField, TextField } from "../forms/fields.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { type FeedDraft, type FeedStore, FILTERS, type FilterName, NUMBER_FILTERS, storePath } from "./feed-draft.ts";
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

const FILTER_LABELS: { readonly [Name in FilterName]?: string } = {
  min_year: "Year from",
  max_year: "Year to",
  min_price: "Price from",
  max_price: "Price to",
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
  const { bind, values, set } = draft;
  const isBound = bindingOf(useSession().user) !== null;
  return (
    <>
      <FieldGroup title="The feed">
        <TextField {...bind("name")} label="Name" required />
        <ChoiceField
          {...bind("channel")}
          label="Channel"
          description="Decides its columns, and what leaves a vehicle out."
          options={CHANNEL_CHOICES}
        />
        <CheckboxField
          {...bind("active")}
          label="Active"
          description="If not, the channel keeps the copy that it has."
        />
      </FieldGroup>
      {!isBound && (
        <FieldGroup title="Dealers" description={STORE_CODE} fullWidth={<Stores draft={draft} />}>
          <ChoiceField {...bind("whose")} label="Whose vehicles" options={WHOSE} />
        </FieldGroup>
      )}
      <FieldGroup
        title="Which vehicles"
        description="Available and pending ones, as far as these fields do not narrow it. Several words are separated by commas."
      >
        {FILTERS.map((name) => (
          <TextField
            key={name}
            path={`filters.${name}`}
            label={FILTER_LABELS[name] ?? labelFromName(name)}
            value={values.filters[name]}
            onChange={(typed) => set({ filters: { ...values.filters, [name]: typed } })}
            {...(NUMBER_FILTERS.some((one) => one === name) && { inputMode: "numeric" })}
          />
        ))}
      </FieldGroup>
      <FieldGroup
        title="What the channel is told"
        fullWidth={
          <TextField
            {...bind("link_template")}
            label="Link template"
            description="The address of a vehicle's page, with fields in braces: https://www.example.com/cars/{stock_number}. Google vehicle ads need {store_code} in it."
            inputMode="url"
          />
        }
      >
        {isBound && <OwnStore draft={draft} />}
        <TextField {...bind("currency")} label="Currency" description="Three capitals, such as USD." required />
        <TextField {...bind("country")} label="Country" description="Two capitals, such as US." required />
        <ChoiceField {...bind("mileage_unit")} label="Mileages are in" options={MILEAGE_UNITS} />
        <TextField
          {...bind("price_type")}
          label="Price type"
          description="What the prices include, for Google's vehicle ads in Australia, Canada and Japan: all_in_price."
        />
        <TextField
          {...bind("max_drop_percent")}
          label="Hold it if it loses more than"
          description="Percent of its vehicles since the last fetch, and more than 3."
          inputMode="numeric"
          required
        />
      </FieldGroup>
    </>
  );
};
