import { SelectorError } from './label-selector.ts';

/** The selectable fields of an object by their paths. A missing field has the empty value. */
type Fields = Readonly<Record<string, string>>;

/**
 * An immutable field selector: a query by a few fields, such as "spec.nodeName=n1,status.phase!=Failed". Fields match
 * if they meet every requirement. Each resource defines its selectable fields.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/fields/selector.go Selector
 */
export class Selector {
  readonly requirements: readonly Requirement[];
  /** False only for {@link nothing}. */
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

  /**
   * Returns the value that the field must have to match, or undefined if the selector does not require one. A watch
   * uses it as an index key.
   */
  requiresExactMatch(field: string): string | undefined {
    return this.requirements.find((each) => each.field === field && each.operator === '=')?.value;
  }

  /**
   * Returns a selector with each field and value rewritten by the function. A requirement whose field and value both
   * become empty is dropped. An error of the function, which rejects a field, is passed on.
   */
  transform(fn: TransformFunc): Selector {
    if (!this.selectable) return this;
    return new Selector(
      this.requirements
        .map(({ field, operator, value }) => ({ ...fn(field, value), operator }))
        .filter(({ field, value }) => field !== '' || value !== ''),
    );
  }

  /** Returns the text that {@link parseSelector} parses. For both everything and nothing it is "". */
  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeValue(value)}`)
      .join(',');
  }
}

/**
 * A condition on a field. The value has no escapes.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/fields/requirements.go Requirement
 */
export type Requirement = { readonly field: string; readonly operator: '=' | '!='; readonly value: string };

/** Rewrites the field and the value of a requirement. Upstream: pkg/fields/selector.go TransformFunc */
type TransformFunc = (field: string, value: string) => { field: string; value: string };

/** Matches every object. */
export const everything: Selector = new Selector([]);

/** Matches no object. */
export const nothing: Selector = new Selector([], { selectable: false });

/**
 * Returns a selector that requires exactly these fields. Without fields it selects everything.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/fields/selector.go SelectorFromSet
 */
export function selectorFromSet(fields: Fields | null | undefined): Selector {
  return new Selector(
    Object.entries(fields ?? {}).map(([field, value]) => ({ field, operator: '=', value })),
  );
}

/**
 * Parses the fieldSelector parameter of a request. It consists of terms joined by commas; a term is a field, `=`, `==`
 * or `!=`, and a value. In a value, commas, equals signs and backslashes are escaped with a backslash. Empty terms are
 * ignored. Spaces belong to the field or the value.
 *
 * @throws SelectorError for a term without an operator, and for a value with invalid escapes
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
 * Splits the text of a selector at unescaped commas. It keeps the escapes.
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
 * Escapes a value for the text of a selector.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/fields/selector.go EscapeValue
 */
export function escapeValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

/**
 * Removes the escapes of {@link escapeValue}.
 *
 * @throws SelectorError for an escape of another character, and for an unescaped comma or equals sign
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/fields/selector.go UnescapeValue
 */
export function unescapeValue(value: string): string {
  return value.replace(/\\(.?)|[,=]/gsu, (part: string, escaped: string | undefined) => {
    if (escaped === undefined) {
      // Upstream prints the number of the character.
      throw new SelectorError(`invalid field selector: unescaped character in value: ${part.charCodeAt(0)}`);
    }
    if (escaped === '' || !'\\,='.includes(escaped)) {
      throw new SelectorError(`invalid field selector: invalid escape sequence: ${part}`);
    }
    return escaped;
  });
}

/**
 * Splits a term at its first operator, because a field has no escapes. Returns the operator, the field and the value.
 */
function splitTerm(term: string): [sign: string, field: string, value: string] | [] {
  const match = /!=|==|=/.exec(term);
  if (match === null) return [];
  const [sign] = match;
  return [sign, term.slice(0, match.index), term.slice(match.index + sign.length)];
}
