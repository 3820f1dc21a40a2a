import { timingSafeEqual } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import type { Device, Devices } from "../../core/sign-in/devices.ts";
import { cookieNamed, cookieNames, setCookie } from "./cookies.ts";

const ID_BYTES = 16;
/** The time for which a browser is recognised after its last sign-in. */
const DEVICE_SECONDS = 180 * 24 * 60 * 60;
/** No genuine cookie is longer. */
const MAX_LENGTH = 120;
/** The user id, the second of the sign-in, the browser id and the signature. */
const FORM = /^(\d{1,15})\.(\d{1,12})\.([\w-]{22})\.([\w-]{43})$/;

/** Recognises browsers by a cookie, which is signed with HMAC-SHA-256 and the secret of the installation. */
export const signedDevices = (secret: () => Promise<string>, clock: Pick<Clock, "nowMs">, secure: boolean): Devices => {
  const name = cookieNames(secure).device;
  let key: Promise<string> | null = null;

  const sign = async (text: string): Promise<Buffer> => {
    key ??= secret();
    try {
      return new Bun.CryptoHasher("sha256", await key).update(`device ${text}`).digest();
    } catch (error) {
      // The database may have been out of reach, so the next call tries again.
      key = null;
      throw error;
    }
  };

  const of: Devices["of"] = async ({ cookies }) => {
    const sent = cookieNamed(cookies, name);
    if (sent === null || sent.length > MAX_LENGTH) return null;
    const [, userId = "", second = "", id = "", signature = ""] = FORM.exec(sent) ?? [];
    if (id === "" || Number(second) + DEVICE_SECONDS < clock.nowMs() / 1000) return null;
    const genuine = await sign(`${userId}.${second}.${id}`);
    if (!timingSafeEqual(genuine, Buffer.from(signature, "base64url"))) return null;
    return { userId: Number(userId), id } satisfies Device;
  };

  return {
    of,
    async remember(userId, client) {
      const known = await of(client);
      const id =
        known?.userId === userId
          ? known.id
          : Buffer.from(crypto.getRandomValues(new Uint8Array(ID_BYTES))).toString("base64url");
      const text = `${userId}.${Math.floor(clock.nowMs() / 1000)}.${id}`;
      const signature = (await sign(text)).toString("base64url");
      return setCookie({ name, value: `${text}.${signature}`, seconds: DEVICE_SECONDS, secure });
    },
  };
};
