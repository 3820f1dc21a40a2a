import type { Issue } from "../issues.ts";
import { covers, permissionSet } from "../permissions.ts";
import type { KeyRecord } from "./key.ts";

/** What decides whether a key may be public. */
type Traits = Pick<KeyRecord, "isPublic" | "appType" | "association" | "dealerId" | "ownPermissions">;

/** All that a public key may hold. */
const MAY_HOLD = permissionSet(["vehicles:read", "dealers:read"]);

/**
 * The ways in which a key can be more than a page may show to everybody, each with the fields that it may come from, and
 * what they must be. A user's key is one of them: it has what its user may do, which may grow.
 */
const EXCESSES: readonly (readonly [exceeds: (key: Traits) => boolean, fields: readonly string[], message: string])[] =
  [
    [({ appType }) => appType !== "web", ["app_type"], "must be web for a public key"],
    [
      ({ association, dealerId }) => association !== "dealer" || dealerId === null,
      ["user_id"],
      "must leave a public key bound to one dealer",
    ],
    [
      ({ ownPermissions }) => !covers(MAY_HOLD, ownPermissions),
      ["permissions"],
      "must be no more than vehicles:read and dealers:read for a public key",
    ],
  ];

const OWN_FIELD: Issue = {
  path: "public",
  message: "can be true only for a web key that is bound to one dealer and only reads vehicles and dealers",
};

/** True if a key is marked as public and could do more than public keys may. Such a key is refused. */
export const isTooStrongToBePublic = (key: Traits): boolean =>
  key.isPublic && EXCESSES.some(([exceeds]) => exceeds(key));

/**
 * The issues with a key that is to be public. Each is told at the field that was sent, or else at `public`. What `before`
 * has already is no issue, so that a key that is too strong can still be ended.
 */
export const publicKeyIssues = (
  before: Traits | null,
  after: Traits,
  sent: Readonly<Record<string, unknown>>,
): Issue[] => {
  if (!after.isPublic) return [];
  const found = EXCESSES.filter(([exceeds]) => exceeds(after) && !(before?.isPublic && exceeds(before)));
  const issues = found.map(([, fields, message]): Issue => {
    const path = fields.find((field) => sent[field] !== undefined && sent[field] !== null);
    return path === undefined ? OWN_FIELD : { path, message };
  });
  return [...new Map(issues.map((issue) => [issue.path, issue])).values()];
};
