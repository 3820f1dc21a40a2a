import { shortened } from "../text.ts";

/** An error keeps a vehicle out of a feed; a warning does not. */
export const SEVERITIES = ["error", "warning"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The texts of a rule, whichever vehicle breaks it. */
interface RuleText {
  /** What is wrong, in general. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}

/**
 * THE list of rules: first the rules of channels, then those of the service itself. Clients receive the names, so a
 * name must never change.
 */
export const RULES = {
  unpublished: {
    message: "The vehicle is kept out of every feed.",
    fix: "Publish the vehicle, if it is to be shown.",
  },
  not_arrived: {
    message: "The vehicle is not at the dealer, or not ready for sale yet.",
    fix: "Clear the stage when the vehicle is ready, or name the stage in the filters of a feed that is to have it.",
  },
  required_empty: {
    message: "A field that the channel requires is empty.",
    fix: "Fill in the field.",
  },
  recommended_empty: {
    message: "A field that the channel recommends is empty.",
    fix: "Fill in the field: listings that have it are shown more often.",
  },
  vin_form: {
    message: "This VIN does not have the 17 characters of a VIN.",
    fix: "Read the VIN again from the vehicle: 17 digits and capitals, without I, O and Q.",
  },
  vin_check_digit: {
    message: "The VIN has a wrong check digit.",
    fix: "Look for a typing error in the VIN.",
  },
  vin_twice: {
    message: "Another vehicle of the feed, which is newer, has the same VIN.",
    fix: "Delete the vehicle that is there twice, or correct its VIN.",
  },
  id_twice: {
    message: "Another vehicle of the feed, which is newer, has the same stock number.",
    fix: "Give each vehicle a stock number of its own.",
  },
  price_zero: {
    message: "The vehicle has no price.",
    fix: "Set the price.",
  },
  image_missing: {
    message: "No photo has an address that begins with https.",
    fix: "Add a photo whose address begins with https.",
  },
  image_http: {
    message: "A photo has an address that begins with http: it may be refused, or shown with a warning.",
    fix: "Replace it by a photo whose address begins with https.",
  },
  link_store_code: {
    message: "The link template has no place for the store code, and the channel refuses such links.",
    fix: "Put {store_code} into the link template of the feed.",
  },
  price_type_missing: {
    message: "The country asks what the price includes, and the feed does not say it.",
    fix: "Set the price type of the feed, such as all_in_price.",
  },
  asked_by_country: {
    message: "The country asks for a field that is empty.",
    fix: "Fill in the field.",
  },
  store_code_missing: {
    message: "The feed has no store code for the dealer.",
    fix: "Add the dealer's store code to the feed.",
  },
  link_missing: {
    message: "The vehicle has no page that the channel could link to.",
    fix: "Give the feed a link template, and the vehicle what the template asks for.",
  },
  condition_unknown: {
    message: "The channel has no word for the condition.",
    fix: "Write new, used or certified.",
  },
  body_unknown: {
    message: "The channel has no word for the body style, and is told that it is another one.",
    fix: "Write a usual word, such as sedan, SUV or pickup.",
  },
  photos_few: {
    message: "There are fewer than 5 photos.",
    fix: "Add photos of the outside, the inside and the dashboard.",
  },
  photo_shared: {
    message: "A photo is also that of more than 2 other vehicles.",
    fix: "Replace it by a photo of this vehicle.",
  },
  coming_soon: {
    message: "A photo, or the title, says that it is coming soon.",
    fix: "Replace it by a photo or a title of this vehicle.",
  },
  description_short: {
    message: "The description has fewer than 30 characters.",
    fix: "Write some sentences about the vehicle.",
  },
  description_capitals: {
    message: "The description is all in capitals.",
    fix: "Write it in capitals and small letters: channels that refuse capitals get it in small letters, names too.",
  },
  description_link: {
    message: "The description has a link.",
    fix: "Take the link away: channels refuse descriptions with links.",
  },
  trim_missing: {
    message: "The trim is missing.",
    fix: "Fill in the trim, such as XSE.",
  },
  days_many: {
    message: "The vehicle has been on the lot for more than 90 days.",
    fix: "Look at its price and its photos.",
  },
  price_off_peers: {
    message: "The price is far from those of the dealer's like vehicles.",
    fix: "Look for a typing error in the price.",
  },
  mileage_low: {
    message: "The vehicle is used, but has a mileage of less than 100 miles.",
    fix: "Correct the mileage, or the condition.",
  },
  vin_placeholder: {
    message: "The VIN is a text that stands for none, such as TBD.",
    fix: "Write the VIN of the vehicle, or take the text away.",
  },
  dates_swapped: {
    message: "The vehicle was listed after its record was made, or long before: day and month may be exchanged.",
    fix: "Exchange day and month of the date, or correct it.",
  },
  vin_year: {
    message: "The VIN names another year.",
    fix: "Correct the year, or the VIN.",
  },
  vin_make: {
    message: "The VIN is of another make.",
    fix: "Correct the make, or the VIN.",
  },
  vin_repeated: {
    message: "Another vehicle of the dealer has the same VIN.",
    fix: "Delete the vehicle that is there twice, or correct its VIN.",
  },
} as const satisfies Readonly<Record<string, RuleText>>;
export type Rule = keyof typeof RULES;

/** Something that is wrong with a vehicle, in words that a dealer understands. */
export interface ReadinessIssue {
  readonly rule: Rule;
  readonly severity: Severity;
  /** A field of the vehicle, or a setting of the feed; `null` if the issue is about neither. */
  readonly field: string | null;
  /** The texts about this vehicle. */
  readonly message: string;
  readonly fix: string;
  /** The value that is wrong; `null` if there is none. */
  readonly evidence: string | null;
}

/** A violation of a rule. */
export interface Finding {
  readonly rule: Rule;
  readonly severity: Severity;
  readonly field: string | null;
  /** The text; by default, that of the rule. */
  readonly message?: string;
  readonly evidence?: string | null;
}

/** Longer values are shortened. */
const MAX_EVIDENCE = 200;

/** The issue that a finding is reported as. */
export const issueOf = ({ rule, severity, field, message, evidence }: Finding): ReadinessIssue => ({
  rule,
  severity,
  field,
  message: message ?? RULES[rule].message,
  fix: RULES[rule].fix,
  evidence: evidence === undefined || evidence === null ? null : shortened(evidence, MAX_EVIDENCE),
});
