import { betterAuth } from "better-auth/minimal";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { SESSION_LONGEST_SECONDS } from "../../core/sign-in/sessions.ts";
import { cookieAttributes, cookieNames } from "./cookies.ts";
import type { Passwords } from "./passwords.ts";
import type { FactorSealing } from "./sealed-factors.ts";
import { storageOf } from "./storage.ts";

/** The issuer that authenticator apps show. */
const ISSUER = "Vehicle Inventory";
const CHALLENGE_SECONDS = 10 * 60;
const STAMPS = { createdAt: "created_at", updatedAt: "updated_at" } as const;

/** The header that gives the library a client's address. */
export const ADDRESS_HEADER = "x-client-address";

export interface LibraryParts {
  /** The database, for a library that speaks Kysely. */
  readonly kysely: Kysely<unknown>;
  readonly clock: Clock;
  /** The sealing of second factors; the library signs its cookies with a key of it, too. */
  readonly sealing: FactorSealing;
  readonly passwords: Passwords;
  /** True if browsers reach the service over TLS. */
  readonly secure: boolean;
}

/**
 * better-auth on the service's own tables: it checks passwords and second factors, starts sessions and writes their
 * cookies. Only the service's endpoints call it; its own endpoints are not served, and nobody can sign up.
 */
export const openLibrary = ({ kysely, clock, passwords, sealing, secure }: LibraryParts) => {
  const names = cookieNames(secure);
  return betterAuth({
    appName: ISSUER,
    // Unused: the service handles links and origins itself.
    baseURL: "http://portal.invalid",
    secret: sealing.libraryKey,
    database: storageOf(kysely, clock, sealing),
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      password: { hash: passwords.hashPassword, verify: ({ hash, password }) => passwords.isPassword(password, hash) },
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
      // The library's own prefix for cookie names is weaker.
      useSecureCookies: false,
      defaultCookieAttributes: cookieAttributes(secure),
      cookies: { session_token: { name: names.session }, two_factor: { name: names.challenge } },
      ipAddress: { disableIpTracking: true },
    },
    plugins: [
      twoFactor({
        issuer: ISSUER,
        twoFactorCookieMaxAge: CHALLENGE_SECONDS,
        // The service counts failures itself, for passwords and second factors together.
        accountLockout: { enabled: false },
        // The library sees hashes in place of the codes, and none before the second factor is verified.
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
