import { admit, decide } from "./access/decide.ts";
import { callerMustManageUserOfKey } from "./access/rules/caller-must-manage-user-of-key.ts";
import { dealersAdminNeedsADealer } from "./access/rules/dealers-admin-needs-a-dealer.ts";
import { dealersKeyMayNotChangeActiveOfDealer } from "./access/rules/dealers-key-may-not-change-active-of-dealer.ts";
import { dealersKeyMayNotChangeCodesOfDealer } from "./access/rules/dealers-key-may-not-change-codes-of-dealer.ts";
import { dealersKeyMayNotChangeRateLimitOfDealer } from "./access/rules/dealers-key-may-not-change-rate-limit-of-dealer.ts";
import { dealersKeyMayNotMoveVehicle } from "./access/rules/dealers-key-may-not-move-vehicle.ts";
import { feedsAreMadeByThoseWhoMayReadThem } from "./access/rules/feeds-are-made-by-those-who-may-read-them.ts";
import { keysNetworksAreNotWidened } from "./access/rules/keys-networks-are-not-widened.ts";
import { missingVehiclesAreRemovedByThoseWhoMayDelete } from "./access/rules/missing-vehicles-are-removed-by-those-who-may-delete.ts";
import {
  newRecordsBelongToTheCallersDealer,
  newUserBelongsToTheCallersDealer,
} from "./access/rules/new-records-belong-to-the-callers-dealer.ts";
import { nobodyHandsOutMoreThanTheyHold } from "./access/rules/nobody-hands-out-more-than-they-hold.ts";
import { nobodyRaisesTheirOwnRole } from "./access/rules/nobody-raises-their-own-role.ts";
import { oneSuperAdminStaysActive } from "./access/rules/one-super-admin-stays-active.ts";
import {
  onlyHigherRankReactivates,
  onlyHigherRankReactivatesKey,
} from "./access/rules/only-higher-rank-reactivates.ts";
import { onlySuperAdminMakesNoneKeys } from "./access/rules/only-super-admin-makes-none-keys.ts";
import {
  ownEmailIsChangedOnTheAccountPage,
  ownSignInIsChangedOnTheAccountPage,
} from "./access/rules/own-sign-in-is-changed-on-the-account-page.ts";
import { portalsDocumentIsForSuperAdmins } from "./access/rules/portals-document-is-for-super-admins.ts";
import { regularUserMayNotRetieKey } from "./access/rules/regular-user-may-not-retie-key.ts";
import { salesAreForThoseWhoWriteVehicles } from "./access/rules/sales-are-for-those-who-write-vehicles.ts";
import { sensitiveChangesNeedRecentProof } from "./access/rules/sensitive-changes-need-recent-proof.ts";
import { usersMustSetUpSecondFactor } from "./access/rules/users-must-set-up-second-factor.ts";
import {
  feedNeedsItsMakersRights,
  scheduleNeedsItsMakersRights,
  webhookNeedsItsMakersRights,
  workNeedsItsMakersRights,
} from "./access/rules/work-needs-its-makers-rights.ts";
import { visibilityOfAudit, visibilityOfKeys, visibilityOfUsers } from "./access/visibility.ts";
import { auditEntriesHideOtherDealers } from "./audit/audit-entries-hide-other-dealers.ts";
import { historyHidesOtherDealers } from "./history/history-hides-other-dealers.ts";

/**
 * Every rule of access with a sentence that describes it: first the table of operations (`policy.ts`), then what
 * callers see, then the rules that do not fit into the table. Use cases call these rules; no other module decides about
 * access.
 */
export const allCurrentPolicies = [
  [admit, "Every operation needs its permission, and some are closed to callers that are bound to a dealer."],
  [decide, "A caller that is bound to a dealer reaches only that dealer's records."],
  [visibilityOfKeys, "A caller sees the keys of its dealer, a regular user only their own, a super-admin all."],
  [visibilityOfUsers, "A caller sees the users of its dealer, without a dealer only themselves, a super-admin all."],
  [visibilityOfAudit, "A caller sees the audit entries of its dealer, without a dealer their own, a super-admin all."],
  [
    auditEntriesHideOtherDealers,
    "A dealer sees neither what a record was at another dealer nor who acted from outside.",
  ],
  [historyHidesOtherDealers, "A vehicle's history shows a dealer no other dealer, and nobody who acted from outside."],
  [salesAreForThoseWhoWriteVehicles, "What a vehicle was sold for is seen by those who may write vehicles."],
  [
    missingVehiclesAreRemovedByThoseWhoMayDelete,
    "An import removes the vehicles that are missing in its file only for those who may delete vehicles.",
  ],
  [
    workNeedsItsMakersRights,
    "An import goes on, and a source is fetched, only while whoever asked for it may import into its dealer.",
  ],
  [
    feedsAreMadeByThoseWhoMayReadThem,
    "A feed is made, changed and given a new address, and its vehicles are read, by those who may export the vehicles of its dealers.",
  ],
  [
    feedNeedsItsMakersRights,
    "A feed is served only while whoever made or last changed it may export the vehicles of its dealers.",
  ],
  [
    scheduleNeedsItsMakersRights,
    "A scheduled change is made only while whoever scheduled it may change the vehicles of its dealer.",
  ],
  [
    webhookNeedsItsMakersRights,
    "A webhook is told of changes only while whoever made or last changed it may read the vehicles of its dealer.",
  ],
  [newRecordsBelongToTheCallersDealer, "What a bound caller creates belongs to its dealer, whatever dealer it names."],
  [newUserBelongsToTheCallersDealer, "A new user belongs to a bound caller's dealer, too; a super-admin to none."],
  [dealersKeyMayNotMoveVehicle, "A caller that is bound to a dealer cannot give a vehicle to another dealer."],
  [dealersKeyMayNotChangeActiveOfDealer, "A caller that is bound to a dealer cannot activate or deactivate it."],
  [
    dealersKeyMayNotChangeCodesOfDealer,
    "A caller that is bound to a dealer cannot change its codes, by which files for several dealers name it.",
  ],
  [
    dealersKeyMayNotChangeRateLimitOfDealer,
    "A caller that is bound to a dealer cannot change the limit that the dealer's keys share.",
  ],
  [nobodyHandsOutMoreThanTheyHold, "Nobody creates or changes a key or user that can do more than they can."],
  [onlySuperAdminMakesNoneKeys, "Only a super-admin makes a key that is tied to neither dealer nor user."],
  [callerMustManageUserOfKey, "A key is tied only to a user the caller sees; a regular user's only to themselves."],
  [keysNetworksAreNotWidened, "A key with allowed networks hands out no secret that may be used from others."],
  [regularUserMayNotRetieKey, "A regular user cannot tie a key to another dealer or user."],
  [onlyHigherRankReactivates, "What was deactivated is activated by the same rank or a higher one."],
  [
    onlyHigherRankReactivatesKey,
    "The key of a deactivated user is tied to somebody else by that rank or a higher one.",
  ],
  [oneSuperAdminStaysActive, "The last active super-admin is neither deactivated nor given another role."],
  [dealersAdminNeedsADealer, "A dealer's admin without a dealer can neither sign in nor use a key."],
  [nobodyRaisesTheirOwnRole, "Nobody raises their own role."],
  [ownSignInIsChangedOnTheAccountPage, "Nobody resets or invites themselves: the account page asks for the password."],
  [ownEmailIsChangedOnTheAccountPage, "Nobody changes their own email address except on the account page."],
  [sensitiveChangesNeedRecentProof, "In the portal a sensitive change needs a recent proof of who the user is."],
  [
    usersMustSetUpSecondFactor,
    "Users of the roles that need a second factor do nothing in the portal before they have one.",
  ],
  [portalsDocumentIsForSuperAdmins, "Only super-admins read the document of the portal's own endpoints."],
] as const satisfies readonly (readonly [rule: (...values: never[]) => unknown, sentence: string])[];
