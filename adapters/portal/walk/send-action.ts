import type { Issue } from "../../../core/issues.ts";
import type { Action, KeptPhoto, Sent, WalkedVehicle } from "./walk-state.ts";

/** How the service refuses, or says that nobody answered (status 0). */
interface Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly sentence: string;
  readonly details: readonly Issue[];
  readonly retrySeconds: number | null;
}

const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && "status" in error && "sentence" in error && "details" in error;

/** What is asked of the service for a walk. Each rejects with a refusal. */
export interface WalkService {
  /** The id of the user whose session this is. */
  readonly user: () => Promise<number>;
  readonly vehicle: (id: number, signal?: AbortSignal) => Promise<WalkedVehicle>;
  /** Sets the price of a vehicle of this version; the id of the change, or why it was not made. */
  readonly setPrice: (
    id: number,
    price: number,
    version: string,
  ) => Promise<
    { readonly changeId: string | null } | { readonly fault: "version" | "gone" | { readonly words: string } }
  >;
  /**
   * Adds a photo; the id of its image, or `null` if the vehicle had this photo already. The one of an earlier try
   * counts as added now.
   */
  readonly addPhoto: (id: number, photo: KeptPhoto, isRepeated: boolean) => Promise<number | null>;
  /** Reverts a change of the vehicle; why not, or `null`. */
  readonly revert: (changeId: string) => Promise<string | null>;
  readonly removeImage: (id: number, imageId: number) => Promise<void>;
  /** A price in words. */
  readonly inWords: (price: number) => string;
}

/** What came of sending an action. */
export type Outcome =
  | { readonly is: "sent"; readonly sent: Sent | null }
  | { readonly is: "refused"; readonly words: string }
  /** Nobody answers, or not now: it is sent again later. */
  | { readonly is: "later"; readonly words: string; readonly seconds: number }
  | { readonly is: "signed-out" };

const RETRY_SECONDS = 30;
/** Refusals of a moment. */
const PASSING = [0, 408, 429];
/** Refusals that stay, although they are faults of the service: photos are not taken here, and there is no room. */
const FINAL = [501, 507];

const MISSING = "It is no longer there. Nothing is left to do.";
const NO_RIGHT = "You may not change this vehicle any more. Ask whoever looks after your users, and send it again.";

/** What an error means for an action that was sent. */
const outcomeOf = (error: unknown): Outcome => {
  if (!isRefusal(error)) return { is: "refused", words: "Something went wrong in this page." };
  const { status, code, sentence, details, retrySeconds } = error;
  if (code === "signed_out" || status === 401) return { is: "signed-out" };
  if (PASSING.includes(status) || (status >= 500 && !FINAL.includes(status)))
    return { is: "later", words: sentence, seconds: retrySeconds ?? RETRY_SECONDS };
  if (status === 403) return { is: "refused", words: code === "permission_missing" ? NO_RIGHT : sentence };
  if (status === 404) return { is: "refused", words: MISSING };
  const issues = details.map(({ path, message }) => (path === "file" ? `The photo ${message}` : message));
  return { is: "refused", words: (issues.length > 0 ? issues.join("; ") : sentence).replace(/\.?$/, ".") };
};

const DONE: Outcome = { is: "sent", sent: null };

/** True if a vehicle still is what the card showed when its price was decided. */
const isAsSeen = (seen: WalkedVehicle, now: WalkedVehicle): boolean =>
  seen.price === now.price &&
  seen.status === now.status &&
  seen.title === now.title &&
  seen.stock_number === now.stock_number;

/**
 * Sets the price if the vehicle is of the version that was seen. One of another version may have it from this walk: an
 * answer that was lost, or a photo that came before. Otherwise somebody else changed it.
 */
const sendPrice = async (
  action: Extract<Action, { kind: "price" }>,
  { service, touched, wasTriedBefore }: Sending,
): Promise<Outcome> => {
  const { vehicleId, price, seen } = action;
  const first = await service.setPrice(vehicleId, price, seen.updated_at);
  if ("changeId" in first) return { is: "sent", sent: first };
  if (first.fault === "gone") return { is: "refused", words: MISSING };
  if (first.fault !== "version") return { is: "refused", words: first.fault.words };
  const now = await service.vehicle(vehicleId);
  if (wasTriedBefore && now.price === price) return { is: "sent", sent: { before: seen.price, price } };
  const changed = `Somebody changed it meanwhile: its price is ${service.inWords(now.price)} now. Look at its card again, or leave it.`;
  if (!touched.includes(vehicleId) || !isAsSeen(seen, now)) return { is: "refused", words: changed };
  const second = await service.setPrice(vehicleId, price, now.updated_at);
  return "changeId" in second ? { is: "sent", sent: second } : { is: "refused", words: changed };
};

const sendUndo = async (
  { vehicleId, sent }: Extract<Action, { kind: "undo" }>,
  service: WalkService,
): Promise<Outcome> => {
  if (sent === null) return DONE;
  if ("imageId" in sent) {
    if (sent.imageId !== null)
      await service.removeImage(vehicleId, sent.imageId).catch((error) => {
        // It is gone, as it should be.
        if (!isRefusal(error) || error.status !== 404) throw error;
      });
    return DONE;
  }
  if ("before" in sent) {
    const now = await service.vehicle(vehicleId);
    if (now.price === sent.before) return DONE;
    const answer = now.price === sent.price ? await service.setPrice(vehicleId, sent.before, now.updated_at) : null;
    return answer !== null && "changeId" in answer
      ? DONE
      : { is: "refused", words: "Not undone. Somebody changed it meanwhile." };
  }
  const reason = sent.changeId === null ? null : await service.revert(sent.changeId);
  return reason === null ? DONE : { is: "refused", words: `Not undone. ${reason}` };
};

/** What is known when an action is sent. */
export interface Sending {
  readonly service: WalkService;
  /** Vehicles that this walk has changed since their cards were read. */
  readonly touched: readonly number[];
  /** True if it was sent before without an answer. */
  readonly wasTriedBefore: boolean;
}

/** Why nothing can be sent now as the user whose walk it is; `null` if it can. Nobody else sends it. */
export const whyNotNow = async (service: WalkService, userId: number): Promise<Outcome | null> => {
  try {
    return (await service.user()) === userId ? null : { is: "signed-out" };
  } catch (error) {
    const outcome = outcomeOf(error);
    return outcome.is === "refused" ? { is: "later", words: outcome.words, seconds: RETRY_SECONDS } : outcome;
  }
};

/** Sends an action. */
export const sendAction = async (action: Action, sending: Sending): Promise<Outcome> => {
  const { service, wasTriedBefore } = sending;
  try {
    switch (action.kind) {
      case "price":
        return await sendPrice(action, sending);
      case "photo":
        return {
          is: "sent",
          sent: { imageId: await service.addPhoto(action.vehicleId, action.photo, wasTriedBefore) },
        };
      default:
        return await sendUndo(action, service);
    }
  } catch (error) {
    return outcomeOf(error);
  }
};
