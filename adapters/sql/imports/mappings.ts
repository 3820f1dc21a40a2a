import type { ScopedChange } from "../../../core/access/scoped-change.ts";
import type { OwnColumns } from "../../../core/imports/headings/columns.ts";
import type { Mapping } from "../../../core/imports/mapping.ts";
import type { MappingRepository } from "../../../core/imports/mapping-repository.ts";
import type { OwnValues } from "../../../core/imports/values/own-values.ts";
import { UNKNOWN_DEALER } from "../../../core/vehicles/vehicle-repository.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { type Filtering, newestFirstPages } from "../query/newest-first.ts";
import { isWithin } from "../query/scope.ts";
import type { NewRow, Row } from "../query/tables.ts";
import { basesInOrder } from "../sources/locked-bases.ts";

/** The columns of a new mapping. */
export const INSERTED = ["dealer_id", "name", "columns", "word_values", "created_at", "updated_at"] as const;
const COLUMNS = ["id", ...INSERTED] as const;

const mappingOf = ({ columns, word_values: values, ...row }: Row<"import_mappings">): Mapping => ({
  id: row.id,
  dealer_id: row.dealer_id,
  name: row.name,
  columns: JSON.parse(columns) as OwnColumns,
  // A mapping of a version before has none.
  values: values === null ? {} : (JSON.parse(values) as OwnValues),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

const mappingIn = (on: Queries, { id, scope }: Pick<ScopedChange, "id" | "scope">) =>
  on.selectFrom("import_mappings").select(COLUMNS).where("id", "=", id).where(isWithin(scope));

/** Mappings in SQL; see the port for what it guarantees. */
export const makeMappingRepository = (db: SqlDatabase): MappingRepository => {
  const audit = auditTrail(db);
  const lockBases = basesInOrder(db, "mapping");
  const pages = newestFirstPages(
    db,
    { table: "import_mappings", texts: ["columns", "word_values"] },
    ({ has, param }: Filtering<{ dealer: number }>) =>
      db
        .selectFrom("import_mappings")
        .select(COLUMNS)
        .$if(has("dealer"), (query) => query.where("dealer_id", "=", param("dealer"))),
  );

  return {
    insert: (mapping, by) =>
      db.write(async (tx) => {
        const { columns, values, ...others } = mapping;
        const { dealer_id: dealer, created_at: at } = others;
        const owner = tx.selectFrom("dealers").select("id").where("id", "=", dealer).modifyEnd(db.forKeyShare);
        if ((await owner.executeTakeFirst()) === undefined) return UNKNOWN_DEALER;
        const row = await tx
          .insertInto("import_mappings")
          .values({
            ...others,
            columns: JSON.stringify(columns),
            word_values: JSON.stringify(values),
          } satisfies NewRow<"import_mappings">)
          .returning(COLUMNS)
          .executeTakeFirstOrThrow();
        const after = mappingOf(row);
        await audit(tx, {
          ...{ at, by, action: "mapping.created", resourceId: after.id, dealerId: dealer, before: null },
          after,
        });
        return after;
      }),

    async find(wanted) {
      const row = await mappingIn(db, wanted).executeTakeFirst();
      return row === undefined ? null : mappingOf(row);
    },

    async list({ scope, dealerId, limit, after }) {
      const dealer = scope ?? dealerId ?? null;
      const { rows, ...page } = await pages({ dealer, filters: dealer === null ? {} : { dealer }, limit, after });
      return { items: rows.map(mappingOf), ...page };
    },

    change: ({ id, scope, now, by }, decide) =>
      db.write(async (tx) => {
        const row = await mappingIn(tx, { id, scope }).modifyEnd(db.forUpdate).executeTakeFirst();
        if (row === undefined) return null;
        const before = mappingOf(row);
        const after = decide(before);
        const { name, columns, values, updated_at } = after;
        await tx
          .updateTable("import_mappings")
          .set({ name, columns: JSON.stringify(columns), word_values: JSON.stringify(values), updated_at })
          .where("id", "=", id)
          .where(isWithin(scope))
          .execute();
        const dealerId = before.dealer_id;
        await audit(tx, { at: now, by, action: "mapping.changed", resourceId: id, dealerId, before, after });
        return after;
      }),

    remove: ({ id, scope, now, by }) =>
      db.write(async (tx) => {
        const row = await mappingIn(tx, { id, scope }).modifyEnd(db.forUpdate).executeTakeFirst();
        if (row === undefined) return false;
        const before = mappingOf(row);
        await lockBases(tx, id);
        await tx.deleteFrom("import_mappings").where("id", "=", id).where(isWithin(scope)).execute();
        const dealerId = before.dealer_id;
        await audit(tx, { at: now, by, action: "mapping.removed", resourceId: id, dealerId, before, after: null });
        return true;
      }),
  };
};
