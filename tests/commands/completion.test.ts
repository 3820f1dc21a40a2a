import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wordsOf } from "../../app/commands/completion.ts";
import { makeProgram } from "../../app/commands/program.ts";
import { afterExit } from "../support/after-exit.ts";
import { inGate } from "../support/depth.ts";
import { TEST_TIMEOUT_MS, testProgram } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-completion-"));
afterExit('rm -rf "$1"', folder);
writeFileSync(join(folder, "saved.db"), "");

/** A script for each shell that loads ./script and prints the proposals for each line of ./lines, one line each. */
const PROBES = {
  bash: [
    ["bash", "--norc", "--noprofile", "-c"],
    `source ./script && complete -p vehicle-inventory >/dev/null || exit 1
    compopt() { COMPREPLY=($(compgen -f -- "$current")); }
    while IFS= read -r COMP_LINE; do
      COMP_POINT=\${#COMP_LINE}
      _vehicle_inventory
      echo "\${COMPREPLY[*]}"
    done <./lines`,
  ],
  // zsh completes only at a terminal, and shows the result only there.
  zsh: [
    ["zsh", "-f", "-c"],
    `zmodload zsh/zpty
    zpty shell 'TERM=xterm exec zsh -f -i'
    zpty -w shell 'PROMPT=; typeset -ga hits; autoload -U compinit; compinit -u -D; source ./script'
    zpty -w shell 'compadd() { local -a found; builtin compadd -O found "$@"; hits+=($found); builtin compadd "$@"; }'
    zpty -w shell 'probe() { hits=(); zle complete-word; BUFFER=; zle -I; print -r -- "<hits>\${(j: :)hits}<end>"; }'
    zpty -w shell 'zle -N probe; bindkey "^I" probe; print -r -- "<read""y>"'
    zpty -r shell output '*<ready>*'
    while IFS= read -r line; do
      zpty -w -n shell "$line"$'\\t'
      zpty -r shell output '*<hits>*<end>'
      print -r -- \${\${output##*<hits>}%%<end>*}
    done <./lines`,
  ],
  fish: [
    ["fish", "--no-config", "-c"],
    `source ./script; or exit 1
    while read -l line
      echo (complete -C $line | string replace -r '\\t.*' '')
    end <./lines`,
  ],
} as const;

const COMMANDS = wordsOf(makeProgram());

/** Typed lines with the expected proposals; fish proposes options only after a hyphen. */
const expectedOf = (shell: keyof typeof PROBES): (readonly [line: string, proposed: readonly string[]])[] =>
  COMMANDS.flatMap(({ path, words, options, takesFile }) => {
    const line = ["vehicle-inventory", ...path, ""].join(" ");
    const names = words.map(({ name }) => name);
    const long = options.map(({ name }) => name);
    return [
      [`${line}--`, long] as const,
      ...(takesFile ? [[`${line}sav`, ["saved.db"]] as const] : []),
      ...(takesFile || (shell === "fish" && names.length === 0)
        ? []
        : [[line, shell === "fish" ? names : [...names, ...long]] as const]),
      ...options.flatMap(({ name, values }) => (values === null ? [] : [[`${line}${name} `, values] as const])),
    ];
  });

const PARTS: readonly (readonly [line: string, proposed: readonly string[]])[] = [
  ["vehicle-inventory ke", ["keys"]],
  ["vehicle-inventory users de", ["deactivate"]],
  ["vehicle-inventory users list --role d", ["dealer_admin"]],
  ["vehicle-inventory keys create --name Hall --app-type w", ["web"]],
];

describe("completion", () => {
  for (const [shell, [command, probe]] of Object.entries(PROBES) as [keyof typeof PROBES, (typeof PROBES)["bash"]][])
    test.skipIf(Bun.which(shell) === null)(
      `for ${shell} proposes every command, option and value, and files`,
      async () => {
        const { code, out } = await testProgram().run("completion", shell);
        expect(code).toBe(0);
        const every = [...expectedOf(shell), ...PARTS];
        // zsh takes seconds for all at its terminal: the gate asks each third.
        const step = shell === "zsh" ? inGate(3, 1) : 1;
        const expected = every.filter((_, index) => index % step === 0);
        writeFileSync(join(folder, "script"), out);
        writeFileSync(join(folder, "lines"), expected.map(([line]) => `${line}\n`).join(""));
        const ran = Bun.spawnSync([...command, probe], {
          cwd: folder,
          env: { ...process.env, HOME: folder },
          timeout: TEST_TIMEOUT_MS / 2,
        });
        expect(ran.stderr.toString()).toBe("");
        const proposed = ran.stdout.toString().split("\n");
        expect(
          expected.map(([line], index) => [line, [...new Set(proposed[index]?.split(" ").filter(Boolean))].sort()]),
        ).toEqual(expected.map(([line, words]) => [line, [...words].sort()]));
      },
    );

  test("in bash removes what bash has split off at a colon", async () => {
    const { out } = await testProgram().run("completion", "bash");
    const line = "vehicle-inventory keys create --permission vehicles:r";
    const probe = `${out}\nCOMP_LINE='${line}' COMP_POINT=${line.length}; _vehicle_inventory; echo "\${COMPREPLY[*]}"`;
    for (const [breaks, proposed] of [
      [" :=", "read\n"],
      [" =", "vehicles:read\n"],
    ] as const) {
      const ran = Bun.spawnSync(["bash", "--norc", "-c", `COMP_WORDBREAKS='${breaks}'\n${probe}`]);
      expect(ran.stdout.toString()).toBe(proposed);
    }
  });

  test("supports every shell that the program names", () => {
    const shells = COMMANDS.find(({ path }) => path.join() === "completion")?.words.map(({ name }) => name);
    expect(shells).toEqual(Object.keys(PROBES));
  });
});
