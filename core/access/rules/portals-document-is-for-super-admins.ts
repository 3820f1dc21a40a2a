import { escalation, type Failure } from "../../failure.ts";
import { isSuperAdmin, type Powers } from "../principal.ts";

/** The document of the portal's own endpoints is for super-admins. `null` allows. */
export const portalsDocumentIsForSuperAdmins = (caller: Pick<Powers, "association" | "role">): Failure | null =>
  isSuperAdmin(caller) ? null : escalation("The portal's document is for super-admins");
