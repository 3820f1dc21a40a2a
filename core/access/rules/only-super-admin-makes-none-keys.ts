import { escalation, type Failure } from "../../failure.ts";
import { type Association, isSuperAdmin, type Powers } from "../principal.ts";

/** Only a super-admin may create a key that is tied to neither a dealer nor a user. `null` allows. */
export const onlySuperAdminMakesNoneKeys = (caller: Powers, asked: Association | undefined): Failure | null =>
  asked !== "none" || isSuperAdmin(caller)
    ? null
    : escalation("Only a super-admin may make a key without a dealer or user");
