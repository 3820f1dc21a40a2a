import { Argument, type Command, type Option } from "commander";
import { type CommandWords, SCRIPTS, type Word } from "./completion-scripts.ts";
import { usageError } from "./exit.ts";
import { print } from "./output.ts";

const wordOf = (name: string, description: string): Word => ({ name, description });

const optionOf = (option: Option): CommandWords["options"][number] => ({
  ...wordOf(option.long ?? option.flags, option.description),
  values: option.required ? (option.argChoices ?? []) : null,
});

/** The words of a command and of all its subcommands. The command itself comes first. */
export const wordsOf = (command: Command, path: readonly string[] = []): CommandWords[] => {
  const [argument] = command.registeredArguments;
  const help = { name: "--help", description: "show this help", values: null };
  return [
    {
      path,
      words: [
        ...command.commands.map((one) => wordOf(one.name(), one.description())),
        ...(argument?.argChoices ?? []).map((choice) => wordOf(choice, "")),
      ],
      options: [...command.options.map(optionOf), help],
      takesFile: argument?.name() === "file",
    },
    ...command.commands.flatMap((one) => wordsOf(one, [...path, one.name()])),
  ];
};

/** Adds the command `completion`. It knows every command of the program. */
export const addCompletion = (program: Command): void => {
  const shells = Object.keys(SCRIPTS);
  program
    .command("completion")
    .description("print a script with which a shell completes commands and options")
    .addArgument(new Argument("<shell>", "the shell").choices(shells).argParser((text: string) => text))
    .addHelpText(
      "after",
      `
Examples:
  bash  echo 'source <(vehicle-inventory completion bash)' >> ~/.bashrc
  zsh   echo 'source <(vehicle-inventory completion zsh)' >> ~/.zshrc    (after compinit)
  fish  vehicle-inventory completion fish > ~/.config/fish/completions/vehicle-inventory.fish`,
    )
    .action((shell: string) => {
      const script = SCRIPTS[shell];
      if (script === undefined) throw usageError(`<shell>: must be one of ${shells.join(", ")}`);
      print(script(wordsOf(program)));
    });
};
