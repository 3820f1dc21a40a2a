import type { Authenticator, Client, Entry } from "../../core/sign-in/authenticator.ts";
import { agentOf } from "../../core/sign-in/sign-in-record.ts";
import { aliasOf } from "./alias.ts";
import { cookieNamed, cookieNames, unsigned } from "./cookies.ts";
import type { LibraryParts } from "./library.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { newRecoveryCodes, recoveryHash } from "./recovery-codes.ts";
import type { FactorSealing } from "./sealed-factors.ts";

/** What the library throws for a wrong password, code or cookie, as opposed to a defect or a dead database. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && "statusCode" in error && typeof error.statusCode === "number" && error.statusCode < 500;

/** What the library is told of a client's address and cookies. */
interface SeenFrom {
  readonly addressHeader: string;
  readonly resigned: (cookie: string) => string;
}

/** A signed cookie with the signature that the library expects under this key. */
const signedAgain = (cookie: string, key: string): string => {
  const value = unsigned(cookie) ?? "";
  const signature = new Bun.CryptoHasher("sha256", key).update(value).digest("base64");
  return encodeURIComponent(`${value}.${signature}`);
};

/** The answer of the library; `null` where it refuses. */
const unlessRefused = async <Answer>(answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
};

/** The secret that an otpauth address carries. */
const secretOf = (uri: string): string => new URL(uri).searchParams.get("secret") ?? "";

/**
 * Sign-in by better-auth. The library, its secret included, is loaded at the first need: it takes a third of a second
 * that the start of the service has no use for.
 */
export const makeAuthenticator = (
  parts: Omit<LibraryParts, "sealing">,
  unlocked: () => Promise<FactorSealing>,
): Authenticator => {
  const names = cookieNames(parts.secure);

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
      // The database may have been out of reach; the next one to sign in tries again.
      loading = null;
      throw error;
    }
  };

  /** The client as the library is to see it: with the one cookie that matters. */
  const headersOf = (client: Client, { addressHeader, resigned }: SeenFrom, cookie: string | null): Headers => {
    const headers = new Headers({ [addressHeader]: client.address });
    const { user_agent: userAgent } = agentOf(client);
    if (typeof userAgent === "string") headers.set("user-agent", userAgent);
    const value = cookie === null ? null : cookieNamed(client.cookies, cookie);
    // A session is known by its token; the signature may be by a key before, which ended no sessions.
    if (value !== null) headers.set("cookie", `${cookie}=${cookie === names.session ? resigned(value) : value}`);
    return headers;
  };

  const entryOf = (headers: Headers, sessionToken: string | null | undefined, owesSecondFactor = false): Entry => ({
    // It also clears cookies of ways that are not in use here.
    cookies: headers
      .getSetCookie()
      .filter((cookie) => Object.values(names).some((name) => cookie.startsWith(`${name}=`))),
    owesSecondFactor,
    sessionToken: sessionToken ?? null,
  });

  return {
    hashPassword,
    isPassword,
    newRecoveryCodes,
    recoveryHash,

    async signIn(userId, password, client) {
      if (userId === null) {
        await isPassword(password, null);
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
      // For a factor that counts already the library only looks: the session goes on as it is.
      return (await unlessRefused(api.verifyTOTP({ body: { code }, headers }))) !== null;
    },

    async confirmSecondFactor(code, client) {
      const { api, seenFrom } = await library();
      const headers = headersOf(client, seenFrom, names.session);
      const answer = await unlessRefused(api.verifyTOTP({ body: { code }, headers, returnHeaders: true }));
      return answer === null ? null : entryOf(answer.headers, answer.response.token);
    },
  };
};
