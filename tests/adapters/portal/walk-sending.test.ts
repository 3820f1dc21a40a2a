import { describe, expect, test } from "bun:test";
import { sendAction, type WalkService, whyNotNow } from "../../../adapters/portal/walk/send-action.ts";
import type { Action, Sent, WalkedVehicle } from "../../../adapters/portal/walk/walk-state.ts";

const SEEN: WalkedVehicle = {
  ...{ id: 3, title: "Car 3", year: 2022, make: "Toyota", model: "Camry", stock_number: "A3" },
  ...{ price: 20_000, status: "available", listed_at: null, updated_at: "v1", image: null },
};
const PHOTO = { name: "p.jpg", type: "image/jpeg", bytes: new ArrayBuffer(1) };
type SetPrice = Awaited<ReturnType<WalkService["setPrice"]>>;

/** A service whose vehicle is `now`, and what was asked of it. Prices are set as `answers` say, one after the other. */
const serviceWith = ({
  now = SEEN,
  answers = [],
  reason = null,
  fail = null,
}: {
  now?: WalkedVehicle;
  answers?: readonly SetPrice[];
  reason?: string | null;
  fail?: unknown;
} = {}) => {
  const asked: string[] = [];
  const left = [...answers];
  const ask = async <Answer>(what: string, answer: Answer): Promise<Answer> => {
    asked.push(what);
    if (fail !== null) throw fail;
    return answer;
  };
  const service: WalkService = {
    inWords: (price) => `${price} dollars`,
    user: () => ask("user", 7),
    vehicle: (id) => ask(`vehicle ${id}`, now),
    setPrice: (id, price, version) => ask(`price ${id} ${price} ${version}`, left.shift() ?? { changeId: "c1" }),
    addPhoto: (id) => ask(`photo ${id}`, 9),
    revert: (changeId) => ask(`revert ${changeId}`, reason),
    removeImage: (id, imageId) => ask(`remove ${id} ${imageId}`, undefined),
  };
  return { service, asked };
};

type Given = Parameters<typeof serviceWith>[0];
const sent = async (
  action: Action,
  given: Given = {},
  more: { touched?: number[]; wasTriedBefore?: boolean } = {},
): Promise<readonly [outcome: unknown, asked: readonly string[]]> => {
  const { service, asked } = serviceWith(given);
  const outcome = await sendAction(action, { service, touched: [], wasTriedBefore: false, ...more });
  return [outcome, asked] as const;
};

const STEP = { key: 1, vehicleId: 3, name: "Car 3", wasTried: false, refused: null };
const refusal = (status: number, more: object = {}): Error =>
  Object.assign(new Error("refused"), {
    ...{ status, code: "a_code", sentence: "The service said no.", details: [], retrySeconds: null },
    ...more,
  });
const later = (seconds = 30) => ({ is: "later", words: "The service said no.", seconds });
const refused = (words = "The service said no.") => ({ is: "refused", words });
const GONE = "It is no longer there. Nothing is left to do.";
const ADD_PHOTO: Action = { ...STEP, kind: "photo", photo: PHOTO };

describe("what the service does not take", () => {
  const details = [
    { path: "file", message: "is too large" },
    { path: "position", message: "must be a number" },
  ];
  for (const [what, error, outcome] of [
    ["nobody answered", refusal(0), later()],
    ["it took too long", refusal(408), later()],
    ["too many requests, for some seconds", refusal(429, { retrySeconds: 5 }), later(5)],
    ["a fault of the service", refusal(500), later()],
    ["a pause of the service", refusal(503, { retrySeconds: 9 }), later(9)],
    ["photos are not taken here", refusal(501), refused()],
    ["there is no room", refusal(507), refused()],
    ["no session", refusal(401), { is: "signed-out" }],
    ["a session that ended", refusal(403, { code: "signed_out" }), { is: "signed-out" }],
    ["another refusal", refusal(403), refused()],
    [
      "a permission that was taken",
      refusal(403, { code: "permission_missing" }),
      refused(expect.stringContaining("may not change")),
    ],
    ["a vehicle that is gone", refusal(404), refused(GONE)],
    ["wrong values", refusal(400, { details }), refused("The photo is too large; must be a number.")],
    ["something without details", refusal(400), refused()],
    ["a fault of the page", new TypeError("x is undefined"), refused("Something went wrong in this page.")],
    [
      "a fault with a status",
      Object.assign(new Error("x"), { status: 503, details: [] }),
      refused("Something went wrong in this page."),
    ],
    [
      "a fault with words",
      Object.assign(new Error("x"), { status: 503, sentence: "x" }),
      refused("Something went wrong in this page."),
    ],
    [
      "a fault without a status",
      Object.assign(new Error("x"), { sentence: "x", details: [] }),
      refused("Something went wrong in this page."),
    ],
    ["no fault at all", { ...refusal(503) }, refused("Something went wrong in this page.")],
  ] as const)
    test(`is sent again later, or shown: ${what}`, async () => {
      expect(await sent(ADD_PHOTO, { fail: error })).toEqual([outcome, ["photo 3"]]);
    });

  test("is not sent at all by another user, nor while nobody can say who it is", async () => {
    expect(await whyNotNow(serviceWith().service, 7)).toBeNull();
    expect(await whyNotNow(serviceWith().service, 8)).toEqual({ is: "signed-out" });
    const failing = (fail: unknown): Promise<unknown> => whyNotNow(serviceWith({ fail }).service, 7);
    expect(await failing(refusal(401))).toEqual({ is: "signed-out" });
    expect(await failing(refusal(503, { retrySeconds: 9 }))).toEqual(later(9));
    expect(await failing(refusal(404))).toEqual({ is: "later", words: GONE, seconds: 30 });
  });
});

describe("a price", () => {
  const price: Action = { ...STEP, kind: "price", price: 19_000, seen: SEEN };
  const SECOND = "price 3 19000 v2";
  const FIRST = "price 3 19000 v1";
  const other: SetPrice = { fault: "version" };
  const now: WalkedVehicle = { ...SEEN, updated_at: "v2" };

  test("is set on the vehicle as it was seen, or says why not", async () => {
    expect(await sent(price)).toEqual([{ is: "sent", sent: { changeId: "c1" } }, [FIRST]]);
    expect(await sent(price, { answers: [{ fault: "gone" }] })).toEqual([refused(GONE), [FIRST]]);
    const words = { fault: { words: "Too low." } };
    expect(await sent(price, { answers: [words] })).toEqual([refused("Too low."), [FIRST]]);
  });

  test("counts as set if it was sent before and is there", async () => {
    const there = { now: { ...now, price: 19_000 }, answers: [other] };
    const before = { before: 20_000, price: 19_000 };
    const again = { wasTriedBefore: true };
    expect(await sent(price, there, again)).toEqual([{ is: "sent", sent: before }, [FIRST, "vehicle 3"]]);
    for (const [given, more] of [
      [there, {}],
      [{ ...there, now: { ...now, price: 18_000 } }, again],
    ] as const)
      expect((await sent(price, given, more))[0]).toMatchObject({ is: "refused" });
  });

  test("is set on a newer version only if that is this walk's own, and otherwise as it was", async () => {
    const touched = { touched: [3] };
    const answers = [other];
    expect(await sent(price, { now, answers }, touched)).toEqual([
      { is: "sent", sent: { changeId: "c1" } },
      [FIRST, "vehicle 3", SECOND],
    ]);
    for (const changed of [{ price: 1 }, { status: "sold" }, { title: "Car 4" }, { stock_number: "B" }] as const)
      expect((await sent(price, { now: { ...now, ...changed }, answers }, touched))[0]).toMatchObject({
        is: "refused",
      });
    expect(await sent(price, { now, answers })).toMatchObject([
      { is: "refused", words: expect.stringContaining("20000 dollars") },
      [FIRST, "vehicle 3"],
    ]);
    expect((await sent(price, { now, answers: [other, other] }, touched))[0]).toMatchObject({ is: "refused" });
  });
});

describe("a step that is taken back", () => {
  const undo = (of: Sent | null): Action => ({ ...STEP, kind: "undo", of: 1, sent: of });
  const done = { is: "sent", sent: null };

  test("is nothing if nothing had come of it", async () => {
    for (const of of [null, { imageId: null }, { changeId: null }]) expect(await sent(undo(of))).toEqual([done, []]);
  });

  test("removes its photo, if that is still there", async () => {
    const asked = ["remove 3 9"];
    expect(await sent(undo({ imageId: 9 }))).toEqual([done, asked]);
    expect(await sent(undo({ imageId: 9 }), { fail: refusal(404) })).toEqual([done, asked]);
    expect(await sent(undo({ imageId: 9 }), { fail: refusal(503) })).toEqual([later(), asked]);
    const fault = refused("Something went wrong in this page.");
    expect(await sent(undo({ imageId: 9 }), { fail: { status: 404 } })).toEqual([fault, asked]);
  });

  test("reverts its change, or says why not", async () => {
    expect(await sent(undo({ changeId: "c1" }))).toEqual([done, ["revert c1"]]);
    expect((await sent(undo({ changeId: "c1" }), { reason: "It was sold." }))[0]).toEqual(
      refused("Not undone. It was sold."),
    );
  });

  test("sets the price of before, unless somebody has set another one", async () => {
    const of = { before: 20_000, price: 19_000 };
    const at = (price: number, answers: readonly SetPrice[] = []) =>
      sent(undo(of), { now: { ...SEEN, price, updated_at: "v2" }, answers });
    const changed = refused("Not undone. Somebody changed it meanwhile.");
    expect(await at(20_000)).toEqual([done, ["vehicle 3"]]);
    expect(await at(19_000)).toEqual([done, ["vehicle 3", "price 3 20000 v2"]]);
    expect((await at(18_000))[0]).toEqual(changed);
    expect((await at(19_000, [{ fault: "version" }]))[0]).toEqual(changed);
  });
});
