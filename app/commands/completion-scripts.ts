/** A command, option or value that can be typed. */
export interface Word {
  readonly name: string;
  readonly description: string;
}

/** The words that can follow a command. */
export interface CommandWords {
  /** The names that lead to the command. There are none for the program itself. */
  readonly path: readonly string[];
  /** Subcommands, or values of the command's argument. */
  readonly words: readonly Word[];
  /** The values of each option: `null` if it takes no value, an empty list if it takes any value. */
  readonly options: readonly (Word & { readonly values: readonly string[] | null })[];
  readonly takesFile: boolean;
}

const PROGRAM = "vehicle-inventory";

const pathOf = ({ path }: CommandWords): string => path.join(" ");

/**
 * The steps by which a script recognises the command while it is typed: `keys` at the start, then `create` after
 * `keys`.
 */
const stepsOf = (commands: readonly CommandWords[], quote: string): string[] =>
  commands
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `${quote}${path.slice(0, -1).join(" ")} ${path.at(-1)}${quote}`);

interface Case {
  readonly pattern: string;
  readonly values: readonly string[];
}

/** The options that take values, as patterns of the command and the option. */
const valuesOf = (commands: readonly CommandWords[]): Case[] =>
  commands.flatMap((command) =>
    command.options.flatMap(({ name, values }) =>
      values === null ? [] : [{ pattern: `"${pathOf(command)} ${name}"`, values }],
    ),
  );

const fileCommands = (commands: readonly CommandWords[]): string[] =>
  commands.filter(({ takesFile }) => takesFile).map((command) => `"${pathOf(command)}"`);

const candidatesOf = ({ words, options }: CommandWords): Word[] => [...words, ...options];

/**
 * Bash splits words at the colons in permissions. So the script reads the line itself, and removes what was typed
 * already.
 */
const bash = (commands: readonly CommandWords[]): string => `# bash completion of ${PROGRAM}
_vehicle_inventory() {
  local line=\${COMP_LINE:0:COMP_POINT} command= values= word
  local current=\${line##*[[:space:]]}
  local -a typed
  read -ra typed <<<"\${line%"$current"}"
  for word in "\${typed[@]:1}"; do
    case "$command $word" in
      ${stepsOf(commands, '"').join(" | ")}) command=\${command:+$command }$word ;;
    esac
  done
  case "$command \${typed[-1]}" in
${valuesOf(commands)
  .map(({ pattern, values }) => `    ${pattern}) values="${values.join(" ")} " ;;`)
  .join("\n")}
  esac
  if [[ -z $values ]]; then
    case "$command" in
${commands
  .map(
    (one) =>
      `      "${pathOf(one)}") values="${candidatesOf(one)
        .map(({ name }) => name)
        .join(" ")}" ;;`,
  )
  .join("\n")}
    esac
    case "$command" in
      ${fileCommands(commands).join(" | ")}) [[ $current == -* ]] || { COMPREPLY=(); compopt -o default 2>/dev/null; return; } ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$values" -- "$current"))
  [[ $COMP_WORDBREAKS != *:* ]] || COMPREPLY=("\${COMPREPLY[@]#"\${current%"\${current##*:}"}"}")
}
complete -F _vehicle_inventory ${PROGRAM}`;

const zshQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const zsh = (commands: readonly CommandWords[]): string => `#compdef ${PROGRAM}
# zsh completion of ${PROGRAM}
_vehicle_inventory() {
  local command= word
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $word" in
      ${stepsOf(commands, '"').join(" | ")}) command=\${command:+$command }$word ;;
    esac
  done
  case "$command $words[CURRENT-1]" in
${valuesOf(commands)
  .map(({ pattern, values }) => `    ${pattern}) compadd -- ${values.join(" ")}; return ;;`)
  .join("\n")}
  esac
  case "$command" in
${commands
  .map(
    (one) =>
      `    "${pathOf(one)}") entries=(${candidatesOf(one)
        .map(({ name, description }) => zshQuoted(`${name}:${description}`))
        .join(" ")}) ;;`,
  )
  .join("\n")}
  esac
  case "$command" in
    ${fileCommands(commands).join(" | ")}) [[ $PREFIX == -* ]] || { _files; return; } ;;
  esac
  _describe '${PROGRAM}' entries
}
if [[ $funcstack[1] == _vehicle_inventory ]]; then _vehicle_inventory "$@"; else compdef _vehicle_inventory ${PROGRAM}; fi`;

const fishQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;

const fishLines = (command: CommandWords): string[] => {
  const start = `complete -c ${PROGRAM} -n ${fishQuoted(`__vehicle_inventory_at ${fishQuoted(pathOf(command))}`)}`;
  const descriptionFlag = ({ description }: Word): string =>
    description === "" ? "" : ` -d ${fishQuoted(description)}`;
  const valuesFlag = (values: readonly string[] | null): string =>
    values === null ? "" : ` -x -a ${fishQuoted(values.join(" "))}`;
  return [
    ...command.words.map((word) => `${start} -a ${word.name}${descriptionFlag(word)}`),
    ...command.options.map(
      (option) => `${start} -l ${option.name.slice(2)}${descriptionFlag(option)}${valuesFlag(option.values)}`,
    ),
    ...(command.takesFile ? [`${start} -F`] : []),
  ];
};

const fish = (commands: readonly CommandWords[]): string => `# fish completion of ${PROGRAM}
function __vehicle_inventory_at
    set -l command
    for word in (commandline -opc)[2..]
        switch "$command $word"
            case ${stepsOf(commands, "'").join(" ")}
                set command (string trim -- "$command $word")
        end
    end
    test "$command" = "$argv"
end
complete -c ${PROGRAM} -f
${commands.flatMap(fishLines).join("\n")}`;

/** The completion script of each shell. */
export const SCRIPTS: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = { bash, zsh, fish };
