import Type from "typebox";
import { oneOf } from "../../../core/schema.ts";
import type { DocumentedOperation } from "./document.ts";

/** The tag of the operations that monitoring uses. */
export const HEALTH_TAG = { name: "Health", description: "For monitoring. These need no key and have no limit." };

const NO_PARAMETERS = Type.Object({});

const Ready = Type.Object(
  {
    status: Type.Literal("ready"),
    checks: Type.Object({
      database: oneOf(["ok"]),
      limits: oneOf(["ok", "degraded"], {
        description: "`degraded` while this instance counts requests on its own.",
      }),
      disk: oneOf(["ok", "low", "unknown"]),
      processes: Type.Optional(
        oneOf(["one", "several"], {
          description: "`several` while another process serves the same database file. Each then limits on its own.",
        }),
      ),
    }),
    backup: Type.Optional(
      Type.Object(
        {
          state: oneOf(["ok", "none", "failed"]),
          age_seconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
        },
        { description: "The newest intact backup, if the service makes backups by itself." },
      ),
    ),
  },
  { title: "Ready", description: "More may follow about the instance." },
);

const Alive = Type.Object({ status: Type.Literal("ok") }, { title: "Alive" });

const operation = (
  name: string,
  path: string,
  rest: Pick<DocumentedOperation, "summary" | "description" | "answer" | "errors">,
): DocumentedOperation => ({
  name,
  method: "GET",
  path,
  tag: HEALTH_TAG.name,
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  isOpen: true,
  ...rest,
});

/** The operations that monitoring uses. */
export const HEALTH_OPERATIONS: readonly DocumentedOperation[] = [
  operation("getLiveness", "/health/live", {
    summary: "Tell whether the process runs",
    description: "Answers as long as the process runs, whatever the state of the database.",
    answer: { status: 200, schema: Alive, description: "The process runs" },
    errors: ["method_not_allowed", "internal_error"],
  }),
  operation("getReadiness", "/health/ready", {
    summary: "Tell whether the service can answer requests",
    description:
      "A 503 means that the database does not answer, or that the service is stopping. It names the `checks`, too.",
    answer: { status: 200, schema: Ready, description: "The service can answer requests" },
    errors: ["method_not_allowed", "internal_error", "unavailable"],
  }),
];
