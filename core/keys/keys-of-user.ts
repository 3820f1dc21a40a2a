import type { KeyRecord } from "./key.ts";
import type { KeyRepository } from "./key-repository.ts";

const PAGE = 1000;

/** Every key of a user, including ended ones, whether or not the caller can see them. */
export const keysOfUser = async (keys: Pick<KeyRepository, "list">, userId: number): Promise<KeyRecord[]> => {
  const found: KeyRecord[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await keys.list({ visibility: "everything", filter: { userId }, page: { limit: PAGE, offset } });
    found.push(...items);
    if (items.length < PAGE) return found;
  }
};
