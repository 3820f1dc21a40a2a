import { type AliasedRawBuilder, type RawBuilder, sql } from "kysely";
import type { SqlDatabase } from "../query/database.ts";

const field = (name: string): RawBuilder<string | null> => sql`image.value ->> ${sql.lit(name)}`;

/**
 * What shows the primary image of a removed vehicle: its address, or the small picture of a photo, of which nothing else
 * is delivered. Images of earlier versions have no small picture.
 */
export const pictureOf = (db: SqlDatabase): AliasedRawBuilder<string | null, "picture"> =>
  sql<string | null>`(SELECT CASE WHEN substr(${field("image_url")}, 1, 6) = 'photo:' THEN ${field("placeholder")}
      ELSE ${field("image_url")} END
    FROM ${db.engine === "postgres" ? sql`json_array_elements(CAST(images AS json))` : sql`json_each(images)`} AS image
    ORDER BY ${field("is_primary")} DESC, CAST(${field("display_order")} AS BIGINT), CAST(${field("id")} AS BIGINT)
    LIMIT 1)`.as("picture");
