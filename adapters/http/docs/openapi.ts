import { type Operation, POLICY, permissionsNeededFor } from "../../../core/access/policy.ts";
import { RESOURCE_TRAITS, resourceOfOperation } from "../../../core/resources.ts";
import type { ErrorCode } from "../protocol/problem.ts";
import type { Route } from "../protocol/route.ts";
import { type DocumentedOperation, documentOf } from "./document.ts";
import { GUIDES } from "./guides.ts";
import { HEALTH_OPERATIONS, HEALTH_TAG } from "./health.ts";
import type { Json } from "./schemas.ts";

/** The tags of operations: the resources. */
export const TAGS = Object.values(RESOURCE_TRAITS).map(({ title, description }) => ({ name: title, description }));

const BINDING_NOTES = {
  filtered: "A bound key gets only its dealer's records.",
  overridden: "For a bound key, the dealer is always the key's.",
  own: "For a bound key, records of other dealers answer 403.",
  never: "Keys that are bound to a dealer get 403.",
  visibility: "Records that the caller cannot see answer 404.",
  shared: "",
  "super-admins": "Only super-admins are allowed; others get 403.",
} as const;

/** Errors that every operation can give. */
const COMMON_ERRORS: readonly ErrorCode[] = ["rate_limit_exceeded", "internal_error", "unavailable"];

/** Errors that are given before the use case runs. They follow from the policy and from the route's parameters. */
const errorsBeforeUseCase = ({ operation, method, params, query, body, file }: Route): ErrorCode[] => [
  ...COMMON_ERRORS,
  ...(POLICY[operation].needs === null ? [] : (["permission_missing"] as const)),
  ...(POLICY[operation].bound === "never" ? (["dealer_bound"] as const) : []),
  ...([params, query, body?.schema].some((schema) => Object.keys(schema?.properties ?? {}).length > 0)
    ? (["invalid_input"] as const)
    : []),
  ...(body === undefined ? [] : (["invalid_json", "body_too_large", "unsupported_media_type"] as const)),
  ...(file === undefined
    ? []
    : (["import_file_unreadable", "upload_too_slow", "import_file_too_large", "unsupported_media_type"] as const)),
  ...(method === "GET" ? [] : (["outcome_unknown"] as const)),
];

const tagOf = (operation: Operation): string => RESOURCE_TRAITS[resourceOfOperation(operation)].title;

/** A route as it is documented. The entry point before it can give these errors, too. */
export const documentedRoute = (route: Route, entryPointErrors: readonly ErrorCode[]): DocumentedOperation => {
  const needed = permissionsNeededFor(route.operation).map((permission) => `\`${permission}\``);
  return {
    ...route,
    tag: tagOf(route.operation),
    description: [
      route.description,
      needed.length > 0 && `Needs ${needed.join(" and ")}.`,
      BINDING_NOTES[POLICY[route.operation].bound],
    ]
      .filter(Boolean)
      .join(" "),
    errors: [...new Set([...entryPointErrors, ...errorsBeforeUseCase(route), ...route.errors])],
  };
};

/** The API's OpenAPI document. */
export const openApiDocument = (routes: readonly Route[], version: string): Json =>
  documentOf(
    {
      title: "Vehicle Inventory Service",
      version,
      description: GUIDES,
      tags: [...TAGS.filter(({ name }) => routes.some(({ operation }) => tagOf(operation) === name)), HEALTH_TAG],
      security: {
        name: "ApiKey",
        scheme: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "The whole key, as it was shown on creation.",
        },
      },
      parameters: {
        AppType: {
          name: "X-App-Type",
          in: "header",
          required: false,
          description:
            "If sent, it must be the key's app type. Desktop applications should send `desktop`. An operator can require it.",
          schema: { type: "string", enum: ["web", "desktop", "mobile"] },
        },
      },
      isApi: true,
    },
    [
      ...routes.map((route) =>
        documentedRoute(route, [
          "api_key_missing",
          "api_key_invalid",
          "app_type_mismatch",
          "origin_not_allowed",
          "network_not_allowed",
          "invalid_input",
          ...(route.method === "GET" ? [] : (["idempotency_in_progress", "idempotency_key_reused"] as const)),
        ]),
      ),
      ...HEALTH_OPERATIONS,
    ],
  );
