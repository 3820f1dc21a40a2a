import { escalation, type Failure } from "../../failure.ts";
import { type Association, isSuperAdmin, type Powers } from "../principal.ts";

/** Only a super-admin may ask for a key that is tied to neither dealer nor user. `null` allows. */
export const onlySuperAdminMakesNoneKeys = (caller: Powers, asked: Association | undefined): Failure | null =>
  asked !== "none" || isSuperAdmin(caller)
    ? null
    : escalation("Only a super-admin may make a key without a dealer or user");
