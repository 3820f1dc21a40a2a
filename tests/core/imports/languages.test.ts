import { describe, expect, test } from "bun:test";
import { columnsOf } from "../../../core/imports/headings/columns.ts";
import { foldHeading } from "../../../core/imports/headings/fold-heading.ts";
import { isImportField, knownHeading } from "../../../core/imports/headings/headings.ts";
import { OTHER_HEADINGS } from "../../../core/imports/headings/other-headings.ts";

const listed = OTHER_HEADINGS.flatMap((headings) =>
  Object.entries(headings).flatMap(([field, names]) => names.map((name) => ({ field, name }))),
);

describe("the headings of other languages", () => {
  test("each mean one field, and none means another one in the common table", () => {
    expect(listed.filter(({ field }) => !isImportField(field))).toEqual([]);
    expect(listed.filter(({ field, name }) => knownHeading(name)?.field !== field)).toEqual([]);
  });

  test("give way to those of the common table", () => {
    const columns = columnsOf(["VIN", "Preis", "Price"], {});
    expect("columns" in columns && columns.columns.map(({ field }) => field)).toEqual(["vin", null, "price"]);
  });

  const SAMPLES = {
    German: "FIN;Lagernummer;Marke;Modell;Baujahr;Verkaufspreis;Kilometerstand;Außenfarbe;Getriebe;Kraftstoff;Bilder",
    French: "Châssis;N° de stock;Marque;Modèle;Année;Prix TTC;Kilométrage;Couleur;Boîte de vitesses;Carburant;Photos",
    Spanish: "Bastidor;Nº stock;Marca;Modelo;Año;Precio;Kilometraje;Color exterior;Cambio;Combustible;Fotos",
    Italian: "Telaio;Codice interno;Marca;Modello;Anno;Prezzo;Chilometraggio;Colore;Cambio;Alimentazione;Foto",
  };
  for (const [language, heading] of Object.entries(SAMPLES))
    test(`read a ${language} file without a hand`, () => {
      const columns = columnsOf(heading.split(";"), {});
      expect("columns" in columns && columns.columns.map(({ field }) => field)).toEqual([
        ...(["vin", "stock_number", "make", "model", "year", "price", "mileage", "exterior_color"] as const),
        ...(["transmission", "fuel_type", "images"] as const),
      ]);
    });

  test("are written so that their folded forms are not empty", () => {
    expect(listed.filter(({ name }) => foldHeading(name) === "")).toEqual([]);
  });
});
