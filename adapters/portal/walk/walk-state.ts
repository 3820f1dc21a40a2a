import type { Image } from "../../../core/images/image.ts";
import type { Settings } from "../../../core/settings/installation.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";

/** What a card shows of a vehicle, and the version that it shows. */
export interface WalkedVehicle
  extends Pick<
    Vehicle,
    "id" | "title" | "year" | "make" | "model" | "stock_number" | "price" | "status" | "listed_at" | "updated_at"
  > {
  readonly image: Pick<Image, "image_url" | "width" | "height" | "placeholder" | "variants"> | null;
}

/** A photo that waits on the device. */
export interface KeptPhoto {
  readonly name: string;
  readonly type: string;
  readonly bytes: ArrayBuffer;
}

/** What is to be done to a vehicle. */
type Deed =
  | { readonly kind: "price"; readonly price: number; readonly seen: WalkedVehicle }
  | { readonly kind: "photo"; readonly photo: KeptPhoto }
  /** Takes back what another action did. `sent` is `null` until the service has answered that. */
  | { readonly kind: "undo"; readonly of: number; readonly sent: Sent | null };

/** An action that was not sent yet, or not taken. Actions are sent in the order of their keys. */
export type Action = Deed & {
  readonly key: number;
  readonly vehicleId: number;
  /** The vehicle in words. */
  readonly name: string;
  /** True once it was tried: the service may have it, although no answer came. */
  readonly wasTried: boolean;
  /** Why it was refused; `null` if it waits. */
  readonly refused: string | null;
};

/** What came of an action that was sent: by it, it is taken back. */
export type Sent =
  | { readonly changeId: string | null }
  /** `null` if the vehicle had the photo already. */
  | { readonly imageId: number | null }
  /** The answer was lost, but the price is there; the one before comes back by hand. */
  | { readonly before: number; readonly price: number };

/** One press of a button, so that the last can be taken back. */
interface Step {
  readonly vehicleId: number;
  /** The vehicle in words. */
  readonly name: string;
  readonly kind: "price" | "hold" | "photo";
  /** The key of its action; `null` if it has none. */
  readonly key: number | null;
  readonly sent: Sent | null;
}

/** A walk as it is kept on the device, of one user through the lot of one dealer on one day. */
export interface Kept {
  readonly userId: number;
  readonly dealerId: number;
  readonly dealerName: string;
  readonly day: string;
  readonly currency: Settings["currency"];
  /** True for users who see no other dealer. */
  readonly isOwn: boolean;
  /** False for users who may only look. */
  readonly mayChange: boolean;
  /** Oldest first. */
  readonly vehicles: readonly WalkedVehicle[];
  readonly steps: readonly Step[];
  readonly lastKey: number;
  /** Vehicles that this walk has changed: their versions are others than the cards show. */
  readonly touched: readonly number[];
}

/** A walk with its actions that are not sent, or were refused. */
export interface WalkState {
  readonly kept: Kept;
  readonly actions: readonly Action[];
}

/** Another state, and how the stored one becomes it. */
export interface Change {
  readonly state: WalkState;
  readonly put: readonly Action[];
  readonly remove: readonly number[];
}

/** So many actions, photos and bytes of photos are kept on a device. */
export const LIMITS = { actions: 1000, photos: 60, bytes: 200 * 1024 * 1024 } as const;

const isDone = ({ steps }: Kept, vehicleId: number): boolean =>
  steps.some((step) => step.vehicleId === vehicleId && step.kind !== "photo");

/** The vehicle that the next card shows; `null` at the end of the walk. */
export const presentVehicle = ({ kept }: WalkState): WalkedVehicle | null =>
  kept.vehicles.find(({ id }) => !isDone(kept, id)) ?? null;

/** How far the walk is. */
export const progressOf = ({ kept }: WalkState): { readonly done: number; readonly total: number } => ({
  done: kept.vehicles.filter(({ id }) => isDone(kept, id)).length,
  total: kept.vehicles.length,
});

/** What is still to be sent, without what was refused. */
export const waitingActions = ({ actions }: WalkState): readonly Action[] =>
  actions.filter(({ refused }) => refused === null);

/** Why no more fits on the device; `null` if it does. */
export const whyFull = ({ actions }: WalkState, photoBytes: number | null): string | null => {
  const photos = actions.filter((action) => action.kind === "photo");
  const bytes = photos.reduce((sum, { photo }) => sum + photo.bytes.byteLength, photoBytes ?? 0);
  if (photoBytes !== null && photos.length >= LIMITS.photos)
    return `${LIMITS.photos} photos wait on this device, which are as many as it keeps. Connect it, so that they are sent.`;
  if (photoBytes !== null && bytes > LIMITS.bytes)
    return `The photos that wait would take more than ${LIMITS.bytes / 1024 ** 2} MB of this device. Connect it, so that they are sent.`;
  return actions.length >= LIMITS.actions
    ? `${LIMITS.actions} actions wait on this device, which are as many as it keeps. Connect it, so that they are sent.`
    : null;
};

const changed = (
  state: WalkState,
  kept: Partial<Kept>,
  { put = [], remove = [] }: Partial<Pick<Change, "put" | "remove">> = {},
): Change => {
  const gone = new Set([...remove, ...put.map(({ key }) => key)]);
  const actions = [...state.actions.filter(({ key }) => !gone.has(key)), ...put];
  return {
    state: { kept: { ...state.kept, ...kept }, actions: actions.sort((one, other) => one.key - other.key) },
    put,
    remove,
  };
};

const added = (
  state: WalkState,
  deed: Deed,
  { vehicleId, name, step }: { readonly vehicleId: number; readonly name: string; readonly step: Step["kind"] | null },
): Change => {
  const key = state.kept.lastKey + 1;
  const { steps } = state.kept;
  return changed(
    state,
    { lastKey: key, ...(step !== null && { steps: [...steps, { vehicleId, name, kind: step, key, sent: null }] }) },
    { put: [{ ...deed, key, vehicleId, name, wasTried: false, refused: null }] },
  );
};

/** A vehicle and its name in words. */
interface Named {
  readonly vehicle: WalkedVehicle;
  readonly name: string;
}

/** Another price for the vehicle. Its card is done. */
export const withPrice = (state: WalkState, { vehicle, name }: Named, price: number): Change =>
  added(state, { kind: "price", price, seen: vehicle }, { vehicleId: vehicle.id, name, step: "price" });

/** A photo of the vehicle. Its card stays. */
export const withPhoto = (state: WalkState, { vehicle, name }: Named, photo: KeptPhoto): Change =>
  added(state, { kind: "photo", photo }, { vehicleId: vehicle.id, name, step: "photo" });

/** The vehicle stays as it is. Its card is done. */
export const withHold = (state: WalkState, { vehicle, name }: Named): Change =>
  changed(state, {
    steps: [...state.kept.steps, { vehicleId: vehicle.id, name, kind: "hold", key: null, sent: null }],
  });

/**
 * Takes back the last step. What was never tried is just not sent; what the service may have is taken back there, by
 * another action.
 */
export const withoutLast = (state: WalkState): Change => {
  const { steps } = state.kept;
  const last = steps.at(-1);
  const rest = { ...state.kept, steps: steps.slice(0, -1) };
  if (last === undefined || last.key === null) return changed(state, rest);
  const { key, vehicleId, name, sent } = last;
  const action = state.actions.find((one) => one.key === key);
  if (action !== undefined && (action.refused !== null || !action.wasTried))
    return changed(state, rest, { remove: [key] });
  // It was sent without anything that can be taken back.
  if (action === undefined && sent === null) return changed(state, rest);
  return added({ ...state, kept: rest }, { kind: "undo", of: key, sent }, { vehicleId, name, step: null });
};

/** The action is about to be sent: from now on the service may have it. `null` if it was taken back just before. */
export const withTried = (state: WalkState, { key }: Action): Change | null => {
  const put = state.actions.flatMap((one) => (one.key === key ? [{ ...one, wasTried: true }] : []));
  return put.length === 0 ? null : changed(state, {}, { put });
};

/** The service has taken an action. */
export const withSent = (state: WalkState, { key, vehicleId }: Action, sent: Sent | null): Change => {
  const { steps, touched } = state.kept;
  const undone = state.actions.flatMap((one) => (one.kind === "undo" && one.of === key ? [{ ...one, sent }] : []));
  return changed(
    state,
    {
      steps: steps.map((step) => (step.key === key ? { ...step, sent } : step)),
      touched: touched.includes(vehicleId) ? touched : [...touched, vehicleId],
    },
    { put: undone, remove: [key] },
  );
};

/** The service does not take an action. Nothing is left to take back of one that is not wanted any more. */
export const withRefused = (state: WalkState, action: Action, refused: string): Change => {
  const undone = state.actions.find((one) => one.kind === "undo" && one.of === action.key);
  return undone === undefined
    ? changed(state, {}, { put: [{ ...action, wasTried: true, refused }] })
    : changed(state, {}, { remove: [action.key, undone.key] });
};

/** A refused action is tried once more. */
export const withAgain = (state: WalkState, key: number): Change =>
  changed(state, {}, { put: state.actions.flatMap((one) => (one.key === key ? [{ ...one, refused: null }] : [])) });

/** A refused action is given up, and the card of its vehicle comes back. */
export const withForgotten = (state: WalkState, key: number): Change =>
  changed(state, { steps: state.kept.steps.filter((step) => step.key !== key) }, { remove: [key] });

/** The vehicle as it is now. A price of it that waits was decided on the card before, which this walk may have changed. */
export const withVehicle = (state: WalkState, now: WalkedVehicle): Change => {
  const { vehicles, touched } = state.kept;
  const waits = waitingActions(state).some(({ kind, vehicleId }) => kind === "price" && vehicleId === now.id);
  return changed(state, {
    vehicles: vehicles.map((one) => (one.id === now.id ? now : one)),
    touched: waits ? touched : touched.filter((id) => id !== now.id),
  });
};

/**
 * The walk with the list as it was read just now: on the same day it goes on where it stopped, and on another it begins
 * anew. What is not sent stays in any case.
 */
export const resumed = (before: WalkState | null, read: Omit<Kept, "steps" | "lastKey" | "touched">): WalkState => {
  const goesOn =
    before !== null &&
    before.kept.userId === read.userId &&
    before.kept.dealerId === read.dealerId &&
    before.kept.day === read.day;
  return {
    kept: {
      ...read,
      steps: goesOn ? before.kept.steps : [],
      lastKey: before?.kept.lastKey ?? 0,
      touched: [],
    },
    actions: before?.actions ?? [],
  };
};
