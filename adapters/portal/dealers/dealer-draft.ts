import { type Dealer, type DealerField, fieldsOf, WEEKDAYS, type Weekday } from "../../../core/dealers/fields.ts";
import type { Issue } from "../../../core/issues.ts";
import { labelFromName, numberOrText, numberText, recordOf, textOrNull } from "../forms/draft.ts";

/** Single-line fields and multi-line fields, in the order of forms. */
export const SHORT_FIELDS = fieldsOf("name", "email", "url", "text", "degrees");
export const LONG_FIELDS = fieldsOf("long");
const TEXTS = fieldsOf("name", "email", "url", "text", "long");
const NUMBERS = fieldsOf("degrees");

const LABELS: { readonly [Field in DealerField]?: string } = {
  address: "Street address",
  zip: "ZIP or postal code",
  logo_url: "Address of the logo",
  codes: "Codes in other systems",
  rate_limit: "Requests a minute of all keys",
  unique_vin: "A VIN or stock number that another vehicle has",
};

/** The label of a field. */
export const labelOf = (field: DealerField): string => LABELS[field] ?? labelFromName(field);

/** A social media page of the dealer. */
interface Network {
  readonly id: number;
  readonly name: string;
  readonly url: string;
}

/** A dealer as the form holds it. */
export interface DealerDraft extends Readonly<Record<(typeof TEXTS | typeof NUMBERS)[number], string>> {
  readonly hours: Readonly<Record<Weekday, string>>;
  readonly networks: readonly Network[];
  readonly unique_vin: Dealer["unique_vin"];
  readonly rate_limit: string;
  /** One on a line. */
  readonly codes: string;
}

/** The form of an existing dealer, or of a new one. */
export const draftOfDealer = (dealer?: Dealer): DealerDraft => ({
  ...recordOf(TEXTS, (field) => dealer?.[field] ?? ""),
  ...recordOf(NUMBERS, (field) => numberText(dealer?.[field] ?? null)),
  hours: recordOf(WEEKDAYS, (day) => dealer?.hours?.[day] ?? ""),
  unique_vin: dealer?.unique_vin ?? "warn",
  rate_limit: numberText(dealer?.rate_limit ?? null),
  codes: (dealer?.codes ?? []).join("\n"),
  networks: Object.entries(dealer?.social_media ?? {}).map(([name, url], id) => ({ id, name, url })),
});

const orNull = <Value extends object>(record: Value): Value | null =>
  Object.keys(record).length === 0 ? null : record;

/** The request body of a draft, without days that have no hours and without empty lines. */
export const bodyOfDealer = ({ hours, networks, codes, ...typed }: DealerDraft) => ({
  ...typed,
  ...recordOf(fieldsOf("url", "text", "long"), (field) => textOrNull(typed[field])),
  ...recordOf(NUMBERS, (field) => numberOrText(typed[field])),
  rate_limit: numberOrText(typed.rate_limit),
  codes: codes
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== ""),
  hours: orNull(Object.fromEntries(WEEKDAYS.filter((day) => hours[day] !== "").map((day) => [day, hours[day]]))),
  social_media: orNull(
    Object.fromEntries(
      networks.filter(({ name, url }) => name !== "" || url !== "").map(({ name, url }) => [name, url]),
    ),
  ),
});

/** The coordinates that these changes must include: the service accepts only both together. */
export const withCoordinates = (changes: object, draft: DealerDraft): object => {
  if (!NUMBERS.some((name) => name in changes)) return {};
  const { latitude, longitude } = bodyOfDealer(draft);
  return { latitude, longitude };
};

/** An issue for each network whose name an earlier one has: only one of them could be saved. */
export const issuesOfNetworks = ({ networks }: DealerDraft): readonly Issue[] =>
  networks
    .filter(({ name }, at) => name !== "" && networks.findIndex((network) => network.name === name) < at)
    .map(({ id }) => ({ path: `network-${id}`, message: "Another network has this name" }));
