import { expect } from "bun:test";
import { join } from "node:path";

const RECIPES = join(import.meta.dir, "../../docs/recipes");

/** Python, which machines without it do not need: the recipes in it are then not run. */
export const PYTHON = Bun.which("python3");

/** How a recipe is run. */
export interface RecipeRun {
  readonly folder: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a recipe as its first lines say. */
export const startRecipe = (recipe: string, { folder, args = [], env }: RecipeRun) => {
  const interpreter = recipe.endsWith(".py") ? (PYTHON ?? "python3") : process.execPath;
  return Bun.spawn([interpreter, join(RECIPES, recipe), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
};

/** What a recipe printed when it has ended without any complaint. */
export const printedBy = async (running: ReturnType<typeof startRecipe>): Promise<string> => {
  const [printed, complaint] = await Promise.all([
    new Response(running.stdout).text(),
    new Response(running.stderr).text(),
  ]);
  expect([complaint, await running.exited]).toEqual(["", 0]);
  return printed;
};
