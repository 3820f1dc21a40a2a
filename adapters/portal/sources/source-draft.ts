import type { Issue } from "../../../core/issues.ts";
import type { Source } from "../../../core/sources/source.ts";
import { numberOrText, numberText } from "../forms/draft.ts";
import { emptyImport, type ImportDraft } from "../imports/import-draft.ts";
import { type OwnerRow, ownerRows, ownersOfRows } from "../imports/owner-rows.ts";
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
export interface SourceDraft
  extends TypedSchedule,
    ImportDraft,
    Pick<Source, "name" | "url" | "timezone" | "active">,
    Pick<Source["options"], "dry_run"> {
  readonly auth: AuthChoice;
  readonly user: string;
  readonly password: string;
  readonly header: string;
  readonly value: string;
  /** The id of the dealer's mapping; "" for none. */
  readonly mapping: string;
  readonly columns: readonly OwnColumn[];
  /** By any of its names; "" if it is detected. */
  readonly charset: string;
  /** By its name or its character; "" if it is detected. */
  readonly delimiter: string;
  /** The sheet of a workbook; "" if it is found. */
  readonly sheet: string;
  readonly owners: readonly OwnerRow[];
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
  dry_run: false,
  charset: "",
  delimiter: "",
  sheet: "",
  owners: [],
});

/** The form of an existing source. The service never returns its credentials. */
export const draftOfSource = ({ options, ...source }: Source): SourceDraft => {
  const { columns, mapping, max_missing_percent, heading_row, charset, delimiter, sheet, ...words } = options;
  return {
    ...emptyImport(source.dealer_id),
    name: source.name,
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
    heading_row: numberText(heading_row ?? null),
    charset: charset ?? "",
    delimiter: delimiter ?? "",
    sheet: sheet ?? "",
    owners: ownerRows(source.field_owners),
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
  const { name, url, timezone, active, dry_run, mode, match, on_error, missing, empty, images, fetch_images } = draft;
  const { decimal, merge, date_order, units, currency, charset, delimiter, sheet } = draft;
  const columns = draft.columns.filter(({ heading }) => heading.trim() !== "");
  return {
    name,
    url,
    schedule: scheduleOf(draft),
    timezone,
    active,
    ...AUTH[draft.auth](draft),
    field_owners: ownersOfRows(draft.owners),
    options: {
      ...{ mode, match, on_error, dry_run, missing, empty, images, fetch_images, decimal, merge },
      ...{ date_order, units, currency },
      max_missing_percent: numberOrText(draft.max_missing_percent) ?? undefined,
      ...(draft.heading_row.trim() !== "" && { heading_row: numberOrText(draft.heading_row) }),
      ...(charset !== "" && { charset }),
      ...(delimiter !== "" && { delimiter }),
      ...(sheet.trim() !== "" && { sheet: sheet.trim() }),
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
