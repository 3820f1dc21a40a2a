import { guardedEgress } from "../../adapters/egress/client.ts";
import { webhookRoutes } from "../../adapters/http/api/webhooks.ts";
import { makeWebhookRepository } from "../../adapters/sql/webhooks/repository.ts";
import { makeWebhookWork } from "../../adapters/sql/webhooks/work.ts";
import { recurring } from "../../adapters/system/recurring.ts";
import { webhookSigning } from "../../adapters/system/webhook-signing.ts";
import { Tally } from "../../core/tally.ts";
import { ATTEMPT_RESULTS, makeWebhookSending } from "../../core/webhooks/sending.ts";
import { makeWebhooks } from "../../core/webhooks/webhooks.ts";
import { type BackgroundWork, type Feature, type Http, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

const SEND_MS = 1000;
const FORGET_MS = 60 * 60_000;

/** Other services that are told of changes. */
export const wireWebhooks = ({ db, clock, dealers, sealing, egressAllow, warnOfWebhook }: Shared) => {
  const egress = guardedEgress({ allowed: egressAllow, clock });
  const parts = { clock, sealing, signing: webhookSigning };
  let report: (error: unknown) => void = () => {};
  const attempts = new Tally(ATTEMPT_RESULTS);
  const sending = makeWebhookSending({
    work: makeWebhookWork(db, parts),
    egress,
    signing: webhookSigning,
    clock,
    chance: Math.random,
    nudge: () => turns.soon(),
    warn: warnOfWebhook,
    count: (result) => attempts.add(result),
  });
  const turns = recurring(clock, SEND_MS, () => sending.run((error) => report(error)));
  const sendingWork: BackgroundWork = {
    start({ failed }) {
      report = failed;
      turns.start(failed);
    },
    async stop() {
      await turns.stop();
      await sending.stop();
    },
  };
  const webhooks = makeWebhooks({
    webhooks: makeWebhookRepository(db, parts),
    dealers,
    signing: webhookSigning,
    egress,
    clock,
  });
  return {
    uses: { webhooks },
    routes: ({ cursors }: Http) => webhookRoutes(webhooks, cursors),
    works: [sendingWork, reportingFailures(recurring(clock, FORGET_MS, sending.forget))],
    counted: [
      {
        name: "inventory_webhook_attempts_total",
        help: "Tries to send messages of webhooks, by result.",
        label: "result",
        tally: attempts,
      },
    ],
  } satisfies Feature;
};
