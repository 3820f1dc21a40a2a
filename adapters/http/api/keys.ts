import Type from "typebox";
import type { Caller } from "../../../core/access/use-case.ts";
import type { Clock } from "../../../core/clock.ts";
import { exportFile, safeFormOf } from "../../../core/export/export-file.ts";
import { Failure, type Outcome } from "../../../core/failure.ts";
import { IncludeInKey } from "../../../core/include.ts";
import {
  KEY_READ_ONLY,
  KeyChanges,
  KeyExportQuery,
  KeyQuery,
  type KeyRecord,
  NewKey,
  presentKey,
  Rotation,
} from "../../../core/keys/key.ts";
import type { Keys } from "../../../core/keys/keys.ts";
import type { IssuedKey } from "../../../core/keys/secrets.ts";
import type { Usage } from "../../../core/keys/usage.ts";
import { mappedSlices } from "../../../core/long-items.ts";
import type { Names } from "../../../core/names/names.ts";
import { enriched, pageOf, presented } from "../../../core/page.ts";
import { NO_STORE } from "../protocol/headers.ts";
import { listHeaders } from "../protocol/links.ts";
import { arrayBody } from "../protocol/long-body.ts";
import { pathOf } from "../protocol/request-path.ts";
import { type Answer, created, ok, type Route, route } from "../protocol/route.ts";
import { DoneAnswer } from "./answers.ts";
import { EXPORT_TYPES, exportAnswer, RECORD_EXPORT_NOTE } from "./export-answer.ts";
import {
  ChangedKeyAnswer,
  KEY_FILE,
  KeyAnswer,
  KeyParams,
  KeyWithSecretAnswer,
  PermissionParams,
} from "./key-answers.ts";

/** Routes of API keys (interface 6.4). */
export const keyRoutes = ({
  keys,
  names,
  usage,
  clock,
}: {
  readonly keys: Keys;
  readonly names: Names;
  readonly usage: Pick<Usage, "addLastDays">;
  readonly clock: Clock;
}): Route[] => {
  const present = (key: KeyRecord) => presentKey(key, clock.now());

  const answerKey = (outcome: Outcome<KeyRecord>): Outcome<Answer> =>
    outcome instanceof Failure ? outcome : ok(present(outcome));

  /** A key, with the state of its user and the names of the records that it refers to. */
  const presentWithUser = (key: KeyRecord) => ({ ...present(key), user_active: key.holder?.active ?? null });

  /** Hides from callers who may not read the user's name whether the user is active. */
  const hideUserState = <NamedKey extends { readonly user_name: string | null; readonly user_active: boolean | null }>(
    key: NamedKey,
  ): NamedKey => (key.user_name === null ? { ...key, user_active: null } : key);

  /** Adds to these keys what the caller wants to know beside their fields. */
  const withIncluded =
    (caller: Caller, include: readonly ("names" | "usage")[] = []) =>
    async (records: readonly KeyRecord[]): Promise<readonly object[]> => {
      const plain = records.map(present);
      const named = include.includes("names")
        ? (await names.addTo(caller, records.map(presentWithUser))).map(hideUserState)
        : plain;
      return include.includes("usage") ? usage.addLastDays(caller, named) : named;
    };

  /** The only form in which a secret leaves the service. Answers that contain it must have NO_STORE. */
  const withSecret = ({ record, apiKey }: IssuedKey) => ({ ...present(record), api_key: apiKey });

  return [
    route({
      operation: "key.list",
      name: "listApiKeys",
      method: "GET",
      path: "/api/keys",
      summary: "List keys",
      description:
        "Newest first. Super-admins see all keys, the admins and keys of a dealer see those of the dealer, and other users see their own.",
      query: KeyQuery,
      answer: { status: 200, schema: Type.Array(KeyAnswer), description: "The keys" },
      traits: ["list"],
      errors: [],
      async handle({ principal, query, search, url }) {
        const listing = await keys.list(principal, query);
        if (listing instanceof Failure) return listing;
        const listed =
          query.include === undefined
            ? presented(listing, present)
            : await enriched(listing, withIncluded(principal, query.include));
        return ok(arrayBody(listed), {
          headers: listHeaders({ path: pathOf(url), search, page: pageOf(query), total: listing.total }),
        });
      },
    }),
    route({
      operation: "key.export",
      name: "exportApiKeys",
      method: "GET",
      path: "/api/keys/export",
      summary: "Export keys as a file",
      description: `${RECORD_EXPORT_NOTE} The file contains no secrets. In tables, \`permissions\` are separated by spaces.`,
      query: KeyExportQuery,
      answer: {
        status: 200,
        schema: Type.String(),
        description: "The keys, one on each line",
        file: {
          types: EXPORT_TYPES,
          isCounted: true,
          example: "id,name,app_type,active\n1,Showroom site,web,true\n",
        },
      },
      errors: [],
      async handle({ principal, query }) {
        const exported = await keys.export(principal, query);
        if (exported instanceof Failure) return exported;
        const now = clock.now();
        const file = exportFile(safeFormOf(query), KEY_FILE);
        const lines = mappedSlices(exported.keys, (key) => file.line(presentKey(key, now)));
        return exportAnswer("keys", { ...file, total: exported.total, lines });
      },
    }),
    route({
      operation: "key.read",
      name: "getApiKey",
      method: "GET",
      path: "/api/keys/:id",
      summary: "Read a key",
      params: KeyParams,
      query: IncludeInKey,
      answer: { status: 200, schema: KeyAnswer, description: "The key without its secret" },
      errors: ["not_found"],
      async handle({ principal, params, query }) {
        const key = await keys.get(principal, params.id);
        if (key instanceof Failure || query.include === undefined) return answerKey(key);
        const [included] = await withIncluded(principal, query.include)([key]);
        return ok(included);
      },
    }),
    route({
      operation: "key.create",
      name: "createApiKey",
      method: "POST",
      path: "/api/keys",
      summary: "Create a key",
      description:
        "The secret is shown only in this answer. A key that a bound caller creates is bound to the caller's dealer.",
      body: {
        name: "NewApiKey",
        schema: NewKey,
        readOnly: KEY_READ_ONLY,
        example: { name: "Showroom website", app_type: "web", app_id: "showroom-site", dealer_id: 1 },
      },
      answer: { status: 201, schema: KeyWithSecretAnswer, description: "The created key with its secret" },
      secrets: ["api_key"],
      errors: ["exceeds_your_rights", "quota_exceeded"],
      async handle({ principal, body }) {
        const key = await keys.create(principal, body);
        if (key instanceof Failure) return key;
        const answer = created(withSecret(key), `/api/keys/${key.record.id}`);
        return { ...answer, headers: { ...answer.headers, ...NO_STORE } };
      },
    }),
    route({
      operation: "key.update",
      name: "updateApiKey",
      method: "PUT",
      path: "/api/keys/:id",
      summary: "Change fields of a key",
      description:
        "The key string itself cannot be changed. Everybody who knows it also gets the new rights of the key; to prevent that, `rotate` replaces it in the same transaction.",
      params: KeyParams,
      body: {
        name: "ApiKeyChanges",
        schema: KeyChanges,
        readOnly: KEY_READ_ONLY,
        example: { description: "The showroom's website", expires_at: "2099-01-01T00:00:00.000Z" },
      },
      answer: {
        status: 200,
        schema: ChangedKeyAnswer,
        description: "The updated key. With `rotate`, also its new secret",
      },
      secrets: ["api_key"],
      errors: ["not_found", "exceeds_your_rights", "quota_exceeded"],
      async handle({ principal, params, body }) {
        const changed = await keys.change(principal, params.id, body);
        if (changed instanceof Failure) return changed;
        const { record, apiKey } = changed;
        return apiKey === null ? ok(present(record)) : ok(withSecret({ record, apiKey }), { headers: NO_STORE });
      },
    }),
    route({
      operation: "key.revoke",
      name: "revokeApiKey",
      method: "POST",
      path: "/api/keys/:id/revoke",
      summary: "Revoke a key",
      description: "Sets `active` to false. Revoking a key twice is no error.",
      params: KeyParams,
      answer: { status: 200, schema: KeyAnswer, description: "The record" },
      errors: ["not_found", "exceeds_your_rights"],
      async handle({ principal, params }) {
        return answerKey(await keys.revoke(principal, params.id));
      },
    }),
    route({
      operation: "key.rotate",
      name: "rotateApiKey",
      method: "POST",
      path: "/api/keys/:id/rotate",
      summary: "Give a key a new secret",
      description: "The previous secret works until the grace period ends. Older secrets end at once.",
      params: KeyParams,
      body: {
        name: "ApiKeyRotation",
        schema: Rotation,
        readOnly: [],
        optional: true,
        example: { grace_seconds: 3600 },
      },
      answer: { status: 200, schema: KeyWithSecretAnswer, description: "The key with its new secret" },
      secrets: ["api_key"],
      errors: ["not_found", "exceeds_your_rights"],
      async handle({ principal, params, body }) {
        const key = await keys.rotate(principal, params.id, body);
        return key instanceof Failure ? key : ok(withSecret(key), { headers: NO_STORE });
      },
    }),
    route({
      operation: "key.end-grace",
      name: "endApiKeyGrace",
      method: "POST",
      path: "/api/keys/:id/end-grace",
      summary: "End the old secret of a rotated key",
      description: "Ends the grace period at once. If no old secret works, nothing changes, and that is no error.",
      params: KeyParams,
      answer: { status: 200, schema: KeyAnswer, description: "The record" },
      errors: ["not_found", "exceeds_your_rights"],
      async handle({ principal, params }) {
        return answerKey(await keys.endGrace(principal, params.id));
      },
    }),
    route({
      operation: "key.grant",
      name: "addApiKeyPermission",
      method: "PUT",
      path: "/api/keys/:id/permissions/:resource/:action",
      summary: "Add one permission",
      params: PermissionParams,
      answer: { status: 200, schema: KeyAnswer, description: "The record" },
      errors: ["not_found", "exceeds_your_rights"],
      async handle({ principal, params: { id, ...pair } }) {
        return answerKey(await keys.grant(principal, id, pair));
      },
    }),
    route({
      operation: "key.withdraw",
      name: "removeApiKeyPermission",
      method: "DELETE",
      path: "/api/keys/:id/permissions/:resource/:action",
      summary: "Remove one permission",
      params: PermissionParams,
      answer: { status: 200, schema: KeyAnswer, description: "The record" },
      errors: ["not_found", "exceeds_your_rights"],
      async handle({ principal, params: { id, ...pair } }) {
        return answerKey(await keys.withdraw(principal, id, pair));
      },
    }),
    route({
      operation: "key.delete",
      name: "deleteApiKey",
      method: "DELETE",
      path: "/api/keys/:id",
      summary: "Delete a key and its links",
      params: KeyParams,
      answer: { status: 200, schema: DoneAnswer, description: "Deleted" },
      errors: ["not_found", "exceeds_your_rights"],
      answers: "done",
      of: ({ principal, params }) => keys.remove(principal, params.id),
      says: ({ id }) => `Key ${id} deleted`,
    }),
  ];
};
