import type { LabelSelector } from '#api/meta/v1';
import { parseInt64 } from './intstr.ts';
import { isQualifiedName, isValidLabelValue, quote } from './names.ts';

/** The labels of an object. A missing map means no labels. */
export type Labels = Readonly<Record<string, string>>;

/**
 * An immutable label selector: the query with which Services, controllers and watches choose objects by their labels.
 * Labels match if they meet every requirement.
 *
 * It has two spellings: the text of `kubectl get -l` ("app in (a,b),!canary"), and the LabelSelector object in a spec.
 * Both become a {@link Selector}.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/labels/selector.go Selector
 */
export class Selector {
  /** Ordered by key. */
  readonly requirements: readonly Requirement[];
  /** False only for {@link nothing}, whose empty list of requirements would otherwise match everything. */
  readonly selectable: boolean;

  constructor(requirements: readonly Requirement[], options: { selectable: boolean } = { selectable: true }) {
    this.requirements = Object.freeze(requirements.toSorted(byKey));
    this.selectable = options.selectable;
    Object.freeze(this);
  }

  matches(labels: Labels | undefined): boolean {
    if (!this.selectable) return false;
    for (const requirement of this.requirements) {
      if (!requirement.matches(labels)) return false;
    }
    return true;
  }

  /** Whether every object matches. */
  get empty(): boolean {
    return this.selectable && this.requirements.length === 0;
  }

  /** Returns a selector with additional requirements. {@link nothing} still matches nothing. */
  add(...requirements: readonly Requirement[]): Selector {
    return this.selectable ? new Selector([...this.requirements, ...requirements]) : this;
  }

  /** Returns the only value that the label can have to match, or undefined if several values match. */
  requiresExactMatch(label: string): string | undefined {
    const requirement = this.requirements.find(({ key }) => key === label);
    if (requirement === undefined || !EXACT.has(requirement.operator)) return undefined;
    return requirement.values.length === 1 ? requirement.values[0] : undefined;
  }

  /** Returns the text that {@link parse} parses. For both everything and nothing it is "". */
  toString(): string {
    return this.requirements.join(',');
  }
}

/**
 * The operator between a key and its values, in upstream's spelling. `==` is the same as `=`; `exists` and `!` take no
 * value; `gt` and `lt` compare integers.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/selection/operator.go Operator
 */
export type Operator = 'in' | 'notin' | '=' | '==' | '!=' | 'gt' | 'lt' | 'exists' | '!';

/**
 * A condition on a label. {@link newRequirement} creates and validates it.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/labels/selector.go Requirement
 */
export class Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];

  constructor(key: string, operator: Operator, values: readonly string[]) {
    this.key = key;
    this.operator = operator;
    this.values = Object.freeze([...values]);
    Object.freeze(this);
  }

  /** Returns whether the labels meet the requirement. An absent label meets only `!`, `!=` and `notin`. */
  matches(labels: Labels | undefined): boolean {
    const found = labels?.[this.key];
    // "constructor" is also a valid label key. Every object inherits a property of that name, which is not a string.
    const value = typeof found === 'string' ? found : undefined;
    switch (this.operator) {
      case 'in':
      case '=':
      case '==':
        return value !== undefined && (value === this.values[0] || this.values.includes(value));
      case 'notin':
      case '!=':
        return value === undefined || !this.values.includes(value);
      case 'exists':
        return value !== undefined;
      case '!':
        return value === undefined;
      case 'gt':
      case 'lt': {
        const actual = value === undefined ? undefined : parseInt64(value);
        const bound = this.values.length === 1 ? parseInt64(this.values[0] ?? '') : undefined;
        if (actual === undefined || bound === undefined) return false;
        return this.operator === 'gt' ? actual > bound : actual < bound;
      }
    }
  }

  toString(): string {
    const values = this.values.toSorted(byText).join(',');
    switch (this.operator) {
      case 'exists':
        return this.key;
      case '!':
        return `!${this.key}`;
      case 'in':
      case 'notin':
        return `${this.key} ${this.operator} (${values})`;
      case 'gt':
        return `${this.key}>${values}`;
      case 'lt':
        return `${this.key}<${values}`;
      default:
        return `${this.key}${this.operator}${values}`;
    }
  }
}

/** An invalid selector. A client of the API sees this message. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

/** Matches every object. */
export const everything: Selector = new Selector([]);

/** Matches no object. */
export const nothing: Selector = new Selector([], { selectable: false });

/**
 * Creates a requirement and validates it.
 *
 * @throws SelectorError with every reason: an invalid key or value, the wrong number of values for the operator, a
 * bound that is not an integer, an unknown operator
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/labels/selector.go NewRequirement
 */
export function newRequirement(key: string, operator: Operator, values: readonly string[]): Requirement {
  const errors: string[] = [];
  const keyErrors = isQualifiedName(key);
  if (keyErrors.length > 0) errors.push(invalid('key', quote(key), keyErrors.join('; ')));
  errors.push(...valuesErrors(operator, values));
  values.forEach((value, i) => {
    const valueErrors = isValidLabelValue(value);
    if (valueErrors.length > 0)
      errors.push(invalid(`values[${i}][${key}]`, quote(value), valueErrors.join('; ')));
  });
  const distinct = [...new Set(errors)];
  if (distinct.length > 0) {
    throw new SelectorError(distinct.length === 1 ? distinct[0] : `[${distinct.join(', ')}]`);
  }
  return new Requirement(key, operator, values);
}

/**
 * Returns a selector that requires exactly these labels, without validation. Without labels it selects everything.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/labels/selector.go SelectorFromSet
 */
export function selectorFromSet(labels: Labels | null | undefined): Selector {
  return new Selector(Object.entries(labels ?? {}).map(([key, value]) => new Requirement(key, '=', [value])));
}

/**
 * Converts the LabelSelector of a spec to a selector. A missing LabelSelector matches nothing, an empty one everything.
 *
 * @throws SelectorError for an unknown operator, and for requirements that {@link newRequirement} rejects
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/helpers.go LabelSelectorAsSelector
 */
export function labelSelectorAsSelector(selector: LabelSelector | null | undefined): Selector {
  if (selector === null || selector === undefined) return nothing;
  const exact = Object.entries(selector.matchLabels ?? {}).map(([key, value]) =>
    newRequirement(key, '=', [value]),
  );
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values }) => {
    const known = OBJECT_OPERATORS.get(operator);
    if (known === undefined) {
      throw new SelectorError(`${quote(operator)} is not a valid label selector operator`);
    }
    return newRequirement(key, known, values ?? []);
  });
  return new Selector([...exact, ...expressions]);
}

/**
 * Parses the text of a selector, as in `kubectl get -l` and the labelSelector parameter of a request.
 *
 * White space between tokens is allowed. `x in ()` and `x=` require the empty value. The empty text selects everything;
 * a trailing comma is an error.
 *
 * Differs: a NUL character is an invalid part of a key or value; upstream's lexer treats it as the end.
 *
 * @throws SelectorError
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/labels/selector.go Parse
 */
export function parse(text: string): Selector {
  const tokens = new Tokens(text);
  const requirements: Requirement[] = [];
  while (tokens.peek() !== END) {
    if (!isIdentifier(tokens.peek()) && tokens.peek() !== '!') {
      throw new SelectorError(`found '${tokens.peek()}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(parseRequirement(tokens));
    const separator = tokens.next();
    if (separator === END) break;
    if (separator !== ',') throw new SelectorError(`found '${separator}', expected: ',' or 'end of string'`);
    if (!isIdentifier(tokens.peek()) && tokens.peek() !== '!') {
      throw new SelectorError(`found '${tokens.peek()}', expected: identifier after ','`);
    }
  }
  return new Selector(requirements);
}

const EXACT: ReadonlySet<Operator> = new Set(['=', '==', 'in']);
const OBJECT_OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);
const TEXT_OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);
const BINARY_OPERATORS = ['in', 'notin', '=', '==', '!=', 'gt', 'lt'];
const OPERATORS = [...BINARY_OPERATORS, 'exists', '!'];

/** The end of the text, as a token. No other token is empty. */
const END = '';

/** The tokens of a selector's text, with one token of lookahead. */
class Tokens {
  readonly #tokens: readonly string[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = text.match(/==|!=|[=!(),<>]|[^=!(),<> \t\r\n]+/g) ?? [];
  }

  peek(): string {
    return this.#tokens[this.#position] ?? END;
  }

  next(): string {
    const token = this.peek();
    this.#position++;
    return token;
  }
}

/**
 * Returns whether the token can be a key or a value. "in" and "notin" can: they are operators only in the operator's
 * position.
 */
function isIdentifier(token: string): boolean {
  return token !== END && !/^[=!(),<>]/.test(token);
}

function parseRequirement(tokens: Tokens): Requirement {
  try {
    const negated = tokens.peek() === '!';
    if (negated) tokens.next();
    const key = tokens.next();
    if (!isIdentifier(key)) throw new SelectorError(`found '${key}', expected: identifier`);
    const keyErrors = isQualifiedName(key);
    // A key in the text has no path. Upstream prints the missing path as <nil>, and clients see it.
    if (keyErrors.length > 0) throw new SelectorError(invalid('<nil>', quote(key), keyErrors.join('; ')));
    if (negated) return newRequirement(key, '!', []);
    if (tokens.peek() === END || tokens.peek() === ',') return newRequirement(key, 'exists', []);

    const sign = tokens.next();
    const operator = TEXT_OPERATORS.get(sign);
    if (operator === undefined) {
      throw new SelectorError(`found '${sign}', expected: ${BINARY_OPERATORS.join(', ')}`);
    }
    const values =
      operator === 'in' || operator === 'notin' ? parseValues(tokens) : [parseExactValue(tokens)];
    return newRequirement(key, operator, values);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new SelectorError(`unable to parse requirement: ${error.message}`);
  }
}

function parseExactValue(tokens: Tokens): string {
  if (tokens.peek() === END || tokens.peek() === ',') return '';
  const value = tokens.next();
  if (!isIdentifier(value)) throw new SelectorError(`found '${value}', expected: identifier`);
  return value;
}

/**
 * Parses "(a,b)". A value next to a comma may be missing, which means the empty value: "()", "(,a)", "(a,,b)", "(a,,)".
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/labels/selector.go Parser.parseValues, Parser.parseIdentifiersList
 */
function parseValues(tokens: Tokens): string[] {
  const open = tokens.next();
  if (open !== '(') throw new SelectorError(`found '${open}' expected: '('`);
  const first = tokens.peek();
  if (first !== ')' && first !== ',' && !isIdentifier(first)) {
    throw new SelectorError(`found '${first}', expected: ',', ')' or identifier`);
  }
  const values = new Set<string>();
  if (first === ')') values.add('');
  while (tokens.peek() !== ')') {
    const token = tokens.next();
    if (isIdentifier(token)) {
      values.add(token);
      if (tokens.peek() !== ',' && tokens.peek() !== ')') {
        throw new SelectorError(`found '${tokens.peek()}', expected: ',' or ')'`);
      }
    } else if (token === ',') {
      if (values.size === 0 || tokens.peek() === ')' || tokens.peek() === ',') values.add('');
    } else {
      throw new SelectorError(`found '${token}', expected: ',', or identifier`);
    }
  }
  tokens.next();
  return [...values].sort(byText);
}

function valuesErrors(operator: Operator, values: readonly string[]): string[] {
  // An empty list is a nil slice in Go, which prints as null.
  const all = values.length === 0 ? 'null' : JSON.stringify(values);
  switch (operator) {
    case 'in':
    case 'notin':
      if (values.length > 0) return [];
      return [invalid('values', all, "for 'in', 'notin' operators, values set can't be empty")];
    case '=':
    case '==':
    case '!=':
      if (values.length === 1) return [];
      return [invalid('values', all, 'exact-match compatibility requires one single value')];
    case 'exists':
    case '!':
      if (values.length === 0) return [];
      return [invalid('values', all, 'values set must be empty for exists and does not exist')];
    case 'gt':
    case 'lt':
      return [
        ...(values.length === 1
          ? []
          : [invalid('values', all, "for 'Gt', 'Lt' operators, exactly one value is required")]),
        ...values.flatMap((value, i) =>
          parseInt64(value) === undefined
            ? [
                invalid(
                  `values[${i}]`,
                  quote(value),
                  "for 'Gt', 'Lt' operators, the value must be an integer",
                ),
              ]
            : [],
        ),
      ];
    default: {
      const supported = OPERATORS.map(quote).join(', ');
      return [`operator: Unsupported value: ${quote(operator)}: supported values: ${supported}`];
    }
  }
}

function invalid(path: string, value: string, detail: string): string {
  return `${path}: Invalid value: ${value}: ${detail}`;
}

function byKey(a: Requirement, b: Requirement): number {
  return byText(a.key, b.key);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
