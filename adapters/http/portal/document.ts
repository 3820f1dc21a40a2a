import Type from "typebox";
import { isSuperAdmin } from "../../../core/access/principal.ts";
import { escalation } from "../../../core/failure.ts";
import { type DocumentedOperation, documentOf } from "../docs/document.ts";
import { documentedRoute, TAGS } from "../docs/openapi.ts";
import type { ErrorCode } from "../protocol/problem.ts";
import { ok, type Route } from "../protocol/route.ts";
import { ENDPOINTS } from "./documented-endpoints.ts";
import type { PortalEndpoint } from "./endpoint.ts";

const NOTHING = Type.Object({});

const SIGNING_IN = { name: "Signing in", description: "Passwords, second factors, invitations and one's sessions." };
const SIGNED_IN: readonly ErrorCode[] = ["signed_out", "second_factor_required"];

/** Errors of the portal's entry point: changes must come from its own pages, and some need a recent proof. */
const atTheDoor = (method: string): ErrorCode[] => [
  ...SIGNED_IN,
  ...(method === "GET" ? [] : (["cross_origin", "reauthentication_required"] as const)),
];

const documentedEndpoint = ({ method, path, for: whom }: Pick<PortalEndpoint, "method" | "path" | "for">) => {
  const documented = ENDPOINTS[`${method} ${path}`];
  if (documented === undefined) throw new Error(`${method} ${path} is not documented`);
  const { name, summary, answer, params = NOTHING, body, errors = [] } = documented;
  const common: ErrorCode[] = ["rate_limit_exceeded", "internal_error", "unavailable"];
  const operation: DocumentedOperation = {
    name,
    summary,
    method,
    path,
    params,
    query: NOTHING,
    tag: SIGNING_IN.name,
    description: whom === "anybody" ? "Needs no session." : "Needs a session.",
    ...(whom === "anybody" && { isOpen: true }),
    answer: { status: 200, schema: answer, description: "Done" },
    errors: [
      ...new Set([
        ...common,
        ...(whom === "anybody" ? [] : SIGNED_IN),
        ...(method === "GET" ? [] : (["cross_origin", "outcome_unknown"] as const)),
        ...(params === NOTHING && body === undefined ? [] : (["invalid_input"] as const)),
        ...(body === undefined ? [] : (["invalid_json", "body_too_large", "unsupported_media_type"] as const)),
        ...errors,
      ]),
    ],
    ...(body !== undefined && { body: { name: body[0], schema: body[1], readOnly: [], example: body[2] } }),
  };
  return operation;
};

const DESCRIPTION = `What the portal's own pages ask for. Changes are taken from those pages only, and the session's cookie is what lets in. Programs use the API.`;

interface Parts {
  readonly routes: readonly Route[];
  readonly endpoints: readonly PortalEndpoint[];
  readonly version: string;
}

/** The portal's endpoints, and one more that answers with the OpenAPI document of them all, for super-admins only. */
export const withDocument = ({ routes, endpoints, version }: Parts): PortalEndpoint[] => {
  let document: unknown = null;
  const documenting: PortalEndpoint = {
    method: "GET",
    path: "/portal/openapi.json",
    for: "signed in",
    async handle({ by }) {
      if (!isSuperAdmin(by)) return escalation("The portal's document is for super-admins");
      document ??= documentOf(
        {
          title: "Vehicle Inventory Service: the portal",
          version,
          description: DESCRIPTION,
          tags: [...TAGS, SIGNING_IN],
          security: {
            name: "Session",
            scheme: {
              type: "apiKey",
              in: "cookie",
              name: "vehicle_inventory",
              description: "Set by signing in. Over TLS its name begins with `__Host-`.",
            },
          },
          parameters: {},
          isApi: false,
        },
        [
          ...routes.map((route) => ({
            ...documentedRoute(route, atTheDoor(route.method)),
            path: `/portal${route.path}`,
          })),
          ...all.map(documentedEndpoint),
        ],
      );
      return ok(document);
    },
  };
  const all = [...endpoints, documenting];
  return all;
};
