import type { SignInCookies } from "../../core/sign-in/authenticator.ts";
import { CHALLENGE_SECONDS } from "../../core/sign-in/challenges.ts";
import { SESSION_MAX_SECONDS } from "../../core/sign-in/sessions.ts";
import { cookieNamed, cookieNames, expiredCookie, setCookie, signed, verified } from "./cookies.ts";

/** The cookies of sign-ins, signed with the key of the installation. Of a session's cookie, only the token matters. */
export const signedEntryCookies = (key: () => Promise<string>, secure: boolean): SignInCookies => {
  const names = cookieNames(secure);
  const cookie = async (name: string, token: string | null, seconds: number): Promise<string> =>
    token === null
      ? expiredCookie(name, secure)
      : setCookie({ name, value: signed(token, await key()), seconds, secure });
  return {
    session: (token) => cookie(names.session, token, SESSION_MAX_SECONDS),
    challenge: (token) => cookie(names.challenge, token, CHALLENGE_SECONDS),
    async challengeOf({ cookies }) {
      const sent = cookieNamed(cookies, names.challenge);
      return sent === null ? null : verified(sent, await key());
    },
  };
};
