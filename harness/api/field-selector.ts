import { SelectorError } from './label-selector.ts';

/** The selectable fields of an object by their paths. A missing one reads as the empty text. */
type Fields = Readonly<Record<string, string>>;

/**
 * Field selector: the query by which clients choose objects by a few fields, such as
 * "spec.nodeName=n1,status.phase!=Failed". Which fields a resource offers is the storage's to say.
 *
 * An immutable query: fields match when they meet every requirement.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/fields/selector.go Selector
 */
export class Selector {
  readonly requirements: readonly Requirement[];
  /** False for {@link nothing} alone. */
  readonly selectable: boolean;

  constructor(requirements: readonly Requirement[], options: { selectable: boolean } = { selectable: true }) {
    this.requirements = Object.freeze(requirements.map((requirement) => Object.freeze({ ...requirement })));
    this.selectable = options.selectable;
    Object.freeze(this);
  }

  matches(fields: Fields): boolean {
    if (!this.selectable) return false;
    for (const { field, operator, value } of this.requirements) {
      const actual = Object.hasOwn(fields, field) ? fields[field] : '';
      if ((actual === value) !== (operator === '=')) return false;
    }
    return true;
  }

  /** Whether every object matches. */
  get empty(): boolean {
    return this.selectable && this.requirements.length === 0;
  }

  /** The value that the field must have to match, or undefined when none is asked for: a watch's index key. */
  requiresExactMatch(field: string): string | undefined {
    return this.requirements.find((each) => each.field === field && each.operator === '=')?.value;
  }

  /**
   * A selector in which the function has rewritten each field and value; requirements that it makes empty in
   * both are dropped. What the function throws, to refuse a field, passes through.
   */
  transform(fn: TransformFunc): Selector {
    if (!this.selectable) return this;
    return new Selector(
      this.requirements
        .map(({ field, operator, value }) => ({ ...fn(field, value), operator }))
        .filter(({ field, value }) => field !== '' || value !== ''),
    );
  }

  /** The text that {@link parseSelector} reads back. Everything and nothing both read "". */
  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeValue(value)}`)
      .join(',');
  }
}

/**
 * One condition on one field. The values are as meant, without escapes.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/fields/requirements.go Requirement
 */
export type Requirement = { readonly field: string; readonly operator: '=' | '!='; readonly value: string };

/** Rewrites one requirement's field and value. Upstream: pkg/fields/selector.go TransformFunc */
type TransformFunc = (field: string, value: string) => { field: string; value: string };

/** Matches every object. */
export const everything: Selector = new Selector([]);

/** Matches no object. */
export const nothing: Selector = new Selector([], { selectable: false });

/**
 * A selector that asks for exactly these fields. No fields select everything.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/fields/selector.go SelectorFromSet
 */
export function selectorFromSet(fields: Fields | null | undefined): Selector {
  return new Selector(
    Object.entries(fields ?? {}).map(([field, value]) => ({ field, operator: '=', value })),
  );
}

/**
 * Parses the fieldSelector parameter of a request: terms joined by commas, each a field, `=`, `==` or `!=`
 * and a value. In a value, comma, equals sign and backslash are escaped by a backslash. Empty terms are
 * ignored; blanks belong to the field or the value.
 *
 * @throws SelectorError for a term without an operator and for a value that is not escaped as it must be
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/fields/selector.go ParseSelector
 */
export function parseSelector(text: string): Selector {
  const terms = splitTerms(text)
    .filter((term) => term !== '')
    .sort();
  return new Selector(
    terms.map((term) => {
      const [sign, field = '', value = ''] = splitTerm(term);
      if (sign === undefined)
        throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
      return { field, operator: sign === '!=' ? '!=' : '=', value: unescapeValue(value) };
    }),
  );
}

/**
 * Splits a selector's text at its unescaped commas. Escapes stay as they are.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/fields/selector.go splitTerms
 */
export function splitTerms(text: string): string[] {
  if (text === '') return [];
  const terms: string[] = [];
  let start = 0;
  for (const { 0: part, index } of text.matchAll(/\\.|,/gsu)) {
    if (part !== ',') continue;
    terms.push(text.slice(start, index));
    start = index + 1;
  }
  return [...terms, text.slice(start)];
}

/**
 * Escapes a literal so that it can stand as a value in a selector's text.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/fields/selector.go EscapeValue
 */
export function escapeValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

/**
 * Undoes {@link escapeValue}.
 *
 * @throws SelectorError for an escape of another character and for a bare comma or equals sign
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/fields/selector.go UnescapeValue
 */
export function unescapeValue(value: string): string {
  return value.replace(/\\(.?)|[,=]/gsu, (part: string, escaped: string | undefined) => {
    if (escaped === undefined) {
      // Upstream prints the character as its number.
      throw new SelectorError(`invalid field selector: unescaped character in value: ${part.charCodeAt(0)}`);
    }
    if (escaped === '' || !'\\,='.includes(escaped)) {
      throw new SelectorError(`invalid field selector: invalid escape sequence: ${part}`);
    }
    return escaped;
  });
}

/** The operator, the field before it and the rest after it. A field has no escapes: the first operator splits. */
function splitTerm(term: string): [sign: string, field: string, value: string] | [] {
  const match = /!=|==|=/.exec(term);
  if (match === null) return [];
  const [sign] = match;
  return [sign, term.slice(0, match.index), term.slice(match.index + sign.length)];
}
