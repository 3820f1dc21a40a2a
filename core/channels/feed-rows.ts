import { fieldInWords } from "../audit/field-words.ts";
import { STAGES, type Vehicle } from "../vehicles/fields.ts";
import { isVin } from "../vin/vin.ts";
import type { Cell, Channel, FeedEntry, FeedSettings, FeedVehicle, FieldNeed } from "./channel.ts";
import { CHANNELS } from "./channels.ts";
import { type Finding, issueOf, type ReadinessIssue } from "./issue.ts";
import type { ChannelName } from "./titles.ts";
import { isEmptyCell, isUsed } from "./values.ts";

/** A vehicle in a feed. */
export interface FeedRow {
  /** The cells in the order of the channel's fields; `null` if an error keeps the vehicle out of the feed. */
  readonly cells: readonly Cell[] | null;
  /** Errors and warnings, in the order of the channel's fields. */
  readonly issues: readonly ReadinessIssue[];
}

/** Whether a newer vehicle of the same feed has the same VIN or stock number. */
export interface Repeated {
  readonly vin: boolean;
  readonly stock_number: boolean;
}
export const NOT_REPEATED: Repeated = { vin: false, stock_number: false };

const REPEATED = [
  ["vin", "vin_twice"],
  ["stock_number", "id_twice"],
] as const;

const SECURE = /^https:\/\//i;
const ANY = /^https?:\/\//i;

const isRequired = (need: FieldNeed, vehicle: Vehicle): boolean =>
  need === "required" || (need === "required_if_used" && isUsed(vehicle));

const isEmpty = (field: string): string => `but the ${fieldInWords(field)} is empty.`;

/** The finding for an empty field of a channel. */
const emptyFinding = (
  { reader }: Channel,
  { heading, field }: { readonly heading: string; readonly field: string },
  severity: Finding["severity"],
): Finding =>
  severity === "error"
    ? { rule: "required_empty", severity, field, message: `${reader} requires ${heading}, ${isEmpty(field)}` }
    : {
        rule: "recommended_empty",
        severity,
        field,
        message: `${reader} recommends ${heading}, ${isEmpty(field)}`,
      };

/** The stages of vehicles that nobody can see at the dealer yet. */
const AHEAD: ReadonlySet<string> = new Set(STAGES.available);

/** True if a vehicle is not ready for sale yet and the filters of the feed do not ask for such vehicles. */
const isAhead = ({ stage }: Pick<Vehicle, "stage">, { filters }: Pick<FeedSettings, "filters">): boolean =>
  stage !== null && AHEAD.has(stage) && !("stage" in filters && filters.stage !== null);

/** True unless the vehicle itself is kept out of a feed, whatever the channel requires. */
export const isOffered = (
  vehicle: Pick<Vehicle, "stage" | "publish">,
  settings: Pick<FeedSettings, "filters">,
): boolean => vehicle.publish === 1 && !isAhead(vehicle, settings);

/** The row of a vehicle for a channel, or the reasons why it has none. */
export const channelRow = (
  name: ChannelName,
  { settings, ...of }: FeedVehicle & { readonly settings: FeedSettings },
  repeated: Repeated,
): FeedRow => {
  const channel: Channel = CHANNELS[name];
  const { vehicle } = of;
  const issues: ReadinessIssue[] = [];
  let isReported = false;
  const report = (finding: Finding): void => {
    isReported = true;
    // Two columns may be made from the same field, but the field is reported once.
    const isKnown = issues.some(({ rule, field }) => rule === finding.rule && field === finding.field);
    if (!isKnown) issues.push(issueOf(finding));
  };
  if (isAhead(vehicle, settings))
    report({ rule: "not_arrived", severity: "error", field: "stage", evidence: vehicle.stage });
  if (vehicle.publish === 0) report({ rule: "unpublished", severity: "error", field: "publish" });
  for (const [field, rule] of REPEATED)
    if (repeated[field] && channel.unique.includes(field))
      report({ rule, severity: "error", field, evidence: vehicle[field] });
  const source: FeedEntry = {
    ...of,
    settings,
    channel,
    taken: of.images.filter((address) => (channel.takesHttpImages ? ANY : SECURE).test(address)),
  };
  const cells = channel.fields.map(({ heading, value, need }): Cell => {
    const needed = typeof need === "function" ? need(settings.country) : need;
    const severity = isRequired(needed, vehicle) ? "error" : "warning";
    isReported = false;
    const cell = value.write(source, severity, report);
    const isMissing = isEmptyCell(cell) && !isReported && (severity === "error" || needed === "recommended");
    if (isMissing) report(emptyFinding(channel, { heading, field: value.field }, severity));
    return cell;
  });
  return { cells: issues.some(({ severity }) => severity === "error") ? null : cells, issues };
};

/**
 * Makes the rows for a single reading of a feed. Every vehicle of the feed must be given, the newest first: of several
 * vehicles with the same VIN or stock number, the first is kept if the channel wants these to be unique. Only the VINs
 * and stock numbers are remembered.
 */
export const feedRows = (name: ChannelName, settings: FeedSettings) => {
  const seen = new Set<string>();
  const { unique }: Channel = CHANNELS[name];

  const isRepeated = (key: string): boolean => {
    const isKnown = seen.has(key);
    seen.add(key);
    return isKnown;
  };

  return {
    row(of: FeedVehicle): FeedRow {
      const { vin, stock_number: stock, dealer_id: dealer } = of.vehicle;
      // A vehicle that is not in the feed does not count as a repetition.
      if (!isOffered(of.vehicle, settings)) return channelRow(name, { ...of, settings }, NOT_REPEATED);
      const capitals = vin === null ? "" : vin.toUpperCase();
      const repeated: Repeated = {
        vin: unique.includes("vin") && isVin(capitals) && isRepeated(capitals),
        stock_number: unique.includes("stock_number") && stock !== null && isRepeated(`${dealer} ${stock}`),
      };
      return channelRow(name, { ...of, settings }, repeated);
    },
  };
};
