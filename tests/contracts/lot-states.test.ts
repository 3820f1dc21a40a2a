import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { STAGES, type Stage, type Status, type Vehicle } from "../../core/vehicles/fields.ts";
import { lotStateAfter } from "../../core/vehicles/lot-state.ts";
import type { VehicleRepository, VehicleUpdate } from "../../core/vehicles/vehicle-repository.ts";
import { inGate, SEED } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

/** Every status with every stage that it may have. */
const STATES: readonly (readonly [Status, Stage | null])[] = (Object.keys(STAGES) as Status[]).flatMap((status) =>
  [null, ...STAGES[status]].map((stage) => [status, stage] as const),
);

const NOW = momentAfter(100_000);

/** What is sent besides status and stage. */
const besides = fc.record({
  moves: fc.boolean(),
  names: fc.constantFrom("status", "stage", "both", "neither"),
  listed_at: fc.constantFrom(undefined, momentAfter(500)),
  sold_at: fc.constantFrom(undefined, momentAfter(700)),
});

/** The same fields of a vehicle. */
const lotStateOf = ({ status, stage, listed_at, sold_at }: Vehicle) => ({ status, stage, listed_at, sold_at });

for (const engine of ENGINES)
  describe(`the lot state in the database of ${engine.name}`, () => {
    let db: SqlDatabase;
    let vehicles: VehicleRepository;
    let dealers: number[];

    beforeAll(async () => {
      db = await engine.open();
      vehicles = makeVehicleRepository(db);
      const repository = makeDealerRepository(db);
      dealers = [
        (await repository.insert(dealerFields(), OPERATOR)).id,
        (await repository.insert(dealerFields(), OPERATOR)).id,
      ];
    });
    afterAll(() => db.close());

    test("is after each change what the core says, from every state to every other", async () => {
      const [here = 0, there = 0] = dealers;
      const sample = fc.sample(besides, { seed: SEED, numRuns: inGate(1, 20) * STATES.length ** 2 });
      for (const [index, { moves, names, listed_at, sold_at }] of sample.entries()) {
        const [status, stage] = STATES[index % STATES.length] ?? ["available", null];
        const [nextStatus, nextStage] = STATES[Math.floor(index / STATES.length) % STATES.length] ?? [
          "available",
          null,
        ];
        const isSold = status === "sold";
        const record = made(
          await vehicles.insert(
            vehicleFields(here, { status, stage, sold_at: isSold ? momentAfter(600) : null, listed_at: MOMENT }),
            OPERATOR,
          ),
        );
        const changes: VehicleUpdate = {
          mileage: index,
          ...(moves && { dealer_id: there }),
          ...((names === "status" || names === "both") && { status: nextStatus }),
          ...((names === "stage" || names === "both") && { stage: nextStage }),
          ...(listed_at !== undefined && { listed_at }),
          ...(sold_at !== undefined &&
            (names === "stage" || names === "neither" ? isSold : nextStatus === "sold") && { sold_at }),
        };
        const present = record.parse();
        const change = { id: record.id, scope: null, changes, now: NOW, versions: null, by: OPERATOR };
        const after = made(await vehicles.update(change)).parse();
        expect([changes, lotStateOf(after)]).toEqual([changes, lotStateAfter(present, changes, NOW)]);
      }
    });
  });
