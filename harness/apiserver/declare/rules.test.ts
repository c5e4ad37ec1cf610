import { describe, expect, test } from 'vitest';
import { said } from '../kinds/kind-laws.ts';
import { invalid } from '../validation/field-error.ts';
import {
  all,
  each,
  fields,
  labelSelector,
  named,
  nonnegative,
  oneOf,
  optional,
  type Rule,
  required,
} from './rules.ts';

interface Shelf {
  readonly label?: string | null;
  readonly size?: string;
  readonly count?: number;
  readonly books?: readonly { readonly title?: string }[] | null;
  readonly lamp?: { readonly watts?: number };
}

const tell = (rule: Rule<Shelf>, shelf: Shelf): string[] => said(rule(shelf, 'shelf'));

describe('A rule', () => {
  test('for fields reports the path of each, in the order of the rules', () => {
    const rule = fields<Shelf>({ count: nonnegative, size: oneOf('S', 'L') });
    expect(tell(rule, { size: 'M', count: -1 })).toEqual([
      'shelf.count: Invalid value: -1: must be greater than or equal to 0',
      'shelf.size: Unsupported value: "M": supported values: "S", "L"',
    ]);
    expect(said(rule({ count: -1 }, ''))).toEqual([
      'count: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  test('for a required value rejects an empty one', () => {
    const rule = fields<Shelf>({
      label: required(),
      books: required(
        each(() => []),
        'a shelf is for books',
      ),
    });
    const told = ['shelf.label: Required value', 'shelf.books: Required value: a shelf is for books'];
    expect(tell(rule, {})).toEqual(told);
    expect(tell(rule, { label: '', books: [] })).toEqual(told);
    expect(tell(rule, { label: null, books: null })).toEqual(told);
    expect(tell(rule, { label: 'a', books: [{}] })).toEqual([]);
  });

  test('for items reports the index', () => {
    const rule = fields<Shelf>({ books: each(fields<{ readonly title?: string }>({ title: required() })) });
    expect(tell(rule, { books: [{ title: 'a' }, {}] })).toEqual(['shelf.books[1].title: Required value']);
  });

  test('for an absent struct requires its fields, unless it is optional', () => {
    const lamp = fields<{ readonly watts?: number }>({ watts: required() });
    expect(tell(fields<Shelf>({ lamp }), {})).toEqual(['shelf.lamp.watts: Required value']);
    expect(tell(fields<Shelf>({ lamp: optional(lamp) }), {})).toEqual([]);
    expect(tell(fields<Shelf>({ lamp: optional(lamp) }), { lamp: {} })).toEqual([
      'shelf.lamp.watts: Required value',
    ]);
  });

  test('can be combined with others for one field', () => {
    const even: Rule<number> = (count = 0, path) => (count % 2 ? [invalid(path, count, 'must be even')] : []);
    expect(tell(fields<Shelf>({ count: all(nonnegative, even) }), { count: -3 })).toEqual([
      'shelf.count: Invalid value: -3: must be greater than or equal to 0',
      'shelf.count: Invalid value: -3: must be even',
    ]);
  });

  test('for a name passes on the errors of its check, unless the name is absent', () => {
    const rule = fields<Shelf>({ label: named((text) => [`${text} is taken`, 'and ugly']) });
    expect(tell(rule, { label: 'x' })).toEqual([
      'shelf.label: Invalid value: "x": x is taken',
      'shelf.label: Invalid value: "x": and ugly',
    ]);
    expect(tell(rule, { label: '' })).toEqual([]);
  });

  test('for selectors accepts an empty one', () => {
    expect(labelSelector({}, 'selector')).toEqual([]);
    expect(
      said(labelSelector({ matchExpressions: [{ key: 'a', operator: 'In' }] }, 'selector')),
    ).toHaveLength(1);
  });
});
