import ts from "typescript";

/** Something that a file imports, or passes on. */
export interface Import {
  /** As it is written. */
  readonly specifier: string;
  /** True of an import that is gone when the types are. */
  readonly isTypeOnly: boolean;
}

/** A text of TypeScript as a tree, without its comments. */
export const parsed = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });

const isTypeOnly = (node: ts.ImportDeclaration | ts.ExportDeclaration): boolean => {
  const clause = ts.isImportDeclaration(node) ? node.importClause : node;
  if (clause?.isTypeOnly) return true;
  const names = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
  const others = ts.isImportDeclaration(node) ? node.importClause?.name : undefined;
  return (
    names !== undefined &&
    (ts.isNamedImports(names) || ts.isNamedExports(names)) &&
    names.elements.length > 0 &&
    names.elements.every((element) => element.isTypeOnly) &&
    others === undefined
  );
};

const isImporting = ({ expression }: ts.CallExpression): boolean =>
  expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(expression) && expression.text === "require");

/** The node that names what is imported, if this one imports anything. */
const specifierOf = (node: ts.Node): ts.Node | undefined => {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  return ts.isCallExpression(node) && isImporting(node) ? node.arguments[0] : undefined;
};

/** Everything that a file imports: modules, types, later on when it runs, and by references above its first line. */
export const importsIn = (source: ts.SourceFile): readonly Import[] => {
  const found: Import[] = source.referencedFiles.map(({ fileName }) => ({ specifier: fileName, isTypeOnly: false }));
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined && ts.isStringLiteralLike(specifier))
      found.push({
        specifier: specifier.text,
        isTypeOnly: (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && isTypeOnly(node),
      });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};
