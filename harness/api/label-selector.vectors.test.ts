import { describe, expect, test } from 'vitest';
import type { LabelSelector } from '#api/meta/v1';
import vectors from '../conformance/selectors.json' with { type: 'json' };
import {
  type Labels,
  labelSelectorAsSelector,
  newRequirement,
  nothing,
  type Operator,
  parse,
  Requirement,
  Selector,
  SelectorError,
  selectorFromSet,
} from './label-selector.ts';

/** Returns the message of the error that it throws. */
function refusalOf(run: () => unknown): string {
  try {
    run();
    return 'nothing';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The vectors have their own names for operators. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  in: 'in',
  notIn: 'notin',
  equals: '=',
  doubleEquals: '==',
  notEquals: '!=',
  gt: 'gt',
  lt: 'lt',
  exists: 'exists',
  doesNotExist: '!',
};

type VectorRequirement = { key: string; op: string; values: string[] };

type Case = {
  id: string;
  op: string;
  name: string;
  input: {
    selector?: string | LabelSelector | null;
    labels?: Labels;
    set?: Labels;
    label?: string;
    key?: string;
    operator?: string;
    values?: string[];
    requirements?: VectorRequirement[];
  };
  expect: Record<string, unknown> & { requirements?: VectorRequirement[]; error?: boolean; valid?: boolean };
};

describe('Label selector, upstream vectors', () => {
  const cases = (vectors.cases as unknown as Case[]).filter(({ op }) => !op.startsWith('field'));
  const of = (op: string) => cases.filter((each) => each.op === op);
  const operator = (name: string) => OPERATORS[name] ?? (name as Operator);
  const selectorOf = (requirements: readonly VectorRequirement[] = []): Selector =>
    new Selector(requirements.map(({ key, op, values }) => newRequirement(key, operator(op), values)));

  test('cover every operation', () => {
    const counts = {
      labelParse: 50,
      labelMatch: 32,
      requirement: 18,
      toString: 6,
      setToString: 3,
      labelSet: 4,
      labelExactMatch: 7,
      labelSelectorObject: 6,
    };
    expect(Object.fromEntries(Object.keys(counts).map((op) => [op, of(op).length]))).toEqual(counts);
    expect(cases).toHaveLength(126);
  });

  test.each(of('labelParse'))('$id $name', ({ input, expect: expected }) => {
    const run = () => parse(input.selector as string);
    if (expected.error) expect(run).toThrow(SelectorError);
    else {
      const wanted = expected.requirements?.map(
        ({ key, op, values: each }) => new Requirement(key, operator(op), each),
      );
      expect(run().requirements).toEqual(wanted);
    }
  });

  test.each(of('labelMatch'))('$id $name', ({ input, expect: expected }) => {
    expect(parse(input.selector as string).matches(input.labels)).toBe(expected.match);
  });

  test.each(of('requirement'))('$id $name', ({ input, expect: expected }) => {
    const run = () => newRequirement(input.key ?? '', operator(input.operator ?? ''), input.values ?? []);
    if (expected.valid) expect(run()).toBeInstanceOf(Requirement);
    else {
      expect(run).toThrow(SelectorError);
      expect(refusalOf(run)).toMatch(/^(\S+): (?:Invalid|Unsupported) value: /);
      expect(refusalOf(run).split(': ')[0]).toBe(expected.field);
    }
  });

  test.each(of('toString'))('$id $name', ({ input, expect: expected }) => {
    const { requirements, selector } = input;
    const made = requirements === undefined ? parse(selector as string) : selectorOf(requirements);
    expect(made.toString()).toBe(expected.text);
  });

  test.each(of('setToString'))('$id $name', ({ input, expect: expected }) => {
    expect(selectorFromSet(input.set).toString()).toBe(expected.text);
  });

  test.each(of('labelSet'))('$id $name', ({ input, expect: expected }) => {
    expect(selectorFromSet(input.set).matches(input.labels)).toBe(expected.match);
  });

  test.each(of('labelExactMatch'))('$id $name', ({ input, expect: expected }) => {
    const value = selectorOf(input.requirements).requiresExactMatch(input.label ?? '');
    expect(value ?? null).toBe(expected.value);
  });

  test.each(of('labelSelectorObject'))('$id $name', ({ input, expect: expected }) => {
    const run = () => labelSelectorAsSelector(input.selector as LabelSelector | null);
    if (expected.error) expect(run).toThrow(SelectorError);
    else if (expected.matchesNothing) expect(run()).toBe(nothing);
    else if (expected.matchesEverything) expect(run().empty).toBe(true);
    else expect(run().toString()).toBe(expected.text);
  });
});
