import { adviceRoutes } from "../../adapters/http/api/advice.ts";
import { makeAdviceRepository } from "../../adapters/sql/advice/repository.ts";
import { makeAdvices } from "../../core/advice/advice.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** What would sell a vehicle, from its dealer's own sales. */
export const wireAdvice = ({ db, vehicles, clock }: Shared) => {
  const advices = makeAdvices({ vehicles, advice: makeAdviceRepository(db), clock });
  return { uses: { advices }, routes: () => adviceRoutes(advices) } satisfies Feature;
};
