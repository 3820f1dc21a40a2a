import type { InventoryError } from "../../client/src/index.ts";

/** What a call rejects with. */
export const failure = <Kind extends InventoryError>(call: PromiseLike<unknown>): Promise<Kind> =>
  Promise.resolve(call).then(
    () => {
      throw new Error("it succeeded");
    },
    (error) => error,
  );
