import { createHmac, randomBytes } from "node:crypto";
import type { WebhookSigning } from "../../core/webhooks/signing.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const MESSAGE_BYTES = 16;

/** Signs as Standard Webhooks says: HMAC-SHA-256 over the id, the time and the body, joined by dots. */
export const webhookSigning: WebhookSigning = {
  newSecret: () => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`,
  newMessage: () => `msg_${randomBytes(MESSAGE_BYTES).toString("base64url")}`,
  signatures: (secrets, { id, seconds, body }) =>
    secrets
      .map((secret) => {
        const key = Buffer.from(secret.slice(PREFIX.length), "base64");
        return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
      })
      .join(" "),
};
