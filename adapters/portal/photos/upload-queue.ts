/** How far a photo is: while it is `making`, all of it was sent, and the service makes its variants. */
type UploadState = "waiting" | "sending" | "making" | "failed" | "refused";

/** A photo on its way. Once it has arrived, it is an image and leaves the list. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly state: UploadState;
  /** The share that was sent, from 0 to 1. */
  readonly share: number;
  /** Why it failed or was refused. */
  readonly words: string;
}

/** What is sent with a photo, so that photos stand in the order in which they were chosen. */
export interface PhotoPlace {
  readonly display_order: number;
  /** True for the first photo of a vehicle without images. */
  readonly isFirst: boolean;
}

/** A photo that is to be sent. */
export interface SentPhoto extends PhotoPlace {
  readonly file: File;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

interface Ports {
  /** Resolves when the photo is an image of the vehicle. */
  readonly send: (photo: SentPhoto) => Promise<void>;
  /** Why one was not added, and whether another try could help. */
  readonly explain: (error: unknown) => { readonly words: string; readonly mayHelp: boolean };
  /** Nothing waits or is being sent any more; so many were added since. */
  readonly onIdle: (added: number) => void;
}

/** The service works on so many photos of a user at once. */
const AT_ONCE = 4;

const isOver = ({ state }: Upload): boolean => state === "failed" || state === "refused";

/** Sends photos, several at a time. What fails stays in the list until it is tried again or removed. */
export class UploadQueue {
  private readonly places = new Map<number, PhotoPlace>();
  private readonly stopping = new AbortController();
  private readonly listeners = new Set<() => void>();
  private uploads: readonly Upload[] = [];
  private lastId = 0;
  private nextOrder = 0;
  private added = 0;

  constructor(private readonly ports: Ports) {}

  /** The photos on their way, in the order in which they were chosen; another list after each change. */
  readonly list = (): readonly Upload[] => this.uploads;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Adds photos behind all that were chosen before, and behind the images that the vehicle has. */
  add(files: readonly File[], images: readonly { readonly display_order: number }[]): void {
    const isEmpty = images.length === 0 && this.nextOrder === 0;
    this.nextOrder = Math.max(this.nextOrder, ...images.map(({ display_order }) => display_order + 1));
    const chosen = files.map((file, place): Upload => {
      const id = ++this.lastId;
      this.places.set(id, { display_order: this.nextOrder++, isFirst: isEmpty && place === 0 });
      return { id, file, state: "waiting", share: 0, words: "" };
    });
    this.show([...this.uploads, ...chosen]);
    this.sendNext();
  }

  /** Sends these again. They keep their places among the others. */
  retry(ids: readonly number[]): void {
    this.show(
      this.uploads.map((one) => (ids.includes(one.id) ? { ...one, state: "waiting", share: 0, words: "" } : one)),
    );
    this.sendNext();
  }

  /** Forgets one that failed or was refused. */
  forget(id: number): void {
    this.show(this.uploads.filter((one) => one.id !== id || !isOver(one)));
  }

  /** Stops everything. */
  close(): void {
    this.stopping.abort();
  }

  private show(uploads: readonly Upload[]): void {
    this.uploads = uploads;
    for (const listener of this.listeners) listener();
  }

  private set(id: number, changes: Partial<Upload>): void {
    this.show(this.uploads.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  }

  private sendNext(): void {
    for (const upload of this.uploads) {
      const busy = this.uploads.filter(({ state }) => state === "sending" || state === "making").length;
      if (busy >= AT_ONCE) return;
      if (upload.state === "waiting") void this.send(upload);
    }
  }

  private async send({ id, file }: Upload): Promise<void> {
    const place = this.places.get(id);
    if (place === undefined) throw new Error("a photo has no place");
    this.set(id, { state: "sending" });
    const { signal } = this.stopping;
    const onProgress = (share: number): void => this.set(id, { share, state: share < 1 ? "sending" : "making" });
    try {
      await this.ports.send({ file, ...place, signal, onProgress });
      this.added++;
      this.show(this.uploads.filter((one) => one.id !== id));
    } catch (error) {
      if (signal.aborted) return;
      const { words, mayHelp } = this.ports.explain(error);
      this.set(id, { state: mayHelp ? "failed" : "refused", words });
    }
    if (signal.aborted) return;
    this.sendNext();
    if (!this.uploads.every(isOver)) return;
    const { added } = this;
    this.added = 0;
    this.ports.onIdle(added);
  }
}
