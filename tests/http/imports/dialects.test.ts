import { describe, expect, test } from "bun:test";
import type { Settings } from "../../../core/settings/installation.ts";
import { expectReply } from "../../support/cases.ts";
import { ANSWERING } from "../../support/engines.ts";
import { importsOn } from "./imports.ts";

type Installation = Pick<Settings, "currency" | "distance_unit" | "date_order">;
const EUROPE: Installation = { currency: "EUR", distance_unit: "km", date_order: "dmy" };
const AMERICA: Installation = { currency: "USD", distance_unit: "mi", date_order: "mdy" };
const BRITAIN: Installation = { currency: "GBP", distance_unit: "mi", date_order: "dmy" };

/** What a vehicle became: the fields that differ between dialects. */
type Read = Readonly<Record<string, unknown>>;

interface Dialect {
  readonly installation: Installation;
  readonly lines: readonly string[];
  /** The headings that no field has; every other one must be read without a hand. */
  readonly unread?: readonly string[];
  /** The vehicles by stock number. */
  readonly vehicles: Readonly<Record<string, Read>>;
  /** The rows that are no vehicles. */
  readonly skipped?: number;
  readonly letters?: "windows-1252";
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  "of a German dealer in Windows-1252, with words for statuses and a line of totals": {
    installation: EUROPE,
    letters: "windows-1252",
    lines: [
      "Interne Nr.;Fahrgestell-Nr.;Hersteller;Modell;Ausführung;Baujahr;EZ;KM-Stand;VK-Preis;Farbe außen;Polster;Status;Zustand;Eingangsdatum",
      "1001;WVWZZZ1KZAW000001;Volkswagen;Golf;Comfortline;2019;03/2019;128.450 km;12.990,00 €;Blau;Stoff;verfügbar;Gebraucht;16.10.2026",
      "1002;k.A.;Opel;Corsa;;2021;;45.000;9.990,-;;;reserviert;Neu;05.06.2026",
      "1003;;Opel;Astra;;2018;;80.000;VB 7.990;;;Verkauft;;",
      "Summe;;;;;;;253.450;30.970,00;;;;;",
    ],
    skipped: 1,
    vehicles: {
      "1001": { price: 12_990, mileage: 128_450, status: "available", condition: "used", exterior_color: "Blau" },
      "1002": { price: 9990, mileage: 45_000, status: "pending", condition: "new", listed_at: "2026-06-05" },
      "1003": { price: 7990, status: "sold" },
    },
  },
  "of a French dealer, with narrow blanks in numbers": {
    installation: EUROPE,
    lines: [
      "N° de stock;Immatriculation;Marque;Modèle;Année;Mise en circulation;Kilométrage;Prix TTC (€);Statut;Date d'entrée",
      "F1;AB-123-CD;Renault;Clio;2020;16/03/2020;98 000 km;12 990 €;Disponible;16/10/2026",
      "F2;;Peugeot;208;2021;;15\u00a0200;15\u202f490,00;Vendu;",
    ],
    unread: ["Immatriculation"],
    vehicles: {
      F1: { price: 12_990, mileage: 98_000, status: "available", date_first_registered: "2020-03-16" },
      F2: { price: 15_490, mileage: 15_200, status: "sold" },
    },
  },
  "of an Italian dealer, whose Stato says what is sold": {
    installation: EUROPE,
    lines: [
      "Codice interno\tTelaio\tMarca\tModello\tAnno\tChilometraggio\tPrezzo\tStato\tData di ingresso",
      "I1\tN.D.\tFiat\t500\t2019\t55.000\t€ 9.995,00\tDisponibile\t16 ottobre 2026",
      "I2\t\tAlfa Romeo\tGiulia\t2018\t80.000 km\t19.500\tVenduto\t",
    ],
    vehicles: {
      I1: { price: 9995, mileage: 55_000, status: "available", vin: null, listed_at: "2026-10-16" },
      I2: { price: 19_500, mileage: 80_000, status: "sold" },
    },
  },
  "of a Spanish dealer, whose Estado says new or used": {
    installation: EUROPE,
    lines: [
      "Referencia;Marca;Modelo;Año;Kms.;Precio al contado;Estado",
      "E1;SEAT;León;2017;92.500;15.995 €;Usado",
      "E2;SEAT;Ibiza;2026;12;21.995 €;Nuevo",
      "E3;SEAT;Ateca;2020;40.000;18.995 €;Reservado",
    ],
    vehicles: {
      E1: { price: 15_995, mileage: 92_500, status: "available", condition: "used" },
      E2: { status: "available", condition: "new" },
      E3: { status: "pending", condition: null },
    },
  },
  "of a British dealer, with remarks behind prices": {
    installation: BRITAIN,
    lines: [
      "Stock Ref,Reg,Make,Model,Derivative,Year,Mileage,Retail Price,Previous Keepers,Date In",
      'U1,AB12 CDE,Ford,Focus,Zetec,2017,"45,210","£9,995 ono",2,16/10/2026',
      "U2,,Vauxhall,Astra,,2018,30k,£7995 OBO,,05/06/26",
    ],
    unread: ["Reg"],
    vehicles: {
      U1: { price: 9995, mileage: 45_210, trim: "Zetec", owners: 2, listed_at: "2026-10-16" },
      U2: { price: 7995, mileage: 30_000, listed_at: "2026-06-05" },
    },
  },
  "of a table in bars whose headings are abbreviated": {
    installation: AMERICA,
    lines: [
      "STK_NO|VIN_NO|MODEL_YR|MAKE_NAME|MODEL_NAME|RETAIL $|ODOMETER_READING|DESC.",
      "B1|1HGBH41JXMN109186|2021|HONDA|CIVIC|18995.0000|31204.00|GOOD CAR",
    ],
    vehicles: { B1: { year: 2021, price: 18_995, mileage: 31_204, description: "GOOD CAR" } },
  },
  "of a spreadsheet whose keys are texts and whose headings are two words for one": {
    installation: AMERICA,
    lines: [
      "Stock Number*,VIN*,Mfg Year*,Make*,Model*,Price ($)*,Mileage / Odometer",
      "'00123,'1HGBH41JXMN109186,2021,Honda,Civic,18995.-,\"31,204 mi.\"",
      '="00124",1J9RP 1A36A 1644345,2020,Ford,Focus,USD 9995,31204mi',
    ],
    vehicles: {
      "00123": { vin: "1HGBH41JXMN109186", price: 18_995, mileage: 31_204 },
      "00124": { vin: "1J9RP1A36A1644345", price: 9995, mileage: 31_204 },
    },
  },
  "of a database, with a line under the heading and its count at the end": {
    installation: AMERICA,
    lines: [
      "STOCK_NUMBER  ,VIN              ,YEAR,MAKE      ,MODEL     ,PRICE    ",
      "--------------,-----------------,----,----------,----------,---------",
      "Q1            ,1HGBH41JXMN109186,2021,HONDA     ,CIVIC     , 18995.00",
      "Q2            ,NULL             ,2020,FORD      ,FOCUS     ,  9995.00",
      "",
      "2 rows selected.",
    ],
    skipped: 2,
    vehicles: { Q1: { price: 18_995 }, Q2: { price: 9995, vin: null } },
  },
};

const HEADERS = { "windows-1252": { "content-type": "text/csv; charset=windows-1252" } };
const EURO = 0x80;

/** The bytes of a text with no letters beyond Latin-1 but the sign of the euro. */
const inWindows1252 = (text: string): Uint8Array =>
  Uint8Array.from([...text].map((letter) => (letter === "€" ? EURO : letter.charCodeAt(0))));

for (const engine of ANSWERING)
  describe(`the file on ${engine.name}`, () => {
    const { fixture, newDealer, imported, vehiclesOf } = importsOn(engine);

    for (const [name, { installation, lines, unread = [], vehicles, skipped = 0, letters }] of Object.entries(DIALECTS))
      test(`${name} is read without a hand, and no vehicle is lost`, async () => {
        expectReply(await fixture.api("PUT", "/api/settings", { body: installation }), { status: 200 });
        const dealer = await newDealer();
        const text = `${lines.join("\n")}\n`;
        const raw = letters === undefined ? text : inWindows1252(text);
        const { counts, columns } = await imported({ dealer, raw, ...(letters && { headers: HEADERS[letters] }) });
        expect(columns.filter(({ field }) => field === null).map(({ heading }) => heading)).toEqual([...unread]);
        expect(counts).toMatchObject({ created: Object.keys(vehicles).length, failed: 0, skipped });
        const read = Object.fromEntries(
          (await vehiclesOf(dealer)).map((vehicle): [string, Read] => [
            vehicle.stock_number ?? "",
            { ...vehicle, listed_at: vehicle.listed_at?.slice(0, 10) },
          ]),
        );
        for (const [stock, expected] of Object.entries(vehicles)) expect(read[stock]).toMatchObject(expected);
      });

    test("whose photos are a list that a program wrote has them all, and file names cost no vehicle", async () => {
      const dealer = await newDealer();
      const [one, two] = ["https://b.example.com/1.jpg", "https://b.example.com/2.jpg"];
      const lists = [
        `[""${one}"",""${two}""]`,
        `{${one},${two}}`,
        `[""https:\\/\\/b.example.com\\/1.jpg""]`,
        "1.jpg;2.jpg",
      ];
      const rows = lists.map((list, at) => `L${at},2021,Honda,Civic,18995,"${list}"`);
      const { counts } = await imported({ dealer, raw: ["Stock,Year,Make,Model,Price,Images", ...rows].join("\n") });
      expect(counts).toMatchObject({ created: 4, failed: 0, warnings: 1 });
      const images = await Promise.all(
        (await vehiclesOf(dealer)).map(async ({ id, stock_number }) => [
          stock_number,
          (await fixture.api<{ image_url: string }[]>("GET", `/api/vehicles/${id}/images`)).body.map(
            ({ image_url }) => image_url,
          ),
        ]),
      );
      expect(Object.fromEntries(images)).toEqual({ L0: [one, two], L1: [one, two], L2: [one], L3: [] });
    });
  });
