import Type from "typebox";
import { ACTIONS, RESOURCES } from "../../core/access/permissions.ts";
import { id, oneOf } from "../../core/schema.ts";

/** Path parameters of a single record. */
export const ById = Type.Object({ id: id() });

/** Path parameters of an image of a vehicle. */
export const ByImage = Type.Object({ id: id(), image_id: id() });

/** Path parameters of one permission of a key. */
export const ByPermission = Type.Object({ id: id(), resource: oneOf(RESOURCES), action: oneOf(ACTIONS) });
