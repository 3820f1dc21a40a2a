import { betterAuth } from "better-auth/minimal";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { SESSION_LONGEST_SECONDS } from "../../core/sign-in/sessions.ts";
import { cookieAttributes, cookieNames } from "./cookies.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import type { FactorSealing } from "./sealed-factors.ts";
import { storageOf } from "./storage.ts";

/** What the name in a user's authenticator app begins with. */
const ISSUER = "Vehicle Inventory";
const CHALLENGE_SECONDS = 10 * 60;
const STAMPS = { createdAt: "created_at", updatedAt: "updated_at" } as const;

/** The header in which the service tells the library a client's address. */
export const ADDRESS_HEADER = "x-client-address";

export interface LibraryParts {
  /** The database, for a library that speaks Kysely. */
  readonly kysely: Kysely<unknown>;
  readonly clock: Clock;
  /** Of second factors; the library signs its cookies with a key of it, too. */
  readonly sealing: FactorSealing;
  /** True when browsers reach the service over TLS. */
  readonly secure: boolean;
}

/**
 * better-auth on the service's own tables: it checks passwords and second factors, starts sessions and writes their
 * cookies. Called from the service's endpoints only; its own are not served, and nobody signs up.
 */
export const openLibrary = ({ kysely, clock, sealing, secure }: LibraryParts) => {
  const names = cookieNames(secure);
  return betterAuth({
    appName: ISSUER,
    // Of no meaning here: links and origins are the service's business.
    baseURL: "http://portal.invalid",
    secret: sealing.libraryKey,
    database: storageOf(kysely, clock, sealing),
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      password: { hash: hashPassword, verify: ({ hash, password }) => isPassword(password, hash) },
    },
    user: {
      modelName: "sign_in_users",
      fields: { emailVerified: "email_verified", ...STAMPS },
    },
    account: {
      modelName: "sign_in_accounts",
      fields: {
        userId: "user_id",
        providerId: "provider",
        accountId: "account",
        password: "password_hash",
        ...STAMPS,
      },
    },
    session: {
      modelName: "sessions",
      fields: {
        userId: "user_id",
        token: "token_hash",
        expiresAt: "expires_at",
        ipAddress: "address",
        userAgent: "user_agent",
        ...STAMPS,
      },
      additionalFields: {
        lastSeenAt: { type: "date", fieldName: "last_seen_at", required: false, input: false },
        endsAt: { type: "date", fieldName: "ends_at", required: false, input: false },
      },
      expiresIn: SESSION_LONGEST_SECONDS,
      disableSessionRefresh: true,
    },
    verification: {
      modelName: "sign_in_challenges",
      fields: { expiresAt: "expires_at", ...STAMPS },
      storeIdentifier: "hashed",
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session, context) => ({
            data: { ...session, ipAddress: context?.headers?.get(ADDRESS_HEADER) ?? null },
          }),
        },
      },
    },
    advanced: {
      database: { generateId: "serial", validateSchema: false },
      // The prefix that it would put before the names is a weaker one.
      useSecureCookies: false,
      defaultCookieAttributes: cookieAttributes(secure),
      cookies: { session_token: { name: names.session }, two_factor: { name: names.challenge } },
      ipAddress: { disableIpTracking: true },
    },
    plugins: [
      twoFactor({
        issuer: ISSUER,
        twoFactorCookieMaxAge: CHALLENGE_SECONDS,
        // Failures are counted by the service, for passwords and second factors together.
        accountLockout: { enabled: false },
        // It gets to see hashes in place of the codes, and none before the second factor counts.
        backupCodeOptions: { storeBackupCodes: "plain", customBackupCodesGenerate: () => [] },
        schema: {
          user: { fields: { twoFactorEnabled: "second_factor" } },
          twoFactor: {
            modelName: "second_factors",
            fields: {
              userId: "user_id",
              backupCodes: "recovery_codes",
              failedVerificationCount: "failures",
              lockedUntil: "locked_until",
            },
          },
        },
      }),
    ],
  });
};
