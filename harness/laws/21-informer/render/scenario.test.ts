import { expect, test } from 'vitest';
import type { InformerScenario } from '../scenario.ts';
import { describeScenario } from './scenario.ts';

const plain: InformerScenario = {
  seed: 0,
  schedule: [],
  replicas: 1,
  streamingLists: [],
  pages: 'whole',
  handlers: ['steady'],
  lateMs: 4_000,
  present: [],
  steps: [],
  ending: [],
};

test('A scenario without anything unusual has no description', () => {
  expect(describeScenario(plain)).toEqual([]);
});

test('A description has one line per step', () => {
  const said = describeScenario({
    ...plain,
    replicas: 2,
    handlers: ['steady', 'late'],
    present: ['a'],
    steps: [
      { afterMs: 5, write: 'put', name: 'b', group: 'blue' },
      { afterMs: 5, wait: true },
      { afterMs: 5, write: 'recreate', name: 'b', group: 'red' },
      { afterMs: 0, strike: { fault: 'cut-watches', process: 'informer' } },
    ],
    ending: [
      { afterMs: 0, write: 'delete', name: 'a', group: 'red' },
      { afterMs: 3, write: 'elsewhere' },
      { afterMs: 4, wait: true },
    ],
  });
  expect(said).toEqual([
    'with 2 apiservers',
    'handlers besides "steady":',
    '  "late", which joins after 4 s',
    'before the informer starts: create a (group red)',
    'at 5 ms: create or change b (group blue)',
    'at 15 ms: delete b and create another b (group red)',
    'at 15 ms: cut the watches of informer',
    'at 15 ms: all faults end',
    'after a quiet period:',
    '  at once: delete a',
    '  3 ms later: create a Lease (the informer does not watch Leases)',
    '  4 ms later: stop the informer',
  ]);
});
