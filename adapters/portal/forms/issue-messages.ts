import type { Issue } from "../../../core/issues.ts";
import { browserLanguage, numberForSentence, parseTypedNumber } from "./numbers.ts";

/** The field that a refusal is about, as its user sees it. */
export interface InvalidField {
  readonly label: string;
  /** The value that was sent; `undefined` if the field is not on the page. */
  readonly value?: unknown;
  /** True for a choice among offered values. */
  readonly isChosen?: boolean;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The label of a path without a field: `social_media.mastodon` is "Social media". */
export const labelOfPath = (path: string): string =>
  capitalised((path.split(".")[0] ?? "").replace(/_id$/, "").replaceAll("_", " "));

/** The noun for a field whose label is not one. */
const NOUNS: Readonly<Record<string, string>> = {
  Email: "email address",
  Phone: "phone number",
  "Expires at the end of": "date",
  "Expires at": "date",
};

/** "a price", "an email address", "a VIN", "your password", "the address of the image". */
const withArticle = (label: string): string => {
  const plain = NOUNS[label] ?? label.replace(/ \d+$/, "");
  const noun = /^\p{Lu}{2}/u.test(plain) ? plain : plain.charAt(0).toLowerCase() + plain.slice(1);
  if (noun.startsWith("your ")) return noun;
  if (noun.includes(" of the ")) return `the ${noun}`;
  return `${/^(?:[aeio]|u(?!se))/.test(noun) ? "an" : "a"} ${noun}`;
};

const isMissing = ({ value }: InvalidField): boolean =>
  value === null || (typeof value === "string" && value.trim() === "");
const requiredMessage = ({ label, isChosen = false }: InvalidField): string =>
  `${isChosen ? "Choose" : "Enter"} ${withArticle(label)}`;

/** Larger limits mean nothing to a person. */
const LARGEST_SHOWN_LIMIT = 2_147_483_647;
const rangeText = (low: string, high: string): string => {
  const [least, most] = [low, high].map((limit) => numberForSentence(Number(limit), browserLanguage()));
  return Number(high) >= LARGEST_SHOWN_LIMIT ? `, ${least} or more` : ` from ${least} to ${most}`;
};
const isNumber = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && parseTypedNumber(value, browserLanguage()) !== null);

const maxLengthMessage = (most: number): string => `Up to ${numberForSentence(most, browserLanguage())} characters`;
const isLonger = (value: unknown, most: number): boolean => typeof value === "string" && [...value].length > most;

/** The message for text with a format, such as an address. */
const formatMessage = (field: InvalidField, most: number, form: string): string =>
  isMissing(field) ? requiredMessage(field) : isLonger(field.value, most) ? maxLengthMessage(most) : form;

const UNSTORABLE_MESSAGE = "Contains a character that cannot be saved. Type the text again";
const textMessage = (most: number, field: InvalidField): string => {
  if (isMissing(field)) return requiredMessage(field);
  return typeof field.value === "string" && !isLonger(field.value, most) ? UNSTORABLE_MESSAGE : maxLengthMessage(most);
};

const WEB_ADDRESS_MESSAGE = "Enter an address that begins with https://";

/**
 * THE table: the service's message for an issue, and the message at the field. The first matching row counts;
 * `{1}` stands for the row's first group.
 */
const MESSAGES: readonly (readonly [
  fault: RegExp,
  words: string | ((field: InvalidField, found: readonly string[]) => string),
])[] = [
  [/^is required|^must not be null$/, requiredMessage],
  [/^must be in the future$/, "Choose a time that is still to come"],
  [/^must be at most (\d+) days ahead$/, "Choose a time within a year"],
  [/^must be text of \d+ to (\d+) characters/, (field, [most]) => textMessage(Number(most), field)],
  [
    /^must be a whole number from (-?\d+) to (\d+)/,
    (field, [low = "", high = ""]) =>
      field.isChosen || isMissing(field) ? requiredMessage(field) : `Enter a whole number${rangeText(low, high)}`,
  ],
  [
    /^must be a number from (\d+) to (\d+) with up to 2 decimals/,
    (field, [low = "", high = ""]) => {
      if (isMissing(field)) return requiredMessage(field);
      if (!isNumber(field.value)) return `Enter a number, such as ${numberForSentence(25_999.99, browserLanguage())}`;
      return `Enter a number${rangeText(low, high)}, with up to 2 decimals`;
    },
  ],
  [
    /^must be a number from (-?\d+) to (\d+)$/,
    (field, [low = "", high = ""]) =>
      isMissing(field) ? requiredMessage(field) : `Enter a number${rangeText(low, high)}`,
  ],
  [/^must be sent with (?:latitude|longitude)/, "Enter both latitude and longitude, or neither"],
  [
    /^must be an email address of up to (\d+) characters/,
    (field, [most]) => formatMessage(field, Number(most), "Enter an email address, such as sales@harbor.example.com"),
  ],
  [
    /^must be an http or https address of up to (\d+) characters/,
    (field, [most]) => formatMessage(field, Number(most), WEB_ADDRESS_MESSAGE),
  ],
  [
    /^must be 1 to (\d+) (letters, .+)/,
    (field, [most, allowed = ""]) =>
      isMissing(field) ? requiredMessage(field) : `Up to ${most} ${allowed.replace(" or ", " and ")}, and nothing else`,
  ],
  [/must be an object with the keys monday/, "Up to 100 characters, such as 9:00-18:00"],
  [
    /must be an object of up to (\d+) network names/,
    ({ label }, [most]) =>
      label.startsWith("Address")
        ? WEB_ADDRESS_MESSAGE
        : `Up to ${most} networks, each with a name and an address that begins with https://`,
  ],
  [
    /^must be \{"type": "basic"/,
    "A user has no colon, a header is one word, and neither has signs that cannot be seen",
  ],
  [/^must be sent again, or as null/, "Type the credentials again, or choose none: the address is on another host"],
  [
    /origins?: https, or http with a loopback host/,
    "Enter up to 20 origins, such as https://www.harbor.example.com: without a path, and with https unless the page is on this computer",
  ],
  [/must be a list of up to (\d+) texts/, "Up to {1} codes of up to 100 characters each, one on a line"],
  [/must be a list of 1 to (\d+) networks/, "Enter up to {1} networks, such as 203.0.113.0/24, one on a line"],
  [/^must be 1 to \d+ of .* each once/, "Choose at least one event"],
  [/^must have no user or password in it/, "Enter the address without a user or password"],
  [/^must have port 443, or one above/, "The address may have port 443, or one above 1023"],
  [/^must not lead to/, "The service may not send to this address: it is in a private network"],
  [/^must be an https address/, WEB_ADDRESS_MESSAGE],
  [/must be a list of \{/, "Choose the permissions again"],
  [/^(dealer|user) \d+ does not exist/, "There is no such {1}. Choose another"],
  [/^user \d+ is not active/, "This user is not active. Choose another"],
  [/^must be another user/, "Choose another user"],
  [/^must be one of /, (field) => requiredMessage({ ...field, isChosen: true })],
  [/^must be true/, "Choose yes or no"],
  [/^must be an ISO 8601 date/, "Choose a date"],
  [/^must be a day from (\d{4})/, "Choose a date, from {1} on"],
  [/^must be in the future/, "Choose a date in the future"],
  [/^must be at most a day ahead/, "Choose tomorrow or an earlier date"],
  [/^must be null while the status is/, "Only a sold vehicle has a date of its sale"],
  [/^must not be after the sale/, "Choose a date before the sale"],
  [/^must not be before the vehicle was listed/, "Choose a date after the vehicle was listed"],
  [/^must not be sent together with dealer_id/, "Choose a dealer or a user, not both"],
  [/^must agree with dealer_id/, "Choose a dealer or a user, or none"],
  [/^a user key has its user's permissions/, "A user's key has the permissions of its user"],
  [/^must not be set for a super_admin/, "A super-admin has no dealer"],
  [/^must be (https?:\/\/\S+?)\/</, "Enter the address of an image that begins with {1}/"],
  [/^is not a known field|^must not be sent|^is not valid/, "Reload the page and try again"],
];

/** The message for an issue at a field; the service's own message if no row matches. */
export const issueMessage = ({ message }: Issue, field: InvalidField): string => {
  for (const [fault, words] of MESSAGES) {
    const [, ...found] = fault.exec(message) ?? [];
    if (!fault.test(message)) continue;
    return typeof words === "string" ? words.replace("{1}", found[0] ?? "") : words(field, found);
  }
  return capitalised(message);
};
