import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";

/** How the secrets of second factors are kept. */
export interface FactorSealing {
  /** The library's own key: for what it signs and seals on its way to and from the database. */
  readonly libraryKey: string;
  seal(secret: string, userId: number | string): string;
  open(sealed: string, userId: number | string): string | null;
  isSealed(text: string): boolean;
  /** Seals what an instance of an earlier version left behind. */
  sealAnew(): Promise<unknown>;
}

type Fields = Record<string, unknown>;

/** Turns rows of second factors into what the library takes for its own, and back: it insists on sealing for itself. */
export const sealedFactors = (sealing: FactorSealing) => {
  const key = sealing.libraryKey;
  return {
    /** What is to be stored. */
    async stored(fields: Fields, userId: unknown): Promise<Fields> {
      if (typeof fields.secret !== "string") return fields;
      const secret = await symmetricDecrypt({ key, data: fields.secret });
      return { ...fields, secret: sealing.seal(secret, String(userId)) };
    },
    /** What is shown to the library of a stored row; what does not open is nothing that a code could fit. */
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
