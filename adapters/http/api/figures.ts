import Type from "typebox";
import { type DealerFigures, HELP_REASONS } from "../../../core/dealer-figures/figures.ts";
import type { LastFile } from "../../../core/dealer-figures/figures-repository.ts";
import { id } from "../../../core/schema.ts";
import { count, dateTime, type FieldsOf, nullable, recordSchema } from "./answers.ts";

const counted = (description: string) => nullable(Type.Integer({ minimum: 0, description }));

const lastFile = {
  import_id: id(),
  at: dateTime,
  failed: Type.Integer({ minimum: 0, description: "The rows that failed." }),
} satisfies FieldsOf<LastFile>;

/** How a dealer stands. */
export const FiguresAnswer = recordSchema("DealerStanding", {
  vehicles: Type.Integer({ minimum: 0, description: "Vehicles on the lot: available and pending ones." }),
  ages: Type.Array(count, { description: "These by days on the lot: 0–30, 31–60, 61–90, and more." }),
  average_age: counted("Their mean age in whole days. `null` if there are none."),
  quality: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        "The mean score of their quality, as it was judged last: within minutes of a change, and once a day. `null` if there are none, or before the first time.",
    }),
  ),
  left_out: counted(
    "Vehicles that the active feeds of this dealer alone left out when they were counted last. `null` if none was counted, and without `feeds:read`.",
  ),
  refused_keys: counted(
    "Keys of which 20 or more requests in 24 hours, and a tenth of all, were refused. `null` without `keys:read`.",
  ),
  last_file: nullable(recordSchema("LastCompletedFile", lastFile)),
  last_change: dateTime,
  needs_help: Type.Array(
    Type.Unsafe<DealerFigures["needs_help"][number]>({ type: "string", enum: [...HELP_REASONS] }),
    {
      description: "Why the dealer needs help, as far as the caller may see it.",
    },
  ),
} satisfies FieldsOf<DealerFigures>);
