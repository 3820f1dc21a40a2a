import type { Principal } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import type { ImageRules } from "../images/image-list.ts";
import { JsonRecord } from "../stored-json.ts";
import { NO_DUPLICATES } from "../vehicles/duplicates.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { NewVehicleFields } from "../vehicles/vehicle-repository.ts";
import { baseAfter } from "./bases.ts";
import { readBatch } from "./batch-reading.ts";
import type { RowReads, RowStep } from "./import-repository.ts";
import type { Base } from "./merge.ts";
import type { BatchContext, LoadedBatch, ReadRow, RowResult } from "./row-decision.ts";
import { setImages } from "./row-images.ts";
import { comparedOf, decidedRow, newPhotosOf, planOf, type ReadForPlan, type RowPlan } from "./row-plan.ts";

/** What a row says of the vehicle that it creates, in the form in which fields are stored. */
const saidOfNew = (sent: ReadRow["values"]["fields"], fields: NewVehicleFields): Base => {
  const said: Record<string, unknown> = {};
  for (const field of Object.keys(sent)) said[field] = fields[field as keyof NewVehicleFields] ?? null;
  return said;
};

/** The time after which other work may run in between, even within a transaction. */
export const TURN_MS = 2;

/** The number of changed images after which a transaction ends, as other writers are waiting. */
const MAX_IMAGES_PER_TRANSACTION = 200;

/** An upper bound of the number of images that a row removed or added. */
const changedImages = ({ changes }: RowResult): number =>
  (changes.images ?? []).reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);

/** Reads what a plan is decided by beside its batch. Nothing more is read of a row that is refused already. */
const readFor = async (reads: RowReads, plan: RowPlan, batch: LoadedBatch): Promise<ReadForPlan> => {
  const compared = comparedOf(plan, batch);
  const duplicates =
    compared === null ? NO_DUPLICATES : await reads.refusedDuplicates(compared.vehicle, compared.except);
  const isRefused = duplicates.vin.length + duplicates.stock_number.length > 0;
  for (const address of isRefused ? [] : newPhotosOf(plan))
    if (!(await reads.hasPhoto(plan.dealerId, address))) return { duplicates, namesForeignPhoto: true };
  return { duplicates, namesForeignPhoto: false };
};

interface Parts {
  readonly clock: Clock;
  readonly images: ImageRules;
  /** Lets other work run in between. */
  readonly pause: () => Promise<void>;
}

/** Processes the rows of a batch, or checks what they would change. */
export const makeRows = ({ clock, images: rules, pause }: Parts) => {
  /** Makes the change that was decided, and returns the changed vehicle. */
  const changeVehicle = async (
    { vehicles }: RowStep,
    { decision, dealerId }: RowPlan,
    by: Principal,
  ): Promise<Vehicle> => {
    if (decision.outcome === "unchanged") return decision.vehicle;
    if (decision.outcome === "created") {
      const created = await vehicles.insert(decision.fields, by);
      if (!(created instanceof JsonRecord))
        throw new Error(`dealer ${dealerId} is gone within a transaction that keeps it`);
      return { ...decision.fields, id: created.id };
    }
    const { id } = decision.vehicle;
    const changes = decision.update;
    const updated = await vehicles.update({ id, scope: dealerId, changes, now: clock.now(), versions: null, by });
    if (!(updated instanceof JsonRecord)) throw new Error(`vehicle ${id} is gone within a transaction that locked it`);
    return { ...decision.vehicle, ...changes };
  };

  /** Makes what was decided of a row: the change of its vehicle, what its file said, and its images. */
  const write = async (
    step: RowStep,
    plan: RowPlan,
    { batch, wanted }: { readonly batch: LoadedBatch; readonly wanted: readonly string[] | null },
  ): Promise<number> => {
    const { by, options } = batch;
    const { decision, dealerId, sent, present, images } = plan;
    const vehicle = await changeVehicle(step, plan, by);
    batch.candidates.add(vehicle);
    const said = decision.outcome === "created" ? saidOfNew(sent.fields, decision.fields) : decision.said;
    const base = baseAfter(batch.bases.get(vehicle.id) ?? null, said, images.said);
    if (base !== null) batch.newBases.push({ vehicleId: vehicle.id, dealerId, base });
    if (wanted === null) return vehicle.id;
    const primary = options.images === "exactly" ? (sent.primary ?? sent.images?.[0]) : undefined;
    const isTouched = decision.outcome !== "unchanged";
    await setImages(
      step,
      { vehicleId: vehicle.id, present, wanted, primary, isTouched, most: rules.max },
      { by, dealerId, clock },
    );
    return vehicle.id;
  };

  /** Decides what to do for a row and returns the result. Unless rows are only checked, the change is made. */
  const apply = async (step: RowStep, row: ReadRow, batch: LoadedBatch): Promise<RowResult> => {
    const plan = planOf(row, batch, { clock, rules });
    if ("outcome" in plan) return plan;
    const read = await readFor(step.reads, plan, batch);
    const { result, wanted } = decidedRow(plan, read, { batch, rules });
    if (result.outcome === "failed" || batch.isCheck) return result;
    return { ...result, vehicle_id: await write(step, plan, { batch, wanted }) };
  };

  /**
   * The results of these rows, all within one step. If they change many images, only the first rows are processed; the
   * others need another step.
   */
  return async (step: RowStep, rows: readonly ReadRow[], context: BatchContext): Promise<readonly RowResult[]> => {
    const batch = await readBatch(step.reads, rows, context);
    const { merging = null, newBases } = batch;
    const results: RowResult[] = [];
    let since = clock.steadyMs();
    let changed = 0;
    for (const row of rows) {
      if (clock.steadyMs() - since >= TURN_MS) {
        await pause();
        since = clock.steadyMs();
      }
      const result = await apply(step, row, batch);
      const { outcome, vehicle_id, compared } = result;
      context.seen.add({ dealer_id: row.dealerId, ...compared, vehicle_id, outcome });
      results.push(result);
      changed += context.isCheck ? 0 : changedImages(result);
      if (changed >= MAX_IMAGES_PER_TRANSACTION) break;
    }
    if (merging !== null && newBases.length > 0) {
      await pause();
      await step.storeBases(merging.source, newBases, clock.now());
    }
    await pause();
    return results;
  };
};
