import type { Actor } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import { looksLikeKey } from "../keys/key-like.ts";
import type { UserRecord } from "../users/user.ts";
import type { Client } from "./authenticator.ts";
import { clientActor } from "./client-actor.ts";
import type { EventDetails, SecurityEvents } from "./security-events.ts";

const MAX_AGENT = 200;
/**
 * Failures at unknown addresses have one audit entry per client address in a minute at most, and `STRANGERS_PER_HOUR`
 * in an hour in total.
 */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STRANGERS_PER_HOUR = 60;

/** The user agent as it is recorded, which is withheld if it contains a key. */
export const agentOf = ({ userAgent }: Pick<Client, "userAgent">): EventDetails =>
  userAgent === null ? {} : { user_agent: looksLikeKey(userAgent) ? "withheld" : userAgent.slice(0, MAX_AGENT) };

/**
 * Records sign-ins, sign-outs and failures. Each failure on an account is one entry, and the lockout limits their
 * number. The number of failures at unknown addresses is limited here; those that are left out are counted.
 */
export const makeSignInRecord = ({ events, clock }: { readonly events: SecurityEvents; readonly clock: Clock }) => {
  const lastRecordedMs = new Map<string, number>();
  let hourBeganMs = Number.NEGATIVE_INFINITY;
  let inThisHour = 0;
  let leftOut = 0;

  /** True if a failure at an unknown address can still be recorded. */
  const isRecorded = (address: string): boolean => {
    const nowMs = clock.steadyMs();
    if (nowMs - hourBeganMs >= HOUR_MS) {
      hourBeganMs = nowMs;
      inThisHour = 0;
      lastRecordedMs.clear();
    }
    const last = lastRecordedMs.get(address) ?? Number.NEGATIVE_INFINITY;
    if (inThisHour >= STRANGERS_PER_HOUR || nowMs - last < MINUTE_MS) return false;
    lastRecordedMs.set(address, nowMs);
    inThisHour++;
    return true;
  };

  return {
    signedIn: (user: UserRecord, client: Client): Promise<void> =>
      events.record({
        event: "session.started",
        concerned: user,
        by: clientActor(client, user),
        details: agentOf(client),
      }),

    signedOut: (user: UserRecord, client: Client, by: Actor): Promise<void> =>
      events.record({ event: "session.ended", concerned: user, by, details: agentOf(client) }),

    failed(user: UserRecord | null, client: Client, wrong: "password" | "code"): void {
      if (user !== null) {
        events.recordInBackground({
          event: "user.sign-in-failed",
          concerned: user,
          by: clientActor(client, user),
          details: {
            ...agentOf(client),
            wrong,
          },
        });
        return;
      }
      if (!isRecorded(client.limitedAs)) {
        leftOut++;
        return;
      }
      const details = { ...agentOf(client), wrong: "address", ...(leftOut > 0 && { left_out: leftOut }) };
      leftOut = 0;
      events.recordInBackground({
        event: "user.sign-in-failed",
        concerned: { id: null, dealerId: null, name: null },
        by: clientActor(client, null),
        details,
      });
    },
  };
};

export type SignInRecord = ReturnType<typeof makeSignInRecord>;
