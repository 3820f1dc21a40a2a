/** Makes and uses the secrets of webhooks, by Standard Webhooks. */
export interface WebhookSigning {
  /** A new secret: `whsec_` and 32 random bytes in base64. */
  newSecret(): string;
  /** A new `webhook-id`. */
  newMessage(): string;
  /** The signatures of a message by each secret, as the header `webhook-signature` has them. */
  signatures(secrets: readonly string[], signed: SignedMessage): string;
}

/** What is signed. */
interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly seconds: number;
  readonly body: string;
}
