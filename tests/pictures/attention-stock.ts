import type { Api } from "../support/client.ts";
import { connect } from "../support/engines.ts";
import { create } from "../support/sample-records.ts";

const WEBHOOKS = [
  {
    url: "https://search.example.com/hooks/inventory",
    events: ["vehicle.created", "vehicle.updated", "vehicle.price_changed", "vehicle.sold", "vehicle.removed"],
    dealer_id: null,
    description: "Search index of the website",
  },
  { url: "https://crm.example.com/vehicles", events: ["vehicle.sold"], dealer_id: 1, description: "Harbor's CRM" },
  { url: "https://hooks.example.com/t/5Jc2", events: ["import.finished", "feed.held"], dealer_id: 2 },
] as const;

/** What became of the messages of the first webhook: the event, and the status and milliseconds of each try. */
const MESSAGES = [
  ["vehicle.created", "2026-03-16T08:41:07.120Z", [[200, 84]]],
  ["vehicle.sold", "2026-03-16T09:05:33.410Z", [[503, 31]]],
  [
    "vehicle.price_changed",
    "2026-03-16T09:12:50.902Z",
    [
      [503, 29],
      [200, 91],
    ],
  ],
] as const;

const ANSWERS: Readonly<Record<number, string>> = { 200: "ok", 503: "The index is being rebuilt" };

/** Creates webhooks with messages that nothing sends: one works, one fails, and one was switched off. */
export const stockWebhooks = async (api: Api, databaseUrl: string): Promise<void> => {
  for (const webhook of WEBHOOKS) await create(api, "/api/webhooks", { ...webhook, active: false });
  const db = connect(databaseUrl);
  await db.migrate(async (run) => {
    for (const [place, [event, at, tries]] of MESSAGES.entries()) {
      const attempts = tries.map(([status, ms]) => ({ at, status, ms, response: ANSWERS[status] }));
      const isDelivered = attempts.at(-1)?.status === 200;
      await run(`INSERT INTO webhook_deliveries
        (webhook_id, source, event, message, state, body, tries, attempts, next_at, created_at)
        VALUES (1, 'invented ${place}', '${event}', 'msg_${place}', '${isDelivered ? "delivered" : "pending"}', '{}', ${tries.length},
          '${JSON.stringify(attempts)}', ${isDelivered ? "NULL" : "'2026-03-16T10:20:00.000Z'"}, '${at}')`);
    }
    await run("UPDATE webhooks SET active = 1, ended_by = NULL, waiting = 1 WHERE id = 1");
    await run(`UPDATE webhooks SET active = 1, ended_by = NULL, failures = 6, waiting = 2,
      failing_since = '2026-03-15T04:10:00.000Z' WHERE id = 2`);
    await run("UPDATE webhooks SET disabled_reason = 'gone' WHERE id = 3");
  });
  await db.close();
};

/** Notes that nobody uses the last key, which is about to be switched off. */
export const noteUnused = async (databaseUrl: string): Promise<void> => {
  const db = connect(databaseUrl);
  await db.migrate(
    async (run) =>
      void (await run(`UPDATE api_keys SET idle_noticed_at = '2026-03-16T10:14:30.000Z',
        owner_email = 'systems@cedar-ridge.example.com' WHERE app_id = 'service-desk'`)),
  );
  await db.close();
};
