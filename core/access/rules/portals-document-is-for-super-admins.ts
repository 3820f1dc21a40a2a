import { escalation, type Failure } from "../../failure.ts";
import { isSuperAdmin, type Powers } from "../principal.ts";

/** Only super-admins may read the OpenAPI document of the portal's own endpoints. `null` allows. */
export const portalsDocumentIsForSuperAdmins = (caller: Pick<Powers, "association" | "role">): Failure | null =>
  isSuperAdmin(caller) ? null : escalation("The portal's document is for super-admins");
