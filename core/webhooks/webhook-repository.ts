import type { DealerScope } from "../access/decide.ts";
import type { Actor, Principal } from "../access/principal.ts";
import type { ScopedChange } from "../access/scoped-change.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure } from "../failure.ts";
import type { CursorPage, ListPosition } from "../imports/import-repository.ts";
import type { NoticeReceiver } from "../keys/life.ts";
import type { Role } from "../permissions.ts";
import type { UNKNOWN_DEALER } from "../vehicles/vehicle-repository.ts";
import type { AfterAttempt, Failing } from "./after-attempt.ts";
import type { SentEvent, WebhookEvent } from "./event.ts";
import type { SendingPlaces } from "./places.ts";
import type { Delivery, DeliveryAttempt, DeliveryState, DisabledReason, Webhook, WebhookState } from "./webhook.ts";

/** The fields of a webhook that callers set. */
export interface WebhookFields {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly description: string | null;
  readonly max_per_second: number;
  readonly active: boolean;
}

/** A webhook after a change. */
export interface WebhookChange extends WebhookFields {
  readonly endedBy: Role | null;
}

/** A webhook as it is stored, without its secrets. */
export interface StoredWebhook extends WebhookFields {
  readonly dealerId: number | null;
  /** The rank that switched it off; `null` if it is active. */
  readonly endedBy: Role | null;
  readonly disabledReason: DisabledReason | null;
}

/** The result if a dealer, or nobody in particular, has the maximum number of webhooks. */
export const TOO_MANY_WEBHOOKS = Symbol("too many webhooks");

interface Page {
  readonly scope: DealerScope;
  readonly limit: number;
  readonly after: ListPosition | null;
}

/** Stored webhooks. Methods with a scope put it into the WHERE of their statements. Whoever changes one is its maker. */
export interface WebhookRepository {
  /** Creates a webhook, unless there are `most` of its dealer already. */
  insert(made: {
    readonly dealerId: number | null;
    readonly most: number;
    readonly webhook: WebhookChange;
    readonly secret: string;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<Webhook | typeof UNKNOWN_DEALER | typeof TOO_MANY_WEBHOOKS>;
  find(id: number, scope: DealerScope): Promise<Webhook | null>;
  list(
    page: Page & { readonly dealerId?: number; readonly state?: WebhookState },
  ): Promise<CursorPage<Webhook, ListPosition>>;
  /**
   * Changes a webhook; `null` if there is none in scope. `restarts` forgets its failures. Messages that wait fail if it
   * is switched off.
   */
  update(
    changed: ScopedChange & {
      readonly restarts: boolean;
      readonly decide: (stored: StoredWebhook) => WebhookChange | Failure;
    },
  ): Promise<Webhook | Failure | null>;
  /** Gives it a new secret. The one before signs along until `graceEnds`. `null` if there is none in scope. */
  rotate(rotated: ScopedChange & { readonly secret: string; readonly graceEnds: Timestamp }): Promise<Webhook | null>;
  /** Removes a webhook with its messages; false if there is none in scope. */
  remove(removed: ScopedChange): Promise<boolean>;
  /** Queues a message that tells nothing; `null` if there is no such webhook in scope. */
  test(asked: ScopedChange): Promise<Delivery | null>;
  /**
   * Queues again what failed since a time, and what was not sent, up to 10 000 changes; the number of both. `null` if
   * there is no such webhook in scope.
   */
  recover(asked: ScopedChange & { readonly since: Timestamp }): Promise<number | null>;
  /** The messages of a webhook, newest first; `null` if there is no such webhook in scope. */
  deliveries(
    asked: Page & { readonly id: number; readonly state?: DeliveryState },
  ): Promise<CursorPage<Delivery, ListPosition> | null>;
  /** Queues one message again; `null` if there is none in scope. */
  redeliver(asked: ScopedChange & { readonly deliveryId: number }): Promise<Delivery | null>;
}

/** A message that this process sends now. */
export interface ClaimedDelivery {
  readonly id: number;
  readonly webhookId: number;
  readonly dealerId: number | null;
  readonly owner: string;
  readonly url: string;
  readonly event: SentEvent;
  readonly message: string;
  readonly body: string;
  /** The secrets to sign with, the current one first. Empty if they were sealed with a key that is gone. */
  readonly secrets: readonly string[];
  /** The number of tries so far. */
  readonly tries: number;
}

/** A webhook whose state people are told of. */
export interface ReportedWebhook {
  readonly id: number;
  readonly dealerId: number | null;
  readonly description: string | null;
  readonly problem: string;
  /** Whom a notice is mailed to: who changed it last; `null` if nobody is known. */
  readonly receiver: NoticeReceiver | null;
}

/** What sending messages needs from the database. */
export interface WebhookWork {
  /**
   * Makes messages of some of the queued changes, for the webhooks that are to be told; false if none is left. A webhook
   * whose maker may not read its vehicles any more is switched off and reported.
   */
  spread(mayRead: (maker: Principal | null, webhook: StoredWebhook) => boolean): Promise<{
    readonly isMore: boolean;
    readonly reported: readonly ReportedWebhook[];
  }>;
  /**
   * Claims messages that are due, as many of each webhook as it takes at once and in a second, and takes a place for each.
   * A message whose event the webhook's maker may not be told of any more fails.
   */
  claim(
    places: SendingPlaces,
    mayRead: (maker: Principal | null, webhook: StoredWebhook) => boolean,
  ): Promise<{ readonly claimed: readonly ClaimedDelivery[]; readonly reported: readonly ReportedWebhook[] }>;
  /** Stores a try, unless another process has the message by now. Returns the webhook if it is to be reported. */
  finish(
    claimed: ClaimedDelivery,
    attempt: DeliveryAttempt,
    decide: (before: Failing) => AfterAttempt,
  ): Promise<ReportedWebhook | null>;
  /** Deletes some messages that are older than this time; false if none is left. */
  forget(before: Timestamp): Promise<boolean>;
}
