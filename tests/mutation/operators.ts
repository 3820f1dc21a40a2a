import ts from "typescript";
import { sqlConditions } from "./sql-conditions.ts";

/** A replacement of one piece of a file's text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Finds what can be broken at one node of a program. */
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

/** A comparison that means the opposite, or that is off by one. */
const comparison: Operator = (node) => {
  if (!ts.isBinaryExpression(node)) return [];
  const other = OTHER_COMPARISONS[node.operatorToken.getText()];
  return other === undefined ? [] : [replace(node, `${node.left.getText()} ${other} ${node.right.getText()}`)];
};

/** A condition that always holds, and one that never does. */
const condition: Operator = (node) => {
  const asked = ts.isIfStatement(node)
    ? node.expression
    : ts.isConditionalExpression(node)
      ? node.condition
      : undefined;
  return asked === undefined ? [] : [replace(asked, "true"), replace(asked, "false")];
};

const JOINING = new Set(["&&", "||", "??"]);

/** One side alone of what joins two conditions. */
const joined: Operator = (node) =>
  ts.isBinaryExpression(node) && JOINING.has(node.operatorToken.getText())
    ? [replace(node, `(${node.left.getText()})`), replace(node, `(${node.right.getText()})`)]
    : [];

const negation: Operator = (node) =>
  ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken
    ? [replace(node, `!!(${node.operand.getText()})`)]
    : [];

/** Functions whose answer is a refusal. */
const REFUSING = /^(?:escalation|invalid|lockedOut)$/;

/** Nothing in place of a refusal: what was refused is allowed. */
const refusal: Operator = (node) => {
  const isRefusal =
    (ts.isNewExpression(node) && /^(?:Failure|Problem)$/.test(node.expression.getText())) ||
    (ts.isCallExpression(node) && REFUSING.test(node.expression.getText()));
  return isRefusal ? [replace(node, "null")] : [];
};

/** The left side of what keeps the bits that both sides have: a ceiling that is not there. */
const mask: Operator = (node) =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandToken
    ? [replace(node, `(${node.left.getText()})`)]
    : [];

/** Some or every of a list in place of the other. */
const quantifier: Operator = (node) => {
  if (!ts.isPropertyAccessExpression(node)) return [];
  if (node.name.text === "some") return [replace(node.name, "every")];
  return node.name.text === "every" ? [replace(node.name, "some")] : [];
};

const OTHER_ACTIONS: Readonly<Record<string, string>> = { read: "write", write: "read", delete: "read" };

/** A cell of the policy that says something else. */
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

/** A member of a list of names that is not there. */
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

/** A statement without one of its conditions. */
const where: Operator = (node) =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  NARROWING.has(node.expression.name.text)
    ? [{ start: node.expression.expression.end, end: node.end, replacement: "" }]
    : [];

const BOUNDS: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };

/** A bound of a statement that is off by one. */
const bound: Operator = (node) => {
  if (!ts.isStringLiteral(node) || !ts.isCallExpression(node.parent) || node.parent.arguments[1] !== node) return [];
  const other = BOUNDS[node.text];
  return other === undefined ? [] : [replace(node, `"${other}"`)];
};

/** SQL that is written out without one of its conditions. */
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

/** A scope that is taken for everybody's, or the other way round. */
const scope: Operator = (node, source) =>
  ts.isBinaryExpression(node) && SCOPES.test(node.left.getText()) ? comparison(node, source) : [];

/** What only some see, seen by everybody. */
const sight: Operator = (node) =>
  ts.isPropertyAccessExpression(node) && /^(?:SEES|TOLD|TOLD_AFTER)$/.test(node.expression.getText())
    ? node.name.text === "everything"
      ? []
      : [replace(node.name, "everything")]
    : [];

/** A ceiling that is not given to its component, or not asked. */
const ceilingAttribute: Operator = (node) =>
  ts.isJsxAttribute(node) && node.name.getText() === "ceiling" ? [replace(node, "")] : [];

const ceilingCondition: Operator = (node, source) => (/\bceiling\b/.test(node.getText()) ? joined(node, source) : []);

/** An attribute of a cookie that is not there: a property, or a piece of the header's text. */
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

const LOGIC = { comparison, condition, joined, negation, quantifier };

/** The operators that areas choose from, by name. */
export const OPERATORS = {
  rules: { ...LOGIC, refusal, mask, cell, member },
  statements: { where, bound, sqlCondition, scope, sight },
  ceilings: { mask, ceilingAttribute, ceilingCondition },
  origins: { ...LOGIC, refusal },
  cookies: { ...LOGIC, cookieAttribute },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Operator>>>>;

export type OperatorSet = keyof typeof OPERATORS;
