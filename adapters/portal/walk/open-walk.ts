import { admit } from "../../../core/access/decide.ts";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import type { Settings } from "../../../core/settings/installation.ts";
import { ApiError, read } from "../api/client.ts";
import type { Session } from "../api/responses.ts";
import { bindingOf, powersOf } from "../session/powers.ts";
import { dateOf } from "../times/dates.ts";
import { mayReadToday } from "../today/first-dealer.ts";
import { forgetVehicles, forgetWalk, keepWalk, readKept } from "./device.ts";
import { readLot, readSession } from "./portal-service.ts";
import { type Kept, resumed, type WalkState } from "./walk-state.ts";

/** How the page begins. `unsent` is how many actions wait on the device. */
export type Opened =
  | { readonly is: "walk"; readonly state: WalkState; readonly isRead: boolean }
  /** Somebody else's actions are not sent. */
  | { readonly is: "signed-out" | "others" | "unreachable"; readonly unsent: number }
  | { readonly is: "refused"; readonly words: string };

const today = (): string => dateOf(new Date().toISOString());

const NO_RIGHT = "You may not see what is on this lot.";

/** What is kept of today's walk, for when nobody answers. */
const keptFor = (before: WalkState | null, dealerId: number): Opened => {
  const unsent = before?.actions.length ?? 0;
  const isOfToday = before?.kept.dealerId === dealerId && before.kept.day === today();
  return before !== null && isOfToday && before.kept.vehicles.length > 0
    ? { is: "walk", state: before, isRead: false }
    : { is: "unreachable", unsent };
};

const isUnanswered = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

const readWalk = async (
  dealerId: number,
  { user, dealer }: Session,
): Promise<Omit<Kept, "steps" | "lastKey" | "touched">> => {
  const [{ currency }, vehicles, name] = await Promise.all([
    read<Settings>("/settings"),
    readLot(dealerId),
    dealer?.id === dealerId ? dealer.name : read<Dealer>(`/dealers/${dealerId}`).then((one) => one.name),
  ]);
  const mayChange = admit(powersOf(user), "image.add") === null;
  const isOwn = bindingOf(user) !== null;
  return { userId: user.id, dealerId, dealerName: name, day: today(), currency, isOwn, mayChange, vehicles };
};

const withSession = async (dealerId: number, session: Session, before: WalkState | null): Promise<Opened> => {
  const isOthers = before !== null && before.kept.userId !== session.user.id;
  if (isOthers && before.actions.length > 0) return { is: "others", unsent: before.actions.length };
  if (isOthers) await forgetWalk();
  if (!mayReadToday(session.user)) {
    await forgetVehicles();
    return { is: "refused", words: NO_RIGHT };
  }
  const state = resumed(isOthers ? null : before, await readWalk(dealerId, session));
  await keepWalk(state.kept);
  return { is: "walk", state, isRead: true };
};

/** Opens the walk through a dealer's lot: as it is now, or, when nobody answers, as it is kept on the device. */
export const openWalk = async (dealerId: number): Promise<Opened> => {
  const before = await readKept();
  try {
    const session = await readSession(keptFor(before, dealerId).is === "walk");
    if (session === null) {
      await forgetVehicles();
      return { is: "signed-out", unsent: before?.actions.length ?? 0 };
    }
    return await withSession(dealerId, session, before);
  } catch (error) {
    if (isUnanswered(error)) return keptFor(before, dealerId);
    if (error instanceof ApiError) return { is: "refused", words: error.status === 403 ? NO_RIGHT : error.sentence };
    throw error;
  }
};
