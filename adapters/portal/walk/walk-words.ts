import { formatCount } from "../page/counts.ts";
import { priceFormat } from "../settings/amount-formats.ts";
import type { ShownWalk } from "./walk.ts";
import { type Action, waitingActions } from "./walk-state.ts";

/** What an action does, in words. */
export const actionInWords = (action: Action, currency: string): string => {
  if (action.kind === "price") return `price to ${priceFormat(currency)(action.price)}`;
  return action.kind === "photo" ? "a photo" : "undo";
};

/** How many actions wait, in words: "3 actions". */
export const unsentInWords = (count: number): string => formatCount(count, "action");

/** Where the actions of a walk are: one sentence, or none while nothing is to be said. */
export const sendingInWords = ({ state, sending, fault }: ShownWalk): string => {
  if (fault !== null) return fault;
  const waiting = waitingActions(state).length;
  // A card that comes back is read again.
  if (waiting === 0 && sending.is === "sending") return "Sending…";
  // What was refused says so itself.
  if (waiting === 0) return state.kept.lastKey === 0 || state.actions.length > 0 ? "" : "All is sent.";
  const isOne = waiting === 1;
  const kept = `${unsentInWords(waiting)} ${isOne ? "waits" : "wait"} on this device`;
  if (sending.is === "later") return `${kept}, and ${isOne ? "is" : "are"} sent when the service answers.`;
  if (sending.is === "signed-out") return `${kept}. Sign in again, and ${isOne ? "it is" : "they are"} sent.`;
  return `Sending ${unsentInWords(waiting)}…`;
};
