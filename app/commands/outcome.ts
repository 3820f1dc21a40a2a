import { Failure, type FailureCause, type Outcome } from "../../core/failure.ts";
import type { Issue } from "../../core/issues.ts";
import { CommandError, EXIT } from "./exit.ts";

/** The options whose names differ from those of their fields. */
type Names = Readonly<Record<string, string>>;
const OPTIONS: Names = { permissions: "permission" };

/** The option for a field: `expires_at` comes from `--expires-at`. */
const optionOf = (path: string, names: Names): string => {
  const [field = ""] = path.split(".");
  return `--${names[field] ?? field.replaceAll("_", "-")}`;
};

const sentenceOf = ({ path, message }: Issue, names: Names): string =>
  path === "" ? message : `${optionOf(path, names)}: ${message}`;

const wordsOf = (cause: FailureCause, names: Names): string => {
  switch (cause.kind) {
    case "permission-missing":
      return `the permission ${cause.needs} is missing`;
    case "never-for-bound-keys":
      return "keys that are bound to a dealer may not do this";
    case "never-for-public-keys":
      return "public keys may not do this";
    case "not-found":
      return `${cause.subject} ${cause.id} not found`;
    case "foreign":
      return `the ${cause.subject} belongs to another dealer`;
    case "reassignment":
      return "keys that are bound to a dealer cannot reassign vehicles";
    case "escalation":
      return cause.reason;
    case "proof-too-old":
      return "the password was given too long ago";
    case "own-account":
      return "one's own sign-in is changed on the account's page in the portal";
    case "stale":
      return `the ${cause.subject} has changed in the meantime`;
    case "invalid":
      return cause.issues.map((issue) => sentenceOf(issue, names)).join("\n  ");
    case "confirmation-stale":
      return `there are ${cause.total}, not ${cause.expected}`;
    case "search-not-ready":
      return "the words of vehicles are still being made";
    case "quota-exceeded":
    case "not-restorable":
    case "not-revertible":
    case "too-often":
      return cause.reason;
    case "dealer-code-taken":
      return `another dealer has the code ${JSON.stringify(cause.code)}`;
    case "not-sold":
      return `vehicle ${cause.id} is not sold`;
    case "email-taken":
      return "--email: another user has this address";
    case "last-super-admin":
      return "this is the last active super-admin; make another one first";
    case "sign-in-failed":
      return "sign-in failed";
    case "locked-out":
      return `locked for ${cause.seconds} more seconds`;
    case "invitation-void":
      return "the invitation cannot be used any more";
    case "duplicate-vehicle":
      return cause.issues.map(({ path, message }) => `${path} ${message}`).join("; ");
    case "target-refused":
      return `${cause.issue.path} ${cause.issue.message}`;
    case "cursor-expired":
      return "the cursor has expired";
    case "file-unreadable":
    case "file-too-large":
    case "file-unsupported":
    case "storage-quota":
    case "storage-full":
    case "too-many-jobs":
    case "import-state":
    case "schedule-state":
    case "photos-off":
    case "photos-unavailable":
      return cause.reason;
    case "idempotency-key-reused":
    case "idempotency-in-progress":
      return "the command was sent before";
    default:
      return cause satisfies never;
  }
};

/** True if an option has an invalid value. The API would answer 400. */
const isMistyped = (cause: FailureCause): boolean =>
  cause.kind === "invalid" && cause.issues.every(({ path }) => path !== "");

/**
 * The value of a use case. If it failed, an error is thrown whose message names every wrong option. `names` contains
 * the options of this command whose names differ from those of their fields.
 */
export const resultOf = <Value>(outcome: Outcome<Value>, names: Names = {}): Value => {
  if (outcome instanceof Failure)
    throw new CommandError(
      wordsOf(outcome.cause, { ...OPTIONS, ...names }),
      isMistyped(outcome.cause) ? EXIT.usage : EXIT.failed,
    );
  return outcome;
};
