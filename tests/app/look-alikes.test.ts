import { expect, test } from "bun:test";
import { lookAlikes } from "../../app/look-alikes.ts";
import { VARIABLES } from "../../app/variables.ts";

const meantBy = (variable: string): string | undefined => lookAlikes({ [variable]: "x" })[0]?.meant;

test("a variable that is one or two letters away from a known one is told, with the one that was meant", () => {
  for (const [sent, meant] of [
    ["DATABSE_URL", "DATABASE_URL"],
    ["DATBSE_URL", "DATABASE_URL"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["DATABASE_URLS", "DATABASE_URL"],
    ["database_url", "DATABASE_URL"],
    ["CORS_ORIGIN", "CORS_ORIGINS"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["PROT", "PORT"],
    ["HOSTT", "HOST"],
    ["MAX_KEY_PER_DEALER", "MAX_KEYS_PER_DEALER"],
  ] as const)
    expect([sent, meantBy(sent)]).toEqual([sent, meant]);
});

test("variables of the system and of usual programs, known ones and distant ones are not told", () => {
  const usual =
    "HOME PATH LANG LANGUAGE LC_ALL USER SHELL TERM PWD OLDPWD TMPDIR TMP TZ MAIL LOGNAME HOSTNAME EDITOR OS CI TEST ROOT PGHOST PGPORT PGDATABASE REDIS_URL REDIS_PORT DB_HOST HTTP_PROXY NO_PROXY NODE_ENV NODE_OPTIONS JOURNAL_STREAM INVOCATION_ID NOTIFY_SOCKET STATE_DIRECTORY SYSTEMD_EXEC_PID KUBERNETES_PORT DATABASE_HOST SMTP_PORT SMTP_USER APP_ENV";
  for (const variable of [...usual.split(" "), ...Object.keys(VARIABLES)])
    expect([variable, meantBy(variable)]).toEqual([variable, undefined]);
});
