import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import Type from "typebox";
import { PermissionParams } from "../../../../adapters/http/api/key-answers.ts";
import { VehicleParams } from "../../../../adapters/http/api/vehicles.ts";
import { parameterReader } from "../../../../adapters/http/protocol/parameters.ts";
import { AuditQuery } from "../../../../core/audit/audit.ts";
import { DealerQuery } from "../../../../core/dealers/dealer.ts";
import { KeyQuery } from "../../../../core/keys/key.ts";
import { ReportQuery } from "../../../../core/report/period.ts";
import { UserQuery } from "../../../../core/users/user.ts";
import { InventoryQuery, VehicleQuery } from "../../../../core/vehicles/vehicle.ts";

/** Reads a query as sent. */
const reading = (schema: Parameters<typeof parameterReader>[0]) => {
  const read = parameterReader(schema, "refused");
  return (query: string) => {
    const result = read([...new URLSearchParams(query)]);
    return result.issues === null ? result.values : result.issues.map(({ path }) => path);
  };
};

const vehicles = reading(VehicleQuery);
const MAX = String(Number.MAX_SAFE_INTEGER);

const NOT_NUMBERS = [
  "",
  " ",
  "1e3",
  "0x10",
  "01",
  "00",
  " 5",
  "5 ",
  "+5",
  "-1",
  "-0",
  "1.0",
  "1.5",
  "1_000",
  "1,000",
  "٣",
  "５",
  "NaN",
  "Infinity",
  "9007199254740992",
  "9007199254740993",
  "99999999999999999999",
  "five",
  "5\n",
];
const NOT_FLAGS = ["", "TRUE", "True", "yes", "on", "2", "01", " true", "null", "constructor", "__proto__", "toString"];

const NUMBERS = ["dealer_id", "year", "min_price", "max_price", "limit", "offset"];

describe("numbers in a query", () => {
  for (const name of NUMBERS) {
    test(`are plain decimal digits: ${name}`, () => {
      expect(vehicles(`${name}=7`)).toEqual({ [name]: 7 });
    });

    test(`are refused in any other form, and never another number: ${name}`, () => {
      for (const text of NOT_NUMBERS)
        expect([text, vehicles(String(new URLSearchParams({ [name]: text })))]).toEqual([text, [name]]);
    });
  }

  test("are exactly the written number, or refused", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (number) => {
        const expected = number <= BigInt(MAX) ? { offset: Number(number) } : ["offset"];
        expect<unknown>(vehicles(`offset=${number}`)).toEqual(expected);
      }),
    );
  });

  for (const [query, expected] of [
    [`dealer_id=${MAX}`, { dealer_id: Number.MAX_SAFE_INTEGER }],
    ["dealer_id=1", { dealer_id: 1 }],
    ["dealer_id=0", ["dealer_id"]],
    ["limit=1", { limit: 1 }],
    ["limit=1000", { limit: 1000 }],
    ["limit=0", ["limit"]],
    ["limit=1001", ["limit"]],
    ["offset=0", { offset: 0 }],
    [`offset=${MAX}`, { offset: Number.MAX_SAFE_INTEGER }],
    ["year=0", { year: 0 }],
    ["min_price=0&max_price=0", { min_price: 0, max_price: 0 }],
    ["min_price=9&max_price=1", { min_price: 9, max_price: 1 }],
  ] as const)
    test(`such as ${query} are ${Array.isArray(expected) ? "refused" : "accepted"}`, () => {
      expect<unknown>(vehicles(query)).toEqual(expected);
    });
});

describe("booleans in a query", () => {
  for (const [text, value] of [
    ["true", true],
    ["1", true],
    ["false", false],
    ["0", false],
  ] as const)
    test(`are ${value} for ${text}`, () => {
      expect(vehicles(`featured=${text}`)).toEqual({ featured: value });
      expect(reading(DealerQuery)(`active=${text}`)).toEqual({ active: value });
      expect(reading(KeyQuery)(`active=${text}`)).toEqual({ active: value });
    });

  test("in any other form are refused", () => {
    for (const text of NOT_FLAGS)
      expect([text, vehicles(String(new URLSearchParams({ featured: text })))]).toEqual([text, ["featured"]]);
  });
});

describe("text in a query", () => {
  for (const [list, schema, name, longest, mayBeBlank] of [
    ["vehicles", VehicleQuery, "make", 100, false],
    ["vehicles", VehicleQuery, "model", 100, false],
    ["vehicles", VehicleQuery, "cursor", 500, true],
    ["dealers", DealerQuery, "state", 100, false],
    ["dealers", DealerQuery, "city", 100, false],
  ] as const)
    test(`is accepted as sent for ${name} of ${list}, and refused if empty, ${mayBeBlank ? "" : "blank, "}too long or not storable`, () => {
      const sent = (text: string) => reading(schema)(String(new URLSearchParams({ [name]: text })));
      for (const text of ["T", " Toyota ", "1", "true", "Škoda", "😀".repeat(longest)])
        expect(sent(text)).toEqual({ [name]: name === "cursor" || list === "dealers" ? text : [text] });
      for (const text of ["", "😀".repeat(longest + 1), "a\0b", ...(mayBeBlank ? [] : [" ", "\u3000"])])
        expect([text, sent(text)]).toEqual([text, [name]]);
    });

  for (const [list, schema, name, words] of [
    ["keys", KeyQuery, "app_type", ["web", "desktop", "mobile"]],
    ["users", UserQuery, "role", ["super_admin", "dealer_admin", "user"]],
    [
      "the audit log",
      AuditQuery,
      "action",
      ["key.created", "key.changed", "key.rotated", "key.removed", "user.created", "user.changed"],
    ],
  ] as const)
    test(`is for ${name} of ${list} one of ${words.join(", ")}`, () => {
      for (const word of words) expect(reading(schema)(`${name}=${word}`)).toEqual({ [name]: word });
      for (const word of ["", "Sold", "other", "constructor"])
        expect(reading(schema)(`${name}=${word}`)).toEqual([name]);
    });
});

describe("dates and times in a query", () => {
  const NO_DAYS = ["2026-02-29", "2026-04-31", "2026-00-10", "2026-13-01", "2026-01-00", "2026-01-32"];

  test("exist in the calendar", () => {
    for (const day of NO_DAYS) {
      expect(reading(ReportQuery)(`from=${day}&to=${day}`)).toEqual(["from", "to"]);
      expect(vehicles(`sold_since=${day}T00:00:00Z`)).toEqual(["sold_since"]);
    }
    expect(reading(ReportQuery)("from=2024-02-29")).toEqual({ from: "2024-02-29" });
  });

  test("have a time zone, if they are times", () => {
    expect(reading(AuditQuery)("from=2026-11-20 09:00&to=yesterday evening")).toEqual(["from", "to"]);
    expect(reading(AuditQuery)("to=2001-01-01T00:00:00%2B02:00")).toEqual({ to: "2001-01-01T00:00:00+02:00" });
  });
});

describe("a parameter that another one needs", () => {
  test("is named once if it is missing, whatever else is wrong", () => {
    expect(vehicles("near=97201&year=x")).toEqual(["year", "radius"]);
    expect(vehicles("near=nowhere")).toEqual(["near", "radius"]);
    expect(vehicles("radius=0&radius_unit=km&sort=near")).toEqual(["near", "radius"]);
    expect(vehicles("sort=near")).toEqual(["near"]);
    expect(vehicles("sort=newest")).toEqual({ sort: "newest" });
    expect(vehicles("near=97201&radius=x")).toEqual(["radius"]);
  });
});

describe("a parameter that may be given several times", () => {
  test("is a list of its values in the order sent, under both of its names", () => {
    expect(vehicles("make=Tatra")).toEqual({ make: ["Tatra"] });
    expect(vehicles("make=b&model=c&make=a&make=b")).toEqual({ make: ["b", "a", "b"], model: ["c"] });
    expect(vehicles("make[]=b&make%5B%5D=a&make=c")).toEqual({ make: ["b", "a", "c"] });
  });

  test("may have 20 values, and is refused with more or with an invalid one", () => {
    const times = (count: number) => Array.from({ length: count }, (_, number) => `make=${number}`).join("&");
    expect(vehicles(times(20))).toHaveProperty("make.length", 20);
    expect(vehicles(times(21))).toEqual(["make"]);
    expect(vehicles("make=a&make=&year=x")).toEqual(["make", "year"]);
    expect(vehicles("make[]=")).toEqual(["make"]);
  });

  test("may be the status, with known words in any case and with any accents", () => {
    expect(vehicles("status=Sold&status=PENDING&status=ávailable")).toEqual({
      status: ["sold", "pending", "available"],
    });
    for (const word of ["", "other", "constructor", "sold,available", "sold "])
      expect(vehicles(`status=sold&status=${word}`)).toEqual(["status"]);
  });
});

describe("a query as a whole", () => {
  test("may be empty, and may have parameters that clients add for themselves", () => {
    for (const query of ["", "_=1764194400", "_method=GET", "utm_source=", "utm_campaign=x&utm_campaign=y"])
      expect(vehicles(query)).toEqual({});
  });

  test("names every unknown parameter once, after the known ones, with the nearest known one", () => {
    const read = parameterReader(VehicleQuery, "refused");
    const issuesOf = (query: string) => read([...new URLSearchParams(query)]).issues;
    expect(issuesOf("mark=toyota&zzz=1&mark[]=x&limit=0&mark=y&constructor=1")).toEqual([
      { path: "limit", message: "must be a whole number from 1 to 1000" },
      { path: "mark", message: "is not a known parameter; did you mean make?" },
      { path: "zzz", message: "is not a known parameter" },
      { path: "mark[]", message: "is not a known parameter; did you mean make?" },
      { path: "constructor", message: "is not a known parameter" },
    ]);
    expect(issuesOf(`${"x".repeat(5000)}=1`)).toEqual([{ path: "x".repeat(100), message: "is not a known parameter" }]);
  });

  test("compares only the first unknown names with the known ones, because that takes time", () => {
    const query = Array.from({ length: 1000 }, (_, place) => `mak${place % 10}${place}=1`).join("&");
    const issues = parameterReader(VehicleQuery, "refused")([...new URLSearchParams(query)]).issues ?? [];
    expect(issues).toHaveLength(1000);
    expect(issues.filter(({ message }) => message.includes("did you mean"))).toHaveLength(10);
  });

  test("has unknown parameters ignored where pages of the portal may add some", () => {
    expect(parameterReader(VehicleQuery, "ignored")([["mark", "toyota"]])).toEqual({ values: {}, issues: null });
  });

  test("may have each name with brackets, and a list repeated or separated by commas", () => {
    expect(vehicles("limit[]=5&make[]=Kia&vin[]=AB1")).toEqual({ limit: 5, make: ["Kia"], vin: "AB1" });
    for (const query of [
      "include=names,primary_image",
      "include=names&include=primary_image",
      "include[]=names&include=names,primary_image",
    ])
      expect(vehicles(query)).toEqual({ include: ["names", "primary_image"] });
    for (const query of ["include=names&include=", "include=names&include=other"])
      expect(vehicles(query)).toEqual(["include"]);
  });

  test("may sort in descending order by a sign, which no order may stand beside", () => {
    const dealers = reading(DealerQuery);
    expect(dealers("sort=-name")).toEqual({ sort: "-name" });
    expect(dealers("sort=name&order=asc")).toEqual({ sort: "name", order: "asc" });
    for (const order of ["asc", "desc", "other"]) expect(dealers(`sort=-name&order=${order}`)).toEqual(["order"]);
  });

  test("names all invalid parameters at once", () => {
    expect(vehicles("limit=0&offset=-1&year=x&featured=maybe&status=&make=Toyota")).toEqual(
      expect.arrayContaining(["limit", "offset", "year", "featured", "status"]),
    );
  });

  test("may have each known parameter once at most", () => {
    for (const query of ["limit=5&limit=5", "limit=5&limit=x", "limit=&limit="])
      expect(vehicles(query)).toEqual(["limit"]);
  });

  test("of a dealer's inventory has every parameter of the vehicle list", () => {
    expect(Object.keys(InventoryQuery.properties).sort()).toEqual(Object.keys(VehicleQuery.properties).sort());
    expect(reading(InventoryQuery)("dealer_id=7&limit=5")).toEqual({ dealer_id: 7, limit: 5 });
  });
});

describe("parameters of a path", () => {
  const id = reading(VehicleParams);

  test("include an id of plain decimal digits from 1 on", () => {
    expect(id("id=12")).toEqual({ id: 12 });
    for (const text of [...NOT_NUMBERS, "0"])
      expect([text, id(String(new URLSearchParams({ id: text })))]).toEqual([text, ["id"]]);
  });

  test("are named if they are required and missing", () => {
    expect(id("")).toEqual(["id"]);
    expect(reading(Type.Object({ id: Type.Integer(), name: Type.String() }))("")).toEqual(["id", "name"]);
  });

  test("include a permission of a known resource and a known action", () => {
    const permission = reading(PermissionParams);
    expect(permission("id=1&resource=keys&action=delete")).toEqual({ id: 1, resource: "keys", action: "delete" });
    expect(permission("id=1&resource=planes&action=fly")).toEqual(["resource", "action"]);
  });
});
