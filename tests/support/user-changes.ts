import type { Actor } from "../../core/access/principal.ts";
import type { Visibility } from "../../core/access/visibility.ts";
import type { Timestamp } from "../../core/clock.ts";
import type { SignInChange } from "../../core/sign-in/account-repository.ts";
import type { UserRecord } from "../../core/users/user.ts";
import type { UserDecision, UserRefusal, UserRepository } from "../../core/users/user-repository.ts";
import { MOMENT, OPERATOR } from "./records.ts";

/** Changes a stored user as is said, whatever they are now; by the operator, who sees everybody, unless said otherwise. */
export const changeStoredUser = async (
  users: Pick<UserRepository, "change">,
  { id }: Pick<UserRecord, "id">,
  {
    visibility = "everything",
    now = MOMENT,
    by = OPERATOR,
    ...decision
  }: Omit<UserDecision, "rotations"> & {
    readonly visibility?: Visibility;
    readonly now?: Timestamp;
    readonly by?: Actor;
  },
): Promise<UserRecord | UserRefusal | null> => {
  const context = { id, visibility, withKeys: false, now, by };
  const changed = await users.change(context, () => ({ ...decision, rotations: null }));
  return changed !== null && typeof changed === "object" && "user" in changed ? changed.user : changed;
};

/** A change of how a user signs in that nothing refuses; by the operator, who sees everybody, unless said otherwise. */
export const signInChangeOf = (
  { id }: Pick<UserRecord, "id">,
  { now = MOMENT, by = OPERATOR, refusal = () => null }: Partial<Pick<SignInChange, "now" | "by" | "refusal">> = {},
): SignInChange => ({ id, visibility: "everything", now, by, refusal });
