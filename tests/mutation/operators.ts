import ts from "typescript";
import { sqlConditions } from "./sql-conditions.ts";

/** A replacement of one piece of a file's text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Finds the edits that break one node of a program. */
export type Operator = (node: ts.Node, source: ts.SourceFile) => readonly Edit[];

const replace = (node: ts.Node, replacement: string): Edit => ({
  start: node.getStart(),
  end: node.end,
  replacement,
});

const OTHER_COMPARISONS: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
};

/** Inverts a comparison, or moves it by one. */
const comparison: Operator = (node) => {
  if (!ts.isBinaryExpression(node)) return [];
  const other = OTHER_COMPARISONS[node.operatorToken.getText()];
  return other === undefined ? [] : [replace(node, `${node.left.getText()} ${other} ${node.right.getText()}`)];
};

/** Makes a condition always true, and always false. */
const condition: Operator = (node) => {
  const asked = ts.isIfStatement(node)
    ? node.expression
    : ts.isConditionalExpression(node)
      ? node.condition
      : undefined;
  return asked === undefined ? [] : [replace(asked, "true"), replace(asked, "false")];
};

const JOINING = new Set(["&&", "||", "??"]);

/** Keeps only one side of two joined conditions. */
const joined: Operator = (node) =>
  ts.isBinaryExpression(node) && JOINING.has(node.operatorToken.getText())
    ? [replace(node, `(${node.left.getText()})`), replace(node, `(${node.right.getText()})`)]
    : [];

const negation: Operator = (node) =>
  ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken
    ? [replace(node, `!!(${node.operand.getText()})`)]
    : [];

/** Functions that return a refusal. */
const REFUSING = /^(?:escalation|invalid|lockedOut)$/;

/** Replaces a refusal by nothing, so that it is allowed. */
const refusal: Operator = (node) => {
  const isRefusal =
    (ts.isNewExpression(node) && /^(?:Failure|Problem)$/.test(node.expression.getText())) ||
    (ts.isCallExpression(node) && REFUSING.test(node.expression.getText()));
  return isRefusal ? [replace(node, "null")] : [];
};

/** Keeps only the left side of a bitwise AND: removes a ceiling. */
const mask: Operator = (node) =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandToken
    ? [replace(node, `(${node.left.getText()})`)]
    : [];

/** Swaps `some` and `every`. */
const quantifier: Operator = (node) => {
  if (!ts.isPropertyAccessExpression(node)) return [];
  if (node.name.text === "some") return [replace(node.name, "every")];
  return node.name.text === "every" ? [replace(node.name, "some")] : [];
};

const OTHER_ACTIONS: Readonly<Record<string, string>> = { read: "write", write: "read", delete: "read" };

/** Changes a cell of the policy. */
const cell: Operator = (node) => {
  if (!ts.isPropertyAssignment(node) || !ts.isStringLiteral(node.initializer)) return [];
  const { text } = node.initializer;
  if (node.name.getText() === "bound") return [replace(node.initializer, text === "own" ? '"filtered"' : '"own"')];
  const [resource, action = ""] = text.split(":");
  const other = OTHER_ACTIONS[action];
  return node.name.getText() === "needs" && other !== undefined
    ? [replace(node.initializer, `"${resource}:${other}"`)]
    : [];
};

/** Removes a member of a list of names. */
const member: Operator = (node) =>
  ts.isArrayLiteralExpression(node) && node.elements.length > 1 && node.elements.every(ts.isStringLiteral)
    ? node.elements.map((element) =>
        replace(
          node,
          `[${node.elements
            .filter((other) => other !== element)
            .map((other) => other.getText())
            .join(", ")}]`,
        ),
      )
    : [];

const NARROWING = new Set(["where", "whereRef", "on", "having"]);

/** Removes a condition from a statement. */
const where: Operator = (node) =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  NARROWING.has(node.expression.name.text)
    ? [{ start: node.expression.expression.end, end: node.end, replacement: "" }]
    : [];

const BOUNDS: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };

/** Moves a bound of a statement by one. */
const bound: Operator = (node) => {
  if (!ts.isStringLiteral(node) || !ts.isCallExpression(node.parent) || node.parent.arguments[1] !== node) return [];
  const other = BOUNDS[node.text];
  return other === undefined ? [] : [replace(node, `"${other}"`)];
};

/** Removes a condition from SQL text. */
const sqlCondition: Operator = (node, source) => {
  if (!ts.isTaggedTemplateExpression(node) || !/^sql\b/.test(node.tag.getText())) return [];
  const [from, to] = [node.template.getStart() + 1, node.template.end - 1];
  const text = source.text.slice(from, to);
  const masked = text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, ({ length }) => "?".repeat(length));
  const whole = /^sql<SqlBool>$/.test(source.text.slice(node.tag.getStart(), from - 1));
  const conditions = sqlConditions(masked);
  if (whole && text.trim() !== "1 = 1") conditions.push({ start: 0, end: text.length, neutral: "1 = 1" });
  return conditions.map(({ start, end, neutral }) => ({ start: from + start, end: from + end, replacement: neutral }));
};

const SCOPES = /\b(?:scope|visibility|sees|seen|narrowed)\b/i;

/** Replaces a scope by everybody's, or the reverse. */
const scope: Operator = (node, source) =>
  ts.isBinaryExpression(node) && SCOPES.test(node.left.getText()) ? comparison(node, source) : [];

/** Shows everybody what only some may see. */
const visibility: Operator = (node) =>
  ts.isPropertyAccessExpression(node) &&
  /^(?:IS_KEY_VISIBLE|IS_USAGE_VISIBLE|USAGE_VISIBLE_AFTER)$/.test(node.expression.getText())
    ? node.name.text === "everything"
      ? []
      : [replace(node.name, "everything")]
    : [];

/** Removes a ceiling from a component, or its check. */
const ceilingAttribute: Operator = (node) =>
  ts.isJsxAttribute(node) && node.name.getText() === "ceiling" ? [replace(node, "")] : [];

const ceilingCondition: Operator = (node, source) => (/\bceiling\b/.test(node.getText()) ? joined(node, source) : []);

/** Removes an attribute of a cookie: a property, or a piece of the header's text. */
const cookieAttribute: Operator = (node, source) => {
  if (ts.isPropertyAssignment(node)) return [replace(node, `${node.name.getText()}: undefined`)];
  if (ts.isShorthandPropertyAssignment(node)) return [replace(node, `${node.name.getText()}: undefined`)];
  const isText = ts.isTemplateExpression(node) || ts.isStringLiteral(node);
  if (!isText) return [];
  const from = node.getStart();
  const pieces = source.text
    .slice(from, node.end)
    .matchAll(/(?:Max-Age=\$\{\w+\}|Path=\/|HttpOnly|Secure|SameSite=Strict);?/g);
  return [...pieces].map(({ index, 0: piece }) => ({
    start: from + index,
    end: from + index + piece.length,
    replacement: "",
  }));
};

/** Leaves out a step: a call whose result nobody uses. */
const step: Operator = (node) => {
  if (!ts.isExpressionStatement(node)) return [];
  const called = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
  return ts.isCallExpression(called) ? [replace(node, ";")] : [];
};

/** Settings of SQLite that a lost machine would need, and what they become. */
const OTHER_SETTINGS: Readonly<Record<string, string>> = {
  "synchronous = FULL": "synchronous = OFF",
  "journal_mode = WAL": "journal_mode = MEMORY",
};

/** Weakens a setting that keeps what was written. */
const setting: Operator = (node) => {
  const other = ts.isStringLiteral(node) ? OTHER_SETTINGS[node.text] : undefined;
  return other === undefined ? [] : [replace(node, `"${other}"`)];
};

/** Removes a row of a table of texts. */
const row: Operator = (node) =>
  ts.isArrayLiteralExpression(node) &&
  node.elements.length > 0 &&
  node.elements.every(ts.isStringLiteral) &&
  ts.isArrayLiteralExpression(node.parent)
    ? [replace(node, "...[]")]
    : [];

const LOGIC = { comparison, condition, joined, negation, quantifier };

/** The operators by name, for areas to choose from. */
export const OPERATORS = {
  rules: { ...LOGIC, refusal, mask, cell, member },
  statements: { where, bound, sqlCondition, scope, sight: visibility },
  ceilings: { mask, ceilingAttribute, ceilingCondition },
  origins: { ...LOGIC, refusal },
  cookies: { ...LOGIC, cookieAttribute },
  turns: LOGIC,
  durability: { ...LOGIC, step, setting },
  egress: { ...LOGIC, refusal, row },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Operator>>>>;

export type OperatorSet = keyof typeof OPERATORS;
