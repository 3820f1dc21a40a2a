import {
  dealerBody,
  feedBody,
  imageBody,
  keyBody,
  SOUTH_MARK,
  userBody,
  vehicleBody,
} from "../support/sample-records.ts";
import { CSV, FIRST_OF_EACH, scheduleBody, sourceBody, type Targets, webhookBody } from "./targets.ts";

/**
 * How an operation treats a key that is bound to a dealer:
 *
 * - `list`: it lists only its dealer's records
 * - `each`: it answers for each record, and those of other dealers do not exist for it
 * - `own`: it refuses those of other dealers
 * - `visibility`: those of other dealers do not exist for it
 * - `overridden`: the record becomes its dealer's
 * - `never`: it is always refused
 */
export type Binding = "list" | "each" | "own" | "visibility" | "overridden" | "never";

export interface Operation {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: (at: Targets) => string;
  readonly body?: (at: Targets) => object;
  /** A file that is sent in place of JSON. */
  readonly file?: string;
  readonly needs: string;
  /** The other permission that it needs. */
  readonly alsoNeeds?: string;
  readonly success: 200 | 201 | 202;
  readonly bound: Binding;
}

const vehicle = (at: Targets): string => `/api/vehicles/${at.vehicle}`;
const removed = (at: Targets): string => `/api/vehicles/removed/${at.removed}`;
const images = (at: Targets): string => `${vehicle(at)}/images`;
const image = (at: Targets): string => `${images(at)}/${at.image}`;
const dealer = (at: Targets): string => `/api/dealers/${at.dealer}`;
const key = (at: Targets): string => `/api/keys/${at.key}`;
const user = (at: Targets): string => `/api/users/${at.user}`;
const mapping = (at: Targets): string => `/api/import-mappings/${at.mapping}`;
const theImport = (at: Targets): string => `/api/imports/${at.import}`;
const webhook = (at: Targets): string => `/api/webhooks/${at.webhook}`;
const source = (at: Targets): string => `/api/import-sources/${at.source}`;
const schedule = (at: Targets): string => `/api/scheduled-changes/${at.schedule}`;
const feed = (at: Targets): string => `/api/feeds/${at.feed}`;
const of = (path: string) => () => path;

type Line = [name: string, method: Operation["method"], path: Operation["path"], needs: string, bound: Binding];
const operation = ([name, method, path, needs, bound]: Line, body?: Operation["body"]): Operation => ({
  name,
  method,
  path,
  needs,
  bound,
  success: body !== undefined && method === "POST" ? 201 : 200,
  ...(body !== undefined && { body }),
});

/** An operation that shows or serves vehicles, although it has another permission of its own. */
const showing = (operation: Operation): Operation => ({ ...operation, alsoNeeds: "vehicles:read" });

/** All permissions that an operation needs. */
export const neededBy = ({ needs, alsoNeeds }: Operation): readonly string[] =>
  alsoNeeds === undefined ? [needs] : [needs, alsoNeeds];

/** What an operation sends. */
export const sentBy = (
  { body, file }: Pick<Operation, "body" | "file">,
  at: Targets,
): { readonly body?: object; readonly raw?: string; readonly headers?: Readonly<Record<string, string>> } => ({
  ...(body !== undefined && { body: body(at) }),
  ...(file !== undefined && { raw: file, headers: CSV }),
});

/** Every operation of the API with its permission and binding, written independently of the policy. */
export const OPERATIONS: readonly Operation[] = [
  operation(["list vehicles", "GET", of("/api/vehicles"), "vehicles:read", "list"]),
  operation(["read a vehicle", "GET", vehicle, "vehicles:read", "own"]),
  operation(["export vehicles", "GET", of("/api/vehicles/export"), "vehicles:read", "list"]),
  operation(["count vehicles by facets", "GET", of("/api/vehicles/facets"), "vehicles:read", "list"]),
  operation(["create a vehicle", "POST", of("/api/vehicles"), "vehicles:write", "overridden"], (at) =>
    vehicleBody(at.dealer),
  ),
  operation(["suggest words of vehicles", "GET", of("/api/vehicles/suggestions"), "vehicles:read", "list"]),
  operation(["change a vehicle", "PUT", vehicle, "vehicles:write", "own"], () => ({ year: 2001 })),
  operation(["delete a vehicle", "DELETE", vehicle, "vehicles:delete", "own"]),
  {
    ...operation(["change many vehicles", "POST", of("/api/vehicles/bulk"), "vehicles:write", "each"], (at) => ({
      ids: [at.vehicle],
      changes: { year: 2001 },
    })),
    success: 200,
  },
  {
    ...operation(["write a few vehicles", "POST", of("/api/vehicles/batch"), "vehicles:write", "overridden"], (at) => ({
      items: [vehicleBody(at.dealer, { stock_number: "BATCH" })],
    })),
    success: 200,
  },
  operation(["read changes", "GET", of("/api/changes"), "vehicles:read", "list"]),
  operation(["list recent changes", "GET", of("/api/recent-changes"), "vehicles:write", "list"]),
  operation([
    "revert a change",
    "POST",
    (at) => `/api/recent-changes/import-${at.changing}/revert`,
    "vehicles:write",
    "visibility",
  ]),
  operation(["list removed vehicles", "GET", of("/api/vehicles/removed"), "vehicles:delete", "list"]),
  operation(["restore a vehicle", "POST", (at) => `${removed(at)}/restore`, "vehicles:delete", "visibility"]),
  operation(["remove a vehicle for good", "DELETE", removed, "vehicles:delete", "visibility"]),
  operation(["read the readiness of a vehicle", "GET", (at) => `${vehicle(at)}/readiness`, "vehicles:read", "own"]),
  operation(["rate a dealer's listings", "GET", of("/api/quality"), "vehicles:read", "list"]),
  operation(["read a history", "GET", (at) => `${vehicle(at)}/history`, "vehicles:read", "own"]),
  operation(["read a sale", "GET", (at) => `${vehicle(at)}/sale`, "vehicles:write", "own"]),
  operation(["change a sale", "PUT", (at) => `${vehicle(at)}/sale`, "vehicles:write", "own"], () => ({ note: "Sold" })),
  operation(["read what would sell a vehicle", "GET", (at) => `${vehicle(at)}/advice`, "vehicles:write", "own"]),
  operation(["list corrections", "GET", (at) => `${vehicle(at)}/corrections`, "vehicles:write", "own"]),
  operation(["take the file's value", "DELETE", (at) => `${vehicle(at)}/corrections/price`, "vehicles:write", "own"]),

  operation(["list scheduled changes", "GET", of("/api/scheduled-changes"), "vehicles:write", "list"]),
  operation(["schedule a change", "POST", of("/api/scheduled-changes"), "vehicles:write", "visibility"], (at) =>
    scheduleBody(at.vehicle),
  ),
  operation(["read a scheduled change", "GET", schedule, "vehicles:write", "visibility"]),
  operation(["cancel a scheduled change", "DELETE", schedule, "vehicles:write", "visibility"]),

  operation(["list images", "GET", images, "vehicles:read", "own"]),
  operation(["add an image", "POST", images, "vehicles:write", "own"], () => imageBody()),
  operation(["change an image", "PUT", image, "vehicles:write", "own"], () => ({ display_order: 7 })),
  operation(["order images", "PUT", images, "vehicles:write", "own"], (at) => ({
    image_ids: [at.otherImage, at.image],
  })),
  operation(["remove an image", "DELETE", image, "vehicles:write", "own"]),

  operation(["list sources", "GET", of("/api/import-sources"), "vehicles:write", "list"]),
  operation(["make a source", "POST", of("/api/import-sources"), "vehicles:write", "overridden"], (at) =>
    sourceBody(at.dealer, "Nightly"),
  ),
  operation(["read a source", "GET", source, "vehicles:write", "visibility"]),
  operation(["change a source", "PUT", source, "vehicles:write", "visibility"], () => ({ name: "Another" })),
  {
    ...operation(["fetch a source", "POST", (at) => `${source(at)}/run`, "vehicles:write", "visibility"]),
    success: 202,
  },
  operation(["take a source away", "DELETE", source, "vehicles:write", "visibility"]),

  operation(["list dealers", "GET", of("/api/dealers"), "dealers:read", "list"]),
  operation(["read a dealer", "GET", dealer, "dealers:read", "own"]),
  operation(["create a dealer", "POST", of("/api/dealers"), "dealers:write", "never"], () => dealerBody()),
  operation(["change a dealer", "PUT", dealer, "dealers:write", "own"], () => ({ phone: "503-555-0199" })),
  operation(["deactivate a dealer", "DELETE", dealer, "dealers:delete", "never"]),
  operation(["list an inventory", "GET", (at) => `${dealer(at)}/vehicles`, "vehicles:read", "own"]),
  operation(["read statistics", "GET", (at) => `${dealer(at)}/stats`, "dealers:read", "own"]),
  showing(operation(["read a dealer's lot today", "GET", (at) => `${dealer(at)}/today`, "dealers:read", "own"])),
  operation(["read a dealer's report", "GET", (at) => `${dealer(at)}/report`, "dealers:read", "own"]),
  operation(["read a report", "GET", of("/api/report"), "dealers:read", "list"]),

  operation(["list keys", "GET", of("/api/keys"), "keys:read", "list"]),
  operation(["export keys", "GET", of("/api/keys/export"), "keys:read", "list"]),
  operation(["read a key", "GET", key, "keys:read", "visibility"]),
  operation(["read a key's usage", "GET", (at) => `${key(at)}/usage`, "keys:read", "visibility"]),
  operation(["create a key", "POST", of("/api/keys"), "keys:write", "overridden"], (at) =>
    keyBody({ dealer_id: at.dealer, permissions: [], rate_limit: 1 }),
  ),
  operation(["change a key", "PUT", key, "keys:write", "visibility"], () => ({ description: "Changed" })),
  operation(["revoke a key", "POST", (at) => `${key(at)}/revoke`, "keys:write", "visibility"]),
  operation(["rotate a key", "POST", (at) => `${key(at)}/rotate`, "keys:write", "visibility"]),
  operation(["end a grace", "POST", (at) => `${key(at)}/end-grace`, "keys:write", "visibility"]),
  operation(["add a permission", "PUT", (at) => `${key(at)}/permissions/keys/write`, "keys:write", "visibility"]),
  operation(["remove a permission", "DELETE", (at) => `${key(at)}/permissions/keys/write`, "keys:write", "visibility"]),
  operation(["delete a key", "DELETE", key, "keys:delete", "visibility"]),

  operation(["list users", "GET", of("/api/users"), "users:read", "list"]),
  operation(["read a user", "GET", user, "users:read", "visibility"]),
  operation(["create a user", "POST", of("/api/users"), "users:write", "overridden"], (at) =>
    userBody({ dealer_id: at.dealer, permissions: [] }),
  ),
  operation(["change a user", "PUT", user, "users:write", "visibility"], () => ({ name: "Kim Example" })),
  operation(["deactivate a user", "DELETE", user, "users:delete", "visibility"]),

  {
    ...operation([
      "import a file",
      "POST",
      (at) => `/api/imports?dealer_id=${at.dealer}`,
      "vehicles:write",
      "overridden",
    ]),
    file: `VIN,Make\n,${SOUTH_MARK}\n`,
    success: 202,
  },
  operation(["list imports", "GET", of("/api/imports"), "vehicles:write", "list"]),
  operation(["read an import", "GET", theImport, "vehicles:write", "visibility"]),
  operation(["list rows of an import", "GET", (at) => `${theImport(at)}/rows`, "vehicles:write", "visibility"]),
  operation(["export failed rows", "GET", (at) => `${theImport(at)}/errors.csv`, "vehicles:write", "visibility"]),
  {
    ...operation(["mend failed rows", "POST", (at) => `${theImport(at)}/mend`, "vehicles:write", "visibility"], () => ({
      rows: [{ row: 1, cells: { VIN: "MENDED1" } }],
    })),
    success: 200,
  },
  {
    ...operation(["run an import", "POST", (at) => `/api/imports/${at.dryRun}/run`, "vehicles:write", "visibility"]),
    success: 202,
  },
  operation(["stop an import", "POST", (at) => `${theImport(at)}/cancel`, "vehicles:write", "visibility"]),
  operation(["take an import away", "DELETE", theImport, "vehicles:write", "visibility"]),
  operation(["create a mapping", "POST", of("/api/import-mappings"), "vehicles:write", "overridden"], (at) => ({
    name: "Nightly file",
    dealer_id: at.dealer,
    columns: {},
  })),
  operation(["list mappings", "GET", of("/api/import-mappings"), "vehicles:write", "list"]),
  operation(["read a mapping", "GET", mapping, "vehicles:write", "visibility"]),
  operation(["change a mapping", "PUT", mapping, "vehicles:write", "visibility"], () => ({ name: "Weekly file" })),
  operation(["delete a mapping", "DELETE", mapping, "vehicles:write", "visibility"]),

  showing(
    operation(["create a feed", "POST", of("/api/feeds"), "feeds:write", "overridden"], (at) => feedBody(at.dealer)),
  ),
  operation(["list feeds", "GET", of("/api/feeds"), "feeds:read", "list"]),
  operation(["read a feed", "GET", feed, "feeds:read", "visibility"]),
  showing(operation(["change a feed", "PUT", feed, "feeds:write", "visibility"], () => ({ max_drop_percent: 30 }))),
  showing(operation(["rotate a feed", "POST", (at) => `${feed(at)}/rotate`, "feeds:write", "visibility"])),
  operation(["release a feed", "POST", (at) => `${feed(at)}/release`, "feeds:write", "visibility"]),
  showing(operation(["preview a feed", "GET", (at) => `${feed(at)}/preview`, "feeds:read", "visibility"])),
  operation(["read a feed's readiness", "GET", (at) => `${feed(at)}/readiness`, "feeds:read", "visibility"]),
  showing(
    operation(["list what a feed finds", "GET", (at) => `${feed(at)}/readiness/vehicles`, "feeds:read", "visibility"]),
  ),
  operation(["delete a feed", "DELETE", feed, "feeds:delete", "visibility"]),

  showing(
    operation(["create a webhook", "POST", of("/api/webhooks"), "webhooks:write", "overridden"], (at) =>
      webhookBody(at.dealer),
    ),
  ),
  operation(["list webhooks", "GET", of("/api/webhooks"), "webhooks:read", "list"]),
  operation(["read a webhook", "GET", webhook, "webhooks:read", "visibility"]),
  showing(
    operation(["change a webhook", "PUT", webhook, "webhooks:write", "visibility"], () => ({ max_per_second: 3 })),
  ),
  showing(
    operation(["rotate a webhook", "POST", (at) => `${webhook(at)}/rotate-secret`, "webhooks:write", "visibility"]),
  ),
  showing(operation(["enable a webhook", "POST", (at) => `${webhook(at)}/enable`, "webhooks:write", "visibility"])),
  {
    ...operation(["test a webhook", "POST", (at) => `${webhook(at)}/test`, "webhooks:write", "visibility"]),
    success: 202,
  },
  {
    ...showing(
      operation(
        ["recover a webhook", "POST", (at) => `${webhook(at)}/recover`, "webhooks:write", "visibility"],
        () => ({ since: "2026-01-01T00:00:00Z" }),
      ),
    ),
    success: 202,
  },
  operation(["list deliveries", "GET", (at) => `${webhook(at)}/deliveries`, "webhooks:read", "visibility"]),
  {
    ...showing(
      operation([
        "send a delivery again",
        "POST",
        (at) => `${webhook(at)}/deliveries/${at.delivery}/redeliver`,
        "webhooks:write",
        "visibility",
      ]),
    ),
    success: 202,
  },
  operation(["delete a webhook", "DELETE", webhook, "webhooks:delete", "visibility"]),

  operation(["read the audit log", "GET", of("/api/audit"), "audit:read", "list"]),
  operation(["export the audit log", "GET", of("/api/audit/export"), "audit:read", "list"]),
];

/** True if the operation's requests have this method, and a path of this pattern, such as `/api/vehicles/{id}`. */
export const isAt = (operation: Operation, { method, path }: { readonly method: string; readonly path: string }) =>
  method === operation.method &&
  path
    .replace("{resource}/{action}", "keys/write")
    .replace("{field}", "price")
    .replace("recent-changes/{id}", "recent-changes/import-1")
    .replaceAll(/\{\w+\}/g, "1") === operation.path(FIRST_OF_EACH).replace(/\?.*/, "");

/** Operations without a dealer's record; `me.test.ts`, `settings.test.ts` and `vin.test.ts` test their callers. */
export const OF_NO_DEALER: readonly Operation[] = [
  operation(["decode a VIN", "GET", of("/api/vin/1"), "no permission", "list"]),
  operation(["read the own key", "GET", of("/api/me"), "no permission", "list"]),
  operation(["read the settings", "GET", of("/api/settings"), "no permission", "list"]),
  operation(["change the settings", "PUT", of("/api/settings"), "users:write", "never"], () => ({ currency: "EUR" })),
];

/** Operations on imports that wait for a confirmation; `imports/snapshots.test.ts` tests their callers. */
export const ON_WAITING_IMPORTS: readonly Operation[] = [
  {
    ...operation(
      ["confirm an import", "POST", (at) => `${theImport(at)}/confirm`, "vehicles:write", "visibility"],
      () => ({
        missing: 0,
      }),
    ),
    success: 202,
  },
];

/** Operations whose answers have no end; `change-stream.test.ts` tests their callers. */
export const WITHOUT_END: readonly Operation[] = [
  operation(["follow changes", "GET", of("/api/changes/stream"), "vehicles:read", "list"]),
];
