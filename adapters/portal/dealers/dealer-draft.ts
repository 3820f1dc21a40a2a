import type { Dealer } from "../../../core/dealers/dealer.ts";
import { textOrNull } from "../forms/draft.ts";

/** The days as the service names them. */
export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** A social media page of the dealer. */
export interface Network {
  readonly id: number;
  readonly name: string;
  readonly url: string;
}

/** A dealer as the form holds it. */
export interface DealerDraft {
  readonly name: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly phone: string;
  readonly email: string;
  readonly website: string;
  readonly logo_url: string;
  readonly description: string;
  readonly hours: Readonly<Record<Weekday, string>>;
  readonly networks: readonly Network[];
}

const NO_HOURS = { monday: "", tuesday: "", wednesday: "", thursday: "", friday: "", saturday: "", sunday: "" };

/** The form of a new dealer, empty. */
export const EMPTY_DEALER: DealerDraft = {
  name: "",
  address: "",
  city: "",
  state: "",
  zip: "",
  phone: "",
  email: "",
  website: "",
  logo_url: "",
  description: "",
  hours: NO_HOURS,
  networks: [],
};

/** The form of an existing dealer. */
export const draftOfDealer = (dealer: Dealer): DealerDraft => ({
  name: dealer.name,
  address: dealer.address,
  city: dealer.city,
  state: dealer.state,
  zip: dealer.zip,
  phone: dealer.phone,
  email: dealer.email,
  website: dealer.website ?? "",
  logo_url: dealer.logo_url ?? "",
  description: dealer.description ?? "",
  hours: { ...NO_HOURS, ...dealer.hours },
  networks: Object.entries(dealer.social_media ?? {}).map(([name, url], id) => ({ id, name, url })),
});

const orNull = <Value extends object>(record: Value): Value | null =>
  Object.keys(record).length === 0 ? null : record;

/** The request body of a draft, without days that have no hours and without empty lines. */
export const bodyOfDealer = ({ hours, networks, website, logo_url, description, ...required }: DealerDraft) => ({
  ...required,
  website: textOrNull(website),
  logo_url: textOrNull(logo_url),
  description: textOrNull(description),
  hours: orNull(Object.fromEntries(WEEKDAYS.filter((day) => hours[day] !== "").map((day) => [day, hours[day]]))),
  social_media: orNull(
    Object.fromEntries(
      networks.filter(({ name, url }) => name !== "" || url !== "").map(({ name, url }) => [name, url]),
    ),
  ),
});
