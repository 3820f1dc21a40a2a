import table from "./makes.txt" with { type: "text" };
import { engineNamed, type Make, type Model } from "./model.ts";
import { lottery } from "./random.ts";

const listed = (text: string): readonly string[] => text.split(", ");

/** A line of the table: the name, identifier, first year, body, price, trims, engines and drivetrains of a model. */
const modelOf = (line: string): Model => {
  const [name = "", wmi = "", since, body, price, trims = "", engines = "", drivetrains = ""] = line.split(" | ");
  return {
    name,
    wmi,
    since: Number(since),
    body: body as Model["body"],
    price: Number(price),
    trims: listed(trims),
    engines: listed(engines).map(engineNamed),
    drivetrains: listed(drivetrains),
  };
};

/** The makes of invented vehicles. Each has its name and market share in a line, and then its models. */
export const MAKES: readonly Make[] = table
  .trimEnd()
  .split("\n\n")
  .map((text) => {
    const [heading = "", ...models] = text.split("\n");
    const [name = "", share] = heading.split(" | ");
    return { name, share: Number(share), models: models.map(modelOf) };
  });

/** Draws a make by its market share. */
export const drawMake = lottery(MAKES.map((make) => [make, make.share] as const));
