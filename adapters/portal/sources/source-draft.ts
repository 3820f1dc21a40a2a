import type { Issue } from "../../../core/issues.ts";
import type { Source } from "../../../core/sources/source.ts";
import { numberOrText, numberText } from "../forms/draft.ts";
import { emptyImport, type ImportDraft } from "../imports/import-draft.ts";
import { hasTimeOfDay, scheduleOf, type TypedSchedule, typedSchedule } from "./schedule.ts";

/** The credentials for the source's host; `keep` leaves the stored ones. */
export type AuthChoice = "keep" | "none" | "basic" | "header";

/** A heading and the field of its column; "" for a column that is not read. */
interface OwnColumn {
  readonly id: number;
  readonly heading: string;
  readonly field: string;
}

/** A source as the form holds it. */
export interface SourceDraft extends TypedSchedule, ImportDraft, Pick<Source, "name" | "url" | "timezone" | "active"> {
  readonly auth: AuthChoice;
  readonly user: string;
  readonly password: string;
  readonly header: string;
  readonly value: string;
  /** The id of the dealer's mapping; "" for none. */
  readonly mapping: string;
  readonly columns: readonly OwnColumn[];
  /** Options that the form does not show, and that stay unchanged. */
  readonly others: Partial<Pick<Source["options"], "charset" | "delimiter" | "dry_run" | "merge">>;
}

const NO_CREDENTIALS = { user: "", password: "", header: "", value: "" };

/** The service's default options, every night in the user's time zone. */
export const emptySource = (dealerId: number | null, timezone: string): SourceDraft => ({
  ...emptyImport(dealerId),
  name: "",
  url: "https://",
  ...typedSchedule("30 2 * * *"),
  timezone,
  active: true,
  auth: "none",
  ...NO_CREDENTIALS,
  mapping: "",
  columns: [],
  others: {},
});

/** The form of an existing source. The service never returns its credentials. */
export const draftOfSource = ({ options, ...source }: Source): SourceDraft => {
  const { columns, mapping, max_missing_percent, charset, delimiter, dry_run, merge, ...words } = options;
  return {
    name: source.name,
    dealer_id: String(source.dealer_id),
    url: source.url,
    ...typedSchedule(source.schedule),
    timezone: source.timezone,
    active: source.active,
    auth: source.auth === null ? "none" : "keep",
    ...NO_CREDENTIALS,
    ...words,
    max_missing_percent: numberText(max_missing_percent),
    mapping: mapping === undefined ? "" : String(mapping),
    columns: Object.entries(columns).map(([heading, field], id) => ({ id, heading, field: field ?? "" })),
    others: {
      dry_run,
      ...(merge === "off" && { merge }),
      ...(charset !== undefined && { charset }),
      ...(delimiter !== undefined && { delimiter }),
    },
  };
};

/** The request body for each choice of credentials. */
const AUTH: Readonly<Record<AuthChoice, (draft: SourceDraft) => object>> = {
  keep: () => ({}),
  none: () => ({ auth: null }),
  basic: ({ user, password }) => ({ auth: { type: "basic", user, password } }),
  header: ({ header, value }) => ({ auth: { type: "header", name: header, value } }),
};

/** The request body of a draft, without its dealer. */
export const bodyOfSource = (draft: SourceDraft) => {
  const { name, url, timezone, active, mode, match, on_error, missing, empty, images, decimal } = draft;
  const columns = draft.columns.filter(({ heading }) => heading.trim() !== "");
  return {
    name,
    url,
    schedule: scheduleOf(draft),
    timezone,
    active,
    ...AUTH[draft.auth](draft),
    options: {
      ...draft.others,
      ...{ mode, match, on_error, missing, empty, images, decimal },
      max_missing_percent: numberOrText(draft.max_missing_percent) ?? undefined,
      ...(draft.mapping !== "" && { mapping: Number(draft.mapping) }),
      columns: Object.fromEntries(columns.map(({ heading, field }) => [heading.trim(), field === "" ? null : field])),
    },
  };
};

/** The required fields of each choice of credentials. */
const REQUIRED_CREDENTIALS: Readonly<Record<AuthChoice, readonly ("user" | "password" | "header" | "value")[]>> = {
  keep: [],
  none: [],
  basic: ["user", "password"],
  header: ["header", "value"],
};

/** The fields missing in a draft, checked before it is sent. */
export const issuesOfSource = (draft: SourceDraft): readonly Issue[] => [
  ...(hasTimeOfDay(draft.every) && draft.time === "" ? [{ path: "time", message: "is required" }] : []),
  ...REQUIRED_CREDENTIALS[draft.auth]
    .filter((field) => draft[field] === "")
    .map((path) => ({ path, message: "is required" })),
];
