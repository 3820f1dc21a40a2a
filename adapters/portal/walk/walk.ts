import { type Outcome, sendAction, type WalkService, whyNotNow } from "./send-action.ts";
import {
  type Change,
  type KeptPhoto,
  presentVehicle,
  type WalkedVehicle,
  type WalkState,
  waitingActions,
  whyFull,
  withAgain,
  withForgotten,
  withHold,
  withoutLast,
  withPhoto,
  withPrice,
  withRefused,
  withSent,
  withTried,
  withVehicle,
} from "./walk-state.ts";

/** Keeps a walk on the device. Nothing is done on the screen before it is kept. */
interface WalkDevice {
  /** Rejects if the device has no room, or if the walk was deleted meanwhile. */
  readonly save: (change: Change) => Promise<void>;
}

/** What the walk says about sending. */
type SendingState =
  | { readonly is: "idle" | "sending" | "signed-out" }
  | { readonly is: "later"; readonly words: string; readonly seconds: number };

/** What a page shows of a walk. */
export interface ShownWalk {
  readonly state: WalkState;
  readonly sending: SendingState;
  /** Why the last press was not kept; `null` if it was. */
  readonly fault: string | null;
  /** Vehicles that are read again: their cards may show them as they were, so that no price is set by them. */
  readonly reading: readonly number[];
}

interface Ports {
  readonly device: WalkDevice;
  readonly service: WalkService;
  /** The vehicle in words. */
  readonly nameOf: (vehicle: WalkedVehicle) => string;
}

/** Nobody answers on a lot with a bad connection: then what is kept is shown. */
export const PATIENCE_MS = 8000;

const NOT_KEPT = "This device could not keep it, so nothing was done. Free some of its room, and try again.";

/** A walk through a lot: what is pressed is kept on the device at once, and sent in its order when somebody answers. */
export class Walk {
  private readonly listeners = new Set<() => void>();
  private shown: ShownWalk;
  /** Changes of the state follow one another. */
  private last: Promise<unknown> = Promise.resolve();
  private isSending = false;

  constructor(
    state: WalkState,
    private readonly ports: Ports,
  ) {
    this.shown = { state, sending: { is: "idle" }, fault: null, reading: [] };
  }

  /** What is shown; another object after each change. */
  readonly read = (): ShownWalk => this.shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Lowers the price of the vehicle on the present card, unless the vehicle is read again. */
  async lower(vehicle: WalkedVehicle, price: number): Promise<void> {
    if (this.shown.reading.includes(vehicle.id)) return;
    await this.press(vehicle, (state, named) => withPrice(state, named, price));
  }

  hold(vehicle: WalkedVehicle): Promise<void> {
    return this.press(vehicle, withHold);
  }

  photo(vehicle: WalkedVehicle, photo: KeptPhoto): Promise<void> {
    return this.press(vehicle, (state, named) => withPhoto(state, named, photo), photo.bytes.byteLength);
  }

  undo(): Promise<void> {
    return this.pressed(withoutLast);
  }

  /** Sends a refused action again. */
  again(key: number): Promise<void> {
    return this.pressed((state) => withAgain(state, key));
  }

  /** Gives a refused action up. The card of its vehicle comes back, and soon shows the vehicle as it is now. */
  async forget(key: number): Promise<void> {
    const action = this.shown.state.actions.find((one) => one.key === key);
    if (action === undefined) return;
    const { vehicleId } = action;
    this.show({ reading: [...this.shown.reading, vehicleId] });
    await this.pressed((state) => withForgotten(state, key));
    await this.lookAgain(vehicleId);
    const { reading } = this.shown;
    this.show({ reading: reading.toSpliced(reading.indexOf(vehicleId), 1) });
  }

  /** Sends what waits, until nobody answers. */
  async send(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    try {
      await this.sendAll();
    } finally {
      this.isSending = false;
    }
  }

  private async sendAll(): Promise<void> {
    for (;;) {
      await this.last;
      const [action] = waitingActions(this.shown.state);
      if (action === undefined) return this.show({ sending: { is: "idle" } });
      this.show({ sending: { is: "sending" } });
      const { service } = this.ports;
      const { userId } = this.shown.state.kept;
      const reason = await whyNotNow(service, userId);
      if (reason !== null) return this.pause(reason);
      // That it may be there is kept before it is sent: a page that ends meanwhile knows it afterwards.
      const isThere = await this.change((state) => withTried(state, action));
      if (!isThere && this.shown.fault !== null) return this.show({ sending: { is: "idle" } });
      // It was taken back just now.
      if (!isThere) continue;
      const { touched } = this.shown.state.kept;
      const outcome = await sendAction(action, { service, touched, wasTriedBefore: action.wasTried });
      if (outcome.is === "later" || outcome.is === "signed-out") return this.pause(outcome);
      await this.change((state) =>
        outcome.is === "sent" ? withSent(state, action, outcome.sent) : withRefused(state, action, outcome.words),
      );
      if (outcome.is === "sent" && action.kind === "undo") await this.lookAgain(action.vehicleId);
    }
  }

  private pause(outcome: Outcome): void {
    if (outcome.is === "later" || outcome.is === "signed-out") this.show({ sending: outcome });
  }

  /** Reads a vehicle whose card comes back; if nobody answers, the card stays as it was. */
  private async lookAgain(vehicleId: number): Promise<void> {
    const now = await this.ports.service.vehicle(vehicleId, AbortSignal.timeout(PATIENCE_MS)).catch(() => null);
    if (now !== null) await this.change((state) => withVehicle(state, now));
  }

  private press(
    vehicle: WalkedVehicle,
    change: (state: WalkState, named: { readonly vehicle: WalkedVehicle; readonly name: string }) => Change,
    photoBytes: number | null = null,
  ): Promise<void> {
    return this.pressed((state) => {
      // A second press, before the next card was there.
      if (presentVehicle(state)?.id !== vehicle.id) return null;
      const full = whyFull(state, photoBytes);
      if (full !== null) throw new Full(full);
      return change(state, { vehicle, name: this.ports.nameOf(vehicle) });
    });
  }

  private async pressed(change: (state: WalkState) => Change | null): Promise<void> {
    this.show({ fault: null });
    await this.change(change);
    void this.send();
  }

  /** Changes the state once it is kept on the device; true if it was. */
  private change(change: (state: WalkState) => Change | null): Promise<boolean> {
    const done = this.last.then(async () => {
      try {
        const made = change(this.shown.state);
        if (made === null) return false;
        await this.ports.device.save(made);
        this.show({ state: made.state });
        return true;
      } catch (error) {
        this.show({ fault: error instanceof Full ? error.message : NOT_KEPT });
        return false;
      }
    });
    this.last = done;
    return done;
  }

  private show(changes: Partial<ShownWalk>): void {
    this.shown = { ...this.shown, ...changes };
    for (const listener of this.listeners) listener();
  }
}

/** The device keeps no more. */
class Full extends Error {}
