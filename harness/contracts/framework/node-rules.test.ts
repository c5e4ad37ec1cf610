import { describe, expect, test } from 'vitest';
import { type NodeSelectorTerm, namesConflict } from './node-rules.ts';

describe('Node names conflict', () => {
  const names = (...lists: string[][]): NodeSelectorTerm => ({
    matchFields: lists.map((values) => ({ key: 'metadata.name', operator: 'In', values })),
  });
  const label: NodeSelectorTerm = { matchExpressions: [{ key: 'zone', operator: 'Exists' }] };
  const other: NodeSelectorTerm = {
    matchFields: ['a', 'b'].map((value) => ({ key: 'other', operator: 'In', values: [value] })),
  };

  test.each<[string, NodeSelectorTerm[], boolean]>([
    ['no terms', [], false],
    ['one name', [names(['a'])], false],
    ['two required names', [names(['a'], ['b'])], true],
    ['the same name twice', [names(['a'], ['a'])], false],
    ['lists with a common name', [names(['a', 'b'], ['b', 'c'])], false],
    ['one term that conflicts and one that does not', [names(['a'], ['b']), names(['c'])], false],
    ['a term that requires no name', [names(['a'], ['b']), label], false],
    ['values of another field', [other], false],
  ])('%s', (_, terms, conflict) => expect(namesConflict(terms)).toBe(conflict));
});
