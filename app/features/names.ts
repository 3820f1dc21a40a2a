import { makeNames } from "../../core/names/names.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** The names of dealers and users in records that have only their ids. */
export const wireNames = ({ dealers, users }: Shared) =>
  ({ uses: { names: makeNames({ dealers, users }) } }) satisfies Feature;
