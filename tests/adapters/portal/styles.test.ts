import { expect, test } from "bun:test";
import { Glob } from "bun";

const PORTAL = `${import.meta.dir}/../../../adapters/portal`;
const IMPORTS = /import \{([^}]*)\} from "@mantine\/core"/g;

/** The components of the library that the portal's sources name. */
const usedComponents = async (): Promise<readonly string[]> => {
  const used = new Set<string>();
  for (const path of new Glob("**/*.tsx").scanSync(PORTAL))
    for (const [, names = ""] of (await Bun.file(`${PORTAL}/${path}`).text()).matchAll(IMPORTS))
      for (const name of names.split(",")) used.add(name.replace("type ", "").trim());
  return [...used];
};

test("the style sheet of every component in use is imported: without it the component looks broken", async () => {
  const css = await Bun.file(`${PORTAL}/portal.css`).text();
  const styles = new URL("./styles/", import.meta.resolve("@mantine/core/styles.css").replace("styles.css", ""));
  const unstyled: string[] = [];
  for (const name of await usedComponents())
    if ((await Bun.file(new URL(`${name}.css`, styles)).exists()) && !css.includes(`styles/${name}.css"`))
      unstyled.push(name);
  expect(unstyled).toEqual([]);
});
