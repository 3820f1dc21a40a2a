import type { Authenticator, Client, Entry } from "../../core/sign-in/authenticator.ts";
import { agentOf } from "../../core/sign-in/sign-in-record.ts";
import { aliasOf } from "./alias.ts";
import { cookieNamed, cookieNames, sessionTokenOf, unsigned } from "./cookies.ts";
import type { LibraryParts } from "./library.ts";
import { newRecoveryCodes, recoveryHash } from "./recovery-codes.ts";
import type { FactorSealing } from "./sealed-factors.ts";

/** True if the library refused a password, code or cookie; false for a defect or a database that is out of reach. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && "statusCode" in error && typeof error.statusCode === "number" && error.statusCode < 500;

/** What the library gets to know of a client's address and cookies. */
interface SeenFrom {
  readonly addressHeader: string;
  readonly resigned: (cookie: string) => string;
}

/** Replaces a cookie's signature by the one that the library expects with this key. */
const signedAgain = (cookie: string, key: string): string => {
  const value = unsigned(cookie) ?? "";
  const signature = new Bun.CryptoHasher("sha256", key).update(value).digest("base64");
  return encodeURIComponent(`${value}.${signature}`);
};

/** The library's answer; `null` if it refuses. */
const unlessRefused = async <Answer>(answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
};

/** The secret in an otpauth address. */
const secretOf = (uri: string): string => new URL(uri).searchParams.get("secret") ?? "";

/**
 * Sign-in by better-auth. The library and its secret are loaded at first use, because loading would delay the start of
 * the service.
 */
export const makeAuthenticator = (
  parts: Omit<LibraryParts, "sealing">,
  unlocked: () => Promise<FactorSealing>,
): Authenticator => {
  const names = cookieNames(parts.secure);
  const { passwords } = parts;

  const load = async () => {
    const { ADDRESS_HEADER, openLibrary } = await import("./library.ts");
    const sealing = await unlocked();
    const resigned = (value: string): string => signedAgain(value, sealing.libraryKey);
    return { seenFrom: { addressHeader: ADDRESS_HEADER, resigned }, ...openLibrary({ ...parts, sealing }) };
  };
  let loading: ReturnType<typeof load> | null = null;
  const library = async () => {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      // The database may have been out of reach: let the next sign-in try again.
      loading = null;
      throw error;
    }
  };

  /** The client's headers for the library, with the one cookie that matters. */
  const headersOf = (client: Client, { addressHeader, resigned }: SeenFrom, cookie: string | null): Headers => {
    const headers = new Headers({ [addressHeader]: client.address });
    const { user_agent: userAgent } = agentOf(client);
    if (typeof userAgent === "string") headers.set("user-agent", userAgent);
    const value = cookie === null ? null : cookieNamed(client.cookies, cookie);
    // The token identifies a session. Its signature may be by a previous key, which did not end sessions.
    if (value !== null) headers.set("cookie", `${cookie}=${cookie === names.session ? resigned(value) : value}`);
    return headers;
  };

  const entryOf = (headers: Headers, sessionToken: string | null | undefined, owesSecondFactor = false): Entry => ({
    // The library also clears cookies of features that are not used here.
    cookies: headers
      .getSetCookie()
      .filter((cookie) => Object.values(names).some((name) => cookie.startsWith(`${name}=`))),
    owesSecondFactor,
    sessionToken: sessionToken ?? null,
  });

  return {
    ...passwords,
    newRecoveryCodes: () => newRecoveryCodes(passwords),
    recoveryHash: (code, hashes) => recoveryHash(passwords, code, hashes),

    async signIn(userId, password, client) {
      if (userId === null) {
        await passwords.isPassword(password, null);
        return null;
      }
      const { api, seenFrom } = await library();
      const body = { email: aliasOf(userId), password };
      const headers = headersOf(client, seenFrom, null);
      const answer = await unlessRefused(api.signInEmail({ body, headers, returnHeaders: true }));
      if (answer === null) return null;
      const { response } = answer;
      return "twoFactorRedirect" in response
        ? entryOf(answer.headers, null, true)
        : entryOf(answer.headers, response.token);
    },

    async challenged({ cookies }) {
      const identifier = unsigned(cookieNamed(cookies, names.challenge));
      if (identifier === null) return null;
      const { $context } = await library();
      const { internalAdapter } = await $context;
      const challenge = await internalAdapter.findVerificationValue(identifier);
      return challenge !== null && challenge.expiresAt > new Date() ? Number(challenge.value) : null;
    },

    async prove(proof, client) {
      const { api, seenFrom } = await library();
      const sent = { headers: headersOf(client, seenFrom, names.challenge), returnHeaders: true } as const;
      const answer = await unlessRefused(
        "code" in proof
          ? api.verifyTOTP({ body: { code: proof.code }, ...sent })
          : api.verifyBackupCode({ body: { code: proof.recoveryHash }, ...sent }),
      );
      return answer === null ? null : entryOf(answer.headers, answer.response.token);
    },

    async offerSecondFactor(password, client) {
      const { api, seenFrom } = await library();
      const headers = headersOf(client, seenFrom, names.session);
      const offer = await unlessRefused(api.enableTwoFactor({ body: { password, method: "totp" }, headers }));
      if (offer === null || !("totpURI" in offer)) return null;
      return { uri: offer.totpURI, secret: secretOf(offer.totpURI) };
    },

    async isCode(code, client) {
      const { api, seenFrom } = await library();
      const headers = headersOf(client, seenFrom, names.session);
      // If the factor is already verified, the library only checks the code: the session stays as it is.
      return (await unlessRefused(api.verifyTOTP({ body: { code }, headers }))) !== null;
    },

    async confirmSecondFactor(code, client) {
      const { api, seenFrom } = await library();
      const headers = headersOf(client, seenFrom, names.session);
      const answer = await unlessRefused(api.verifyTOTP({ body: { code }, headers, returnHeaders: true }));
      if (answer === null) return null;
      // The answer itself names the session before, which has ended; the cookie names the new one.
      const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
      return entryOf(answer.headers, sessionTokenOf(cookies.join("; "), parts.secure));
    },
  };
};
