import type { Sight } from "../../core/keys/key-repository.ts";
import type { Values } from "./database.ts";

/** The kinds of sight there are: each has statements of its own. */
export type Seen = "everything" | "dealer" | "user";

/** The kind of a sight. */
export const kindOf = (sight: Sight): Seen =>
  sight === "everything" ? sight : "dealerId" in sight ? "dealer" : "user";

/** Values for the parameters of a sight's part of the WHERE. */
export const sightValues = (sight: Sight): Values =>
  sight === "everything" ? {} : "dealerId" in sight ? { sightDealer: sight.dealerId } : { sightUser: sight.userId };
