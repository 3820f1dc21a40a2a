import type { ReadinessIssue } from "../../../core/channels/issue.ts";
import type { Permission } from "../../../core/permissions.ts";
import { VEHICLE_FIELDS } from "../../../core/vehicles/fields.ts";
import { PageLink } from "../page/link.tsx";
import { useMay } from "../session/session.tsx";
import { storePath } from "./feed-draft.ts";
import { prefixWithField } from "./feed-words.ts";

/** The records that an issue is about. */
export interface IssueSubject {
  readonly vehicleId: number;
  readonly dealerId: number;
  /** `null` for issues under the service's own rules. */
  readonly feedId: number | null;
}

interface FixLink {
  readonly to: string;
  readonly needs: Permission;
}

/** Feed settings that fix an issue, and their paths in the form. */
const FEED_FIELDS: Readonly<Record<string, (subject: IssueSubject) => string>> = {
  store_codes: ({ dealerId }) => storePath(dealerId),
  store_code: ({ dealerId }) => storePath(dealerId),
  link_template: () => "link_template",
  mileage_unit: () => "mileage_unit",
  price_type: () => "price_type",
};

/** Where to fix a field: in the form of its vehicle or feed, or at the dealer; `null` if nobody sets it. */
const fixLinkOf = (field: string, about: IssueSubject): FixLink | null => {
  const setting = FEED_FIELDS[field];
  if (setting !== undefined)
    return about.feedId === null
      ? null
      : { to: `/channels/${about.feedId}?edit=${setting(about)}`, needs: "feeds:write" };
  if (field === "dealer_id") return { to: `/dealers/${about.dealerId}`, needs: "dealers:write" };
  return field === "images" || field in VEHICLE_FIELDS
    ? { to: `/vehicles/${about.vehicleId}?edit=${field}`, needs: "vehicles:write" }
    : null;
};

const bySeverity = (one: ReadinessIssue, other: ReadinessIssue): number => one.severity.localeCompare(other.severity);

/** How to fix an issue, as a link to the field for users who may change it. */
const Fix = ({ issue: { field, fix }, about }: { issue: ReadinessIssue; about: IssueSubject }) => {
  const may = useMay();
  const words = prefixWithField(field, fix);
  const link = field === null ? null : fixLinkOf(field, about);
  return link !== null && may(link.needs) ? <PageLink to={link.to}>{words}</PageLink> : words;
};

/** The issues of a vehicle with their fixes; those that exclude it from the feed come first. */
export const IssueList = ({ issues, about }: { issues: readonly ReadinessIssue[]; about: IssueSubject }) => (
  <ul className="issues">
    {issues.toSorted(bySeverity).map((issue) => (
      <li key={`${issue.rule} ${issue.field}`}>
        {issue.message}
        <span className="second-line">
          <Fix issue={issue} about={about} />
        </span>
      </li>
    ))}
  </ul>
);
