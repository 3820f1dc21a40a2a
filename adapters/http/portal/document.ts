import Type from "typebox";
import { portalsDocumentIsForSuperAdmins } from "../../../core/access/rules/portals-document-is-for-super-admins.ts";
import { mayBeSensitive } from "../../../core/access/rules/sensitive-changes-need-recent-proof.ts";
import { type DocumentedOperation, documentOf } from "../docs/document.ts";
import { documentedRoute, TAGS } from "../docs/openapi.ts";
import type { Json } from "../docs/schemas.ts";
import type { ErrorCode } from "../protocol/problem.ts";
import { ok, type Route } from "../protocol/route.ts";
import type { PortalEndpoint } from "./endpoint.ts";

const NO_PARAMETERS = Type.Object({});

const SIGN_IN_TAG = {
  name: "Signing in",
  description: "Passwords, second factors, invitations and the user's own sessions.",
};

/**
 * Errors of the portal's entry point. Changes must come from its own pages, and some need that the password or a code
 * was given recently.
 */
const errorsOfEntryPoint = ({ method, operation }: Route): ErrorCode[] => [
  "signed_out",
  "second_factor_required",
  ...(method === "GET" ? [] : (["cross_origin"] as const)),
  ...(mayBeSensitive(operation) ? (["reauthentication_required"] as const) : []),
];

/**
 * Errors that an endpoint may give before its use case runs. Endpoints for anybody also declare the errors of their
 * limits.
 */
const errorsBeforeUseCase = (endpoint: PortalEndpoint): ErrorCode[] => [
  "internal_error",
  "unavailable",
  ...(endpoint.for === "anybody" ? [] : (["signed_out", "rate_limit_exceeded"] as const)),
  ...(endpoint.for === "anybody" || endpoint.beforeSecondFactor ? [] : (["second_factor_required"] as const)),
  ...(endpoint.method === "GET" ? [] : (["cross_origin", "outcome_unknown"] as const)),
  ...(endpoint.body !== undefined
    ? (["invalid_input", "invalid_json", "body_too_large", "unsupported_media_type"] as const)
    : []),
];

const documentedEndpoint = (endpoint: PortalEndpoint) => {
  const { method, path, for: audience, name, summary, answer, params = NO_PARAMETERS, body, errors = [] } = endpoint;
  const operation: DocumentedOperation = {
    name,
    summary,
    method,
    path,
    params,
    query: NO_PARAMETERS,
    tag: SIGN_IN_TAG.name,
    description: audience === "anybody" ? "Needs no session." : "Needs a session.",
    ...(audience === "anybody" && { isOpen: true }),
    answer: { status: 200, schema: answer, description: "Done" },
    errors: [...new Set([...errorsBeforeUseCase(endpoint), ...errors])],
    ...(body !== undefined && { body: { ...body, readOnly: [] } }),
  };
  return operation;
};

const DESCRIPTION = `The endpoints that the portal's own pages use. Access needs the cookie of a session, and changes are accepted only from those pages. A request with the header \`X-Portal-User\` is refused as \`signed_out\` unless the session is that of the user with this id. Programs should use the API.`;

interface Parts {
  readonly routes: readonly Route[];
  readonly endpoints: readonly PortalEndpoint[];
  readonly version: string;
}

/** The OpenAPI document of the portal's routes and endpoints. */
export const portalDocument = ({ routes, endpoints, version }: Parts): Json =>
  documentOf(
    {
      title: "Vehicle Inventory Service: the portal",
      version,
      description: DESCRIPTION,
      tags: [...TAGS, SIGN_IN_TAG],
      security: {
        name: "Session",
        scheme: {
          type: "apiKey",
          in: "cookie",
          name: "vehicle_inventory",
          description: "Set when a user signs in. With TLS, its name begins with `__Host-`.",
        },
      },
      parameters: {},
      isApi: false,
    },
    [
      ...routes.map((route) => ({
        ...documentedRoute(route, errorsOfEntryPoint(route)),
        path: `/portal${route.path}`,
      })),
      ...endpoints.map(documentedEndpoint),
    ],
  );

/** The portal's endpoints, and one that returns their OpenAPI document to super-admins. */
export const withDocument = (parts: Parts): PortalEndpoint[] => {
  let document: Json | undefined;
  const documentEndpoint: PortalEndpoint = {
    method: "GET",
    path: "/portal/openapi.json",
    name: "getPortalDocument",
    summary: "Read this document",
    answer: Type.Object({}),
    errors: ["exceeds_your_rights"],
    for: "signed in",
    async handle({ by }) {
      const refused = portalsDocumentIsForSuperAdmins(by);
      if (refused !== null) return refused;
      document ??= portalDocument({ ...parts, endpoints: all });
      return ok(document);
    },
  };
  const all = [...parts.endpoints, documentEndpoint];
  return all;
};
