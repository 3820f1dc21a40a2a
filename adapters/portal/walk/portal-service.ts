import type { BulkAnswer } from "../../../core/bulk/bulk.ts";
import type { Image } from "../../../core/images/image.ts";
import { ApiError, change, deleteRecord, read, readList, sendForm } from "../api/client.ts";
import type { Session } from "../api/responses.ts";
import { revertChange, whyNotReverted } from "../recent-changes/revert.ts";
import type { ListedVehicle } from "../vehicles/vehicle-columns.tsx";
import type { WalkService } from "./send-action.ts";
import { PATIENCE_MS } from "./walk.ts";
import type { KeptPhoto, WalkedVehicle } from "./walk-state.ts";

const AT_ONCE = 1000;
const INCLUDE = "primary_image";

const walked = ({ primary_image, ...vehicle }: ListedVehicle): WalkedVehicle => {
  const { id, title, year, make, model, stock_number, price, status, listed_at, updated_at } = vehicle;
  const image = primary_image ?? null;
  return { ...{ id, title, year, make, model, stock_number, price, status, listed_at, updated_at, image } };
};

/** The session; `null` if nobody is signed in. Rejects if nobody answers; soon, if there is something else to show. */
export const readSession = async (hasKept: boolean): Promise<Session | null> => {
  try {
    return await read<Session>("/session", {}, hasKept ? AbortSignal.timeout(PATIENCE_MS) : undefined);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
};

/** The vehicles on a dealer's lot, the oldest first, up to a thousand. */
export const readLot = async (dealerId: number): Promise<readonly WalkedVehicle[]> => {
  const query = { dealer_id: dealerId, status: ["available", "pending"], sort: "-days_on_lot", include: INCLUDE };
  const { items } = await readList<ListedVehicle>("/vehicles", { ...query, limit: AT_ONCE });
  return items.map(walked);
};

const imageForm = ({ bytes, name, type }: KeptPhoto): FormData => {
  const form = new FormData();
  form.append("file", new File([bytes], name, { type }));
  return form;
};

/** The service behind the portal, for walks. */
export const portalService = (inWords: WalkService["inWords"]): WalkService => ({
  inWords,
  user: async () => (await read<Session>("/session")).user.id,
  vehicle: async (id, signal) => walked(await read<ListedVehicle>(`/vehicles/${id}`, { include: INCLUDE }, signal)),
  async setPrice(id, price, version) {
    const { results, change_id } = await change<BulkAnswer>("POST", "/vehicles/bulk", {
      ...{ ids: [id], versions: [version], changes: { price } },
    });
    const result = results.find((one) => one.id === id);
    if (result === undefined || result.outcome === "not_found") return { fault: "gone" };
    const [issue] = result.issues;
    if (issue === undefined) return { changeId: change_id };
    return { fault: issue.path === "versions" ? "version" : { words: `The price ${issue.message}.` } };
  },
  async addPhoto(id, photo, isRepeated) {
    const path = `/vehicles/${id}/images`;
    const items = isRepeated ? [] : (await readList<Image>(path, { limit: AT_ONCE })).items;
    const image = await sendForm<Image>(path, imageForm(photo), {});
    return items.some((one) => one.id === image.id) ? null : image.id;
  },
  async revert(changeId) {
    const [result] = await revertChange({ id: changeId });
    return result === undefined || result.outcome === "unchanged" ? null : whyNotReverted(result.outcome);
  },
  removeImage: (id, imageId) => deleteRecord(`/vehicles/${id}/images/${imageId}`),
});
