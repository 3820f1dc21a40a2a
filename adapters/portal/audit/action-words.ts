import type { Action } from "../../../core/audit/actions.ts";

/** The actions that are not said as "The key was created" and "The user's role was changed". */
const OWN_WORDS: Readonly<Partial<Record<Action, string>>> = {
  "vehicle.seeded": "Invented vehicles were added",
  "dealer.seeded": "Invented dealers were added",
  "vehicle.purged": "The vehicle was deleted for good",
  "image.added": "A photo was added",
  "image.changed": "A photo was changed",
  "image.ordered": "The photos were ordered",
  "image.removed": "A photo was deleted",
  "source.imported": "A file of the source was imported",
  "source.failing": "The source could not be imported",
  "key.rebound": "The key was moved to another dealer",
  "key.permissions_changed": "The key's permissions were changed",
  "key.rotated": "The key got a new secret",
  "key.grace-ended": "The key's old secret was ended",
  "key.expiring": "The key expires soon",
  "key.idle": "The key is not used",
  "settings.changed": "The settings were changed",
  "import.ended": "The import ended",
  "schedule.created": "A change was scheduled",
  "schedule.cancelled": "A scheduled change was cancelled",
  "schedule.ended": "The time of a scheduled change came",
  "feed.rotated": "The feed got a new address",
  "webhook.rotated": "The webhook got a new secret",
  "webhook.failing": "The webhook could not be reached",
  "user.permissions_changed": "The user's permissions were changed",
  "session.started": "Somebody signed in",
  "session.ended": "Somebody signed out",
  "user.sign-in-failed": "A sign-in failed",
  "user.invitation-used": "The invitation was used",
  "user.password-changed": "The password was changed",
  "user.second-factor-on": "The second factor was turned on",
  "user.second-factor-off": "The second factor was turned off",
  "user.second-factor-reset": "The second factor was reset",
  "user.recovery-codes-renewed": "The recovery codes were renewed",
  "user.sessions-ended": "The sessions were ended",
  "user.locked-out": "Somebody was locked out",
  "access.denied": "A request was not allowed",
};

/** An action in words of people: "key.created" as "The key was created". */
export const actionInWords = (action: Action): string => {
  const own = OWN_WORDS[action];
  if (own !== undefined) return own;
  const [record = "", done = ""] = action.replace(/removed$/, "deleted").split(".");
  const [field, verb] = done.split("_");
  return verb === undefined ? `The ${record} was ${done.replaceAll("-", " ")}` : `The ${record}'s ${field} was ${verb}`;
};
