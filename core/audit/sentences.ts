import { RESOURCE_TRAITS, type RecordWord } from "../resources.ts";
import { type Action, type AuditedResource, actionOf } from "./actions.ts";
import type { AuditEntry } from "./audit-entry.ts";
import { type Formats, fieldInWords, valueInWords } from "./field-words.ts";

/** A record that a sentence names. */
interface Mention {
  readonly text: string;
  /** The record; `null` if it has no page any more. */
  readonly record: { readonly resource: AuditedResource; readonly id: number } | null;
}

/** Words and the records that they name. */
export type Sentence = readonly (string | Mention)[];

/** An entry, prepared for its sentence. */
interface PhraseInput {
  readonly entry: AuditEntry;
  /** The record that the entry is about, such as "2024 Toyota Camry" or "the key Harbor website". */
  readonly it: Sentence;
  /** A field's value before and after. */
  readonly from: (field: string) => string;
  readonly to: (field: string) => string;
  /** " from 203.0.113.4", if the address is known. */
  readonly fromAddress: string;
  /** True if people did it to their own record. */
  readonly isOwn: boolean;
}
type Phrase = (input: PhraseInput) => Sentence;

/** Builds a sentence from words and from other sentences. */
const say = (words: TemplateStringsArray, ...parts: readonly (string | Sentence)[]): Sentence =>
  words.flatMap((text, index) => {
    const part = parts[index] ?? [];
    return [text, ...(typeof part === "string" ? [part] : part)].filter((piece) => piece !== "");
  });

/** Resources whose records have a name other than the word of their resource. For an image, the vehicle is named. */
const OTHER_WORDS: Readonly<Partial<Record<AuditedResource, string>>> = { images: "vehicle", settings: "installation" };
const wordOf = (resource: AuditedResource): string => OTHER_WORDS[resource] ?? RESOURCE_TRAITS[resource].record;

/** Words before the names of records. Other records, such as vehicles and people, have only their names. */
const ARTICLES: Readonly<Partial<Record<AuditedResource, string>>> = {
  dealers: "the dealer ",
  sources: "the source ",
  keys: "the key ",
  imports: "the file ",
  mappings: "the mapping ",
  feeds: "the feed ",
};

/** The record that an entry is about. For an image, it is the vehicle. */
const recordOf = ({ resource, resource_id, before, after }: AuditEntry): Mention["record"] => {
  if (resource === null) return null;
  if (resource !== "images") return resource_id === null ? null : { resource, id: resource_id };
  const vehicle = after?.vehicle_id ?? before?.vehicle_id;
  return typeof vehicle === "number" ? { resource: "vehicles", id: vehicle } : null;
};

const isGone = (entry: AuditEntry): boolean =>
  entry.after === null && entry.before !== null && entry.resource !== "images";

const mentionOf = (entry: AuditEntry): Sentence => {
  const record = recordOf(entry);
  const { resource, record_name: name } = entry;
  if (resource === "settings") return [`the ${wordOf(resource)}`];
  if (resource === null || (record === null && name === null))
    return [resource === null ? "something" : `some ${resource}`];
  const text = name ?? `${wordOf(resource)} ${record?.id}`;
  const mention = { text, record: isGone(entry) ? null : record };
  const article = ARTICLES[resource];
  return name === null || article === undefined ? [mention] : [article, mention];
};

const inList = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** Fields that follow from another field. If both changed, only the other one is named. */
const DERIVED_FIELDS: Readonly<Record<string, string>> = {
  effective_rate_limit: "rate_limit",
  bound_dealer_id: "dealer_id",
  association: "dealer_id",
};
const MAX_NAMED_FIELDS = 4;

/**
 * A change that has no more precise action. It tells the old and the new value of a single field, or lists the fields.
 */
const changed: Phrase = ({ entry, it, from, to }) => {
  const { before, after } = entry;
  const all = Object.keys(after ?? {}).filter((field) => before !== null && field in before);
  const fields = all.filter((field) => !all.includes(DERIVED_FIELDS[field] ?? ""));
  const [field] = fields;
  if (field === undefined) return say`saved ${it} without a change`;
  if (fields.length > MAX_NAMED_FIELDS) return say`changed ${String(fields.length)} fields of ${it}`;
  if (fields.length > 1) return say`changed ${inList(fields.map(fieldInWords))} of ${it}`;
  if (field === "name") return say`renamed ${it} to ${to(field)}`;
  if (before?.[field] === null) return say`set the ${fieldInWords(field)} of ${it} to ${to(field)}`;
  if (after?.[field] === null) return say`cleared the ${fieldInWords(field)} of ${it}, which was ${from(field)}`;
  if (from(field).length + to(field).length > 120) return say`changed the ${fieldInWords(field)} of ${it}`;
  return say`changed the ${fieldInWords(field)} of ${it} from ${from(field)} to ${to(field)}`;
};

const DEALER_FIELDS: Readonly<Partial<Record<AuditedResource, string>>> = { keys: "bound_dealer_id" };

/**
 * A move of a record from one dealer to another. Each dealer may see only one of the two, so the sentence may lack one.
 */
const moved: Phrase = ({ entry, it, from, to }) => {
  const dealerField = DEALER_FIELDS[entry.resource ?? "vehicles"] ?? "dealer_id";
  const oldField = entry.before !== null && dealerField in entry.before ? dealerField : "dealer_id";
  const newField = entry.after !== null && dealerField in entry.after ? dealerField : "dealer_id";
  if (entry.before?.[oldField] === null) return say`moved ${it} to ${to(newField)}`;
  if (entry.after?.[newField] === null) return say`moved ${it} away from ${from(oldField)}`;
  return say`moved ${it} from ${from(oldField)} to ${to(newField)}`;
};

const FAILED_STEPS: Readonly<Record<string, string>> = {
  password: " with a wrong password",
  code: " with a wrong code",
  address: " with an address that nobody has",
};

const count = (value: unknown, one: string, more: string): string =>
  `${String(value ?? 0)} ${value === 1 ? one : more}`;

/** Verbs for refused operations. Other operations are written by their name. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  list: "list",
  read: "read",
  create: "make",
  update: "change",
  delete: "delete",
  remove: "delete a photo of",
  add: "add a photo to",
  reorder: "order the photos of",
  revoke: "revoke",
  rotate: "rotate",
  grant: "give permissions to",
  withdraw: "take permissions from",
  deactivate: "deactivate",
  invite: "invite",
  restore: "take back",
  purge: "delete for good",
  bulk: "change many",
  cancel: "stop",
  release: "let go",
};

const denied: Phrase = ({ entry, it }) => {
  const operation = String(entry.after?.operation ?? "");
  const verb = ATTEMPTS[operation.slice(operation.indexOf(".") + 1)];
  const about = entry.resource_id === null ? [`${entry.resource ?? "that"}`] : it;
  return verb === undefined || entry.resource === null
    ? say`was not allowed to use ${operation}`
    : say`was not allowed to ${verb} ${about}`;
};

/** How an import ended. */
const ENDED: Readonly<Record<string, string>> = {
  completed: "it is done",
  failed: "it failed",
  cancelled: "it was stopped",
};

/** How a scheduled change ended. */
const SCHEDULE_ENDED: Readonly<Record<string, string>> = { done: "it is done", dropped: "it was dropped" };

/** "their password" for somebody's own, and "the password of …" for that of another person. */
const whose = (input: PhraseInput, thing: string): Sentence =>
  input.isOwn ? say`their ${thing}` : say`the ${thing} of ${input.it}`;

/** The phrases that are the same for the records of every resource, by the last word of the action. */
const REGULAR = {
  created: ({ it }) => say`added ${it}`,
  changed,
  moved,
  deactivated: ({ it }) => say`deactivated ${it}`,
  activated: ({ it }) => say`activated ${it}`,
  reactivated: ({ it }) => say`reactivated ${it}`,
  removed: ({ it }) => say`deleted ${it}`,
} satisfies Record<string, Phrase>;
type Regular = `${RecordWord}.${keyof typeof REGULAR}`;

/** Phrases of particular actions. Every action whose last word is not in REGULAR must be here. */
const OWN_PHRASES: Readonly<Record<Exclude<Action, Regular>, Phrase> & Partial<Record<Action, Phrase>>> = {
  "vehicle.status_changed": ({ it, from, to }) => say`marked ${it} as ${to("status")}, which was ${from("status")}`,
  "vehicle.price_changed": ({ it, from, to }) =>
    say`changed the price of ${it} from ${from("price")} to ${to("price")}`,
  "vehicle.restored": ({ it }) => say`took back ${it}, which was deleted`,
  "vehicle.purged": ({ it }) => say`deleted ${it} for good`,
  "vehicle.sale_changed": ({ it }) => say`changed the sale of ${it}`,
  "vehicle.seeded": ({ entry: { after } }) =>
    say`added ${count(after?.vehicles, "invented vehicle", "invented vehicles")} with ${count(after?.images, "photo", "photos")}`,
  "image.added": ({ it }) => say`added a photo to ${it}`,
  "image.changed": ({ entry: { before, after }, it }) =>
    before?.is_primary === false && after?.is_primary === true
      ? say`chose another main photo of ${it}`
      : say`changed a photo of ${it}`,
  "image.ordered": ({ it }) => say`ordered the photos of ${it}`,
  "image.removed": ({ it }) => say`deleted a photo of ${it}`,
  "dealer.seeded": ({ entry: { after } }) => say`added ${count(after?.dealers, "invented dealer", "invented dealers")}`,
  "source.imported": ({ it }) => say`had a file of ${it} imported`,
  "source.failing": ({ entry: { after }, it }) =>
    say`could not import ${it} three times in a row: ${String(after?.problem ?? "")}`,
  "source.switched-off": ({ entry: { after }, it }) =>
    say`switched off ${it}, which had failed for 7 days: ${String(after?.problem ?? "")}`,
  "key.created": ({ it }) => say`made ${it}`,
  "key.rebound": moved,
  "key.revoked": ({ it }) => say`revoked ${it}`,
  "key.transferred": ({ it, from, to }) => say`gave ${it} from ${from("user_id")} to ${to("user_id")}`,
  "key.permissions_changed": ({ it, to }) => say`changed the permissions of ${it} to ${to("permissions")}`,
  "key.expiry_changed": ({ entry, it, to }) =>
    entry.after?.expires_at === null
      ? say`lets ${it} work without an end`
      : say`lets ${it} work until ${to("expires_at")}`,
  "key.rotated": ({ it }) => say`gave ${it} a new secret`,
  "key.expiring": ({ entry: { after }, it }) =>
    say`gave notice that ${it} expires on ${String(after?.ends_at ?? "").slice(0, 10)}`,
  "key.idle": ({ entry: { after }, it }) =>
    say`gave notice that ${it} is not used, and is switched off on ${String(after?.ends_at ?? "").slice(0, 10)}`,
  "key.grace-ended": ({ it }) => say`ended the old secret of ${it}`,
  "user.role_changed": ({ it, from, to }) => say`changed the role of ${it} from ${from("role")} to ${to("role")}`,
  "user.permissions_changed": ({ it, to }) => say`changed the permissions of ${it} to ${to("permissions")}`,
  "user.email_changed": (input) =>
    say`changed ${whose(input, "address")} from ${input.from("email")} to ${input.to("email")}`,
  "session.started": ({ fromAddress }) => say`signed in${fromAddress}`,
  "session.ended": ({ fromAddress }) => say`signed out${fromAddress}`,
  "user.sign-in-failed": ({ entry: { after }, fromAddress }) =>
    say`could not sign in${FAILED_STEPS[String(after?.wrong)] ?? ""}${fromAddress}`,
  "user.invited": ({ it }) => say`invited ${it}`,
  "user.invitation-used": ({ fromAddress }) => say`used a link to choose a password${fromAddress}`,
  "user.password-changed": (input) => say`changed ${whose(input, "password")}`,
  "user.second-factor-on": (input) => say`turned on ${whose(input, "second factor")}`,
  "user.second-factor-off": (input) => say`turned off ${whose(input, "second factor")}`,
  "user.second-factor-reset": (input) => say`reset ${whose(input, "second factor")}`,
  "user.recovery-codes-renewed": (input) => say`renewed ${whose(input, "recovery codes")}`,
  "user.sessions-ended": (input) => say`ended ${whose(input, "sessions")}`,
  "user.locked-out": ({ fromAddress }) => say`was locked out after failed attempts to sign in${fromAddress}`,
  "import.ended": ({ entry: { after }, it }) =>
    say`imported ${it}: ${ENDED[String(after?.state)] ?? String(after?.state)}`,
  "feed.rotated": ({ it }) => say`gave ${it} a new address`,
  "feed.released": ({ it }) => say`let ${it} go, which was held`,
  "webhook.rotated": ({ it }) => say`gave ${it} a new secret`,
  "webhook.failing": ({ it }) => say`could not send anything to ${it} for a day`,
  "webhook.switched-off": ({ it }) => say`switched off ${it}`,
  "schedule.created": ({ it, to }) => say`scheduled a change of ${it} for ${to("at")}`,
  "schedule.cancelled": ({ it, to }) => say`cancelled the change of ${it} that was scheduled for ${to("at")}`,
  "schedule.ended": ({ entry: { after }, it }) =>
    say`had the scheduled change of ${it} made: ${SCHEDULE_ENDED[String(after?.state)] ?? String(after?.state)}`,
  "access.denied": denied,
};

/** What happened. It follows the name of who did it. */
const phraseOf = (action: Action): Phrase =>
  OWN_PHRASES[action] ?? REGULAR[action.slice(action.indexOf(".") + 1) as keyof typeof REGULAR];

/** Who did it. The link to a page is missing if the actor is unknown. */
const actorOf = ({ type, id, name }: AuditEntry["actor"]): Mention => {
  const resource = type === "key" ? "keys" : type === "user" ? "users" : null;
  return { text: name, record: resource === null || id === null ? null : { resource, id } };
};

/**
 * An entry as a sentence: "Robin Example changed the price of 2024 Toyota Camry from $25,999 to $24,500". Entries that
 * were stored before the more precise actions existed read the same.
 */
export const sentenceOf = (entry: AuditEntry, formats: Formats): Sentence => {
  const input: PhraseInput = {
    entry,
    it: mentionOf(entry),
    from: (field) => valueInWords(field, entry.before?.[field], formats),
    to: (field) => valueInWords(field, entry.after?.[field], formats),
    fromAddress: entry.address === null ? "" : ` from ${entry.address}`,
    isOwn: entry.actor.type === "user" && entry.resource === "users" && entry.actor.id === entry.resource_id,
  };
  const action = actionOf(entry.action, entry.before, entry.after);
  return [actorOf(entry.actor), " ", ...phraseOf(action)(input)];
};
