import { sql } from "kysely";
import { foldLetters } from "../../../core/search/words.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";
import { vehicleSpellings } from "../search/spellings.ts";

/** So few that other writers wait only briefly. */
const BATCH = 200;

/**
 * Puts makes and models that are not ASCII into the form in which they are compared now, without regard to accents,
 * and folds the spellings that a migration stored. The vehicles are found by their few different forms, not one by one.
 */
export const refoldVehicles = async (db: SqlDatabase): Promise<void> => {
  const spellings = vehicleSpellings(db);
  for (const column of ["make_folded", "model_folded"]) {
    const form = sql.ref(column);
    const next = (beyond: ReturnType<typeof sql>) => sql`(SELECT min(${form}) FROM vehicles WHERE ${form} > ${beyond})`;
    const forms = sqlStatement(
      db,
      sql<{ form: string }>`WITH RECURSIVE forms (form) AS (
          SELECT ${next(sql`''`)} UNION ALL SELECT ${next(sql`forms.form`)} FROM forms WHERE forms.form IS NOT NULL
        ) SELECT form FROM forms WHERE length(form) <> octet_length(form)`,
    );
    const some = sqlStatement(
      db,
      sql<{ id: number }>`SELECT id FROM vehicles WHERE ${form} = ${param("form")} AND id > ${param("after")}
        ORDER BY id LIMIT ${sql.lit(BATCH)}`,
    );
    for (const { form: before } of await db.all(forms, {})) {
      if (foldLetters(before) === before) continue;
      for (let after: number | undefined = 0; after !== undefined; ) {
        const ids: number[] = (await db.all(some, { form: before, after })).map(({ id }) => id);
        if (ids.length > 0) await db.write((tx) => spellings.mend(tx, ids));
        after = ids.at(-1);
      }
    }
  }
  await spellings.fold();
};
