import ts from "typescript";
import { type Edit, OPERATORS, type OperatorSet } from "./operators.ts";

/** One way to break a file. */
export interface Mutant extends Edit {
  readonly file: string;
  readonly line: number;
  /** Identifies the mutant, even after lines have moved. */
  readonly name: string;
}

const MOST_SHOWN = 70;

const shown = (text: string): string => {
  const folded = text.replace(/\s+/g, " ").trim();
  return folded.length > MOST_SHOWN ? `${folded.slice(0, MOST_SHOWN)}…` : folded;
};

/** The name of the outermost declaration that a node belongs to. */
const declarationOf = (node: ts.Node, source: ts.SourceFile): string => {
  let outermost = node;
  while (outermost.parent !== undefined && outermost.parent !== source) outermost = outermost.parent;
  if (ts.isVariableStatement(outermost)) return outermost.declarationList.declarations[0]?.name.getText() ?? "";
  const { name } = outermost as ts.NamedDeclaration;
  return name?.getText() ?? "";
};

/** Every way in which these operators break a file, in text order; `within` limits them to these declarations. */
export const mutantsOf = (file: string, text: string, set: OperatorSet, within: readonly string[] | null): Mutant[] => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const times = new Map<string, number>();
  const visit = (node: ts.Node): void => {
    // Types have no effect at run time.
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    const declaration = declarationOf(node, source);
    if (within === null || within.includes(declaration))
      for (const [kind, operator] of Object.entries(OPERATORS[set]))
        for (const edit of operator(node, source)) {
          const what = `${shown(text.slice(edit.start, edit.end))} → ${shown(edit.replacement) || "nothing"}`;
          const base = `${file} ${declaration}: ${kind}: ${what}`;
          const time = (times.get(base) ?? 0) + 1;
          times.set(base, time);
          const line = source.getLineAndCharacterOfPosition(edit.start).line + 1;
          found.push({ ...edit, file, line, name: time === 1 ? base : `${base} (${time})` });
        }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.sort((one, other) => one.start - other.start);
};

/** The file with one mutant. */
export const broken = (text: string, { start, end, replacement }: Edit): string =>
  text.slice(0, start) + replacement + text.slice(end);
