import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";

/** How the secrets of second factors are sealed. */
export interface FactorSealing {
  /** The library's own key, with which it signs cookies and seals for itself. */
  readonly libraryKey: string;
  seal(secret: string, userId: number | string): string;
  open(sealed: string, userId: number | string): string | null;
  isSealed(text: string): boolean;
  /** Reseals what an instance of an earlier version wrote. */
  sealAnew(): Promise<unknown>;
}

type Fields = Record<string, unknown>;

/**
 * Converts rows of second factors to and from the form that the library expects, which insists on sealing for itself.
 */
export const sealedFactors = (sealing: FactorSealing) => {
  const key = sealing.libraryKey;
  return {
    /** The fields as stored. */
    async stored(fields: Fields, userId: unknown): Promise<Fields> {
      if (typeof fields.secret !== "string") return fields;
      const secret = await symmetricDecrypt({ key, data: fields.secret });
      return { ...fields, secret: sealing.seal(secret, String(userId)) };
    },
    /** A stored row as the library sees it; a secret that cannot be opened becomes one that no code fits. */
    async shown<Row>(row: Row): Promise<Row> {
      const { secret, userId } = (row ?? {}) as Fields;
      if (typeof secret !== "string") return row;
      const opened = sealing.open(secret, String(userId));
      if (opened === null) throw new Error(`the second factor of user ${String(userId)} was sealed with another key`);
      return { ...row, secret: await symmetricEncrypt({ key, data: opened }) };
    },
    /** True for a row that an instance of an earlier version wrote. */
    isLegacy: (row: unknown): boolean => {
      const { secret } = (row ?? {}) as Fields;
      return typeof secret === "string" && !sealing.isSealed(secret);
    },
  };
};
