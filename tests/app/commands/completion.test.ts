import { expect, test } from "bun:test";
import { Argument, Command, Option } from "commander";
import { wordsOf } from "../../../app/commands/completion.ts";

const HELP = { name: "--help", description: "show this help", values: null };

test("a shell completes commands, options, their words, and files where a command takes one", () => {
  const program = new Command("program").option("-V, --version", "the version");
  program
    .command("keep")
    .description("keep it")
    .addArgument(new Argument("<file>", "where"))
    .addOption(new Option("--format <word>", "the format").choices(["csv", "tsv"]))
    .option("--name <text>", "the name")
    .option("--no-photos", "no photos");
  const shells = program.command("shells").description("of shells");
  shells
    .command("print")
    .description("print it")
    .addArgument(new Argument("<shell>", "which").choices(["bash"]));
  expect(wordsOf(program)).toEqual([
    {
      path: [],
      words: [
        { name: "keep", description: "keep it" },
        { name: "shells", description: "of shells" },
      ],
      options: [{ name: "--version", description: "the version", values: null }, HELP],
      takesFile: false,
    },
    {
      path: ["keep"],
      words: [],
      options: [
        { name: "--format", description: "the format", values: ["csv", "tsv"] },
        { name: "--name", description: "the name", values: [] },
        { name: "--no-photos", description: "no photos", values: null },
        HELP,
      ],
      takesFile: true,
    },
    { path: ["shells"], words: [{ name: "print", description: "print it" }], options: [HELP], takesFile: false },
    { path: ["shells", "print"], words: [{ name: "bash", description: "" }], options: [HELP], takesFile: false },
  ]);
});
