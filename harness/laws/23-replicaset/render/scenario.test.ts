import { expect, test } from 'vitest';
import { describeScenario } from './scenario.ts';

test('describes a scenario with one line per step', () => {
  const said = describeScenario({
    seed: 0,
    schedule: [],
    replicas: 2,
    latencyMs: 1,
    isVersionless: true,
    hasOldLists: true,
    before: [{ afterMs: 0, do: 'create', set: 'web', replicas: 3 }],
    steps: [
      { afterMs: 50, do: 'scale', set: 'web', replicas: 1 },
      { afterMs: 0, do: 'relabel', pod: 1, to: 'canary' },
      { afterMs: 7, do: 'delete', set: 'web', how: 'Orphan' },
      { afterMs: 10, do: 'nothing' },
    ],
  });
  expect(said).toEqual([
    'with 2 apiservers',
    'the caches do not report which version they have reached',
    'the apiservers serve no streaming lists, so the first list can be stale',
    'before the controller starts:',
    '  create web with replicas 3',
    'at 50 ms: scale web to 1 pod',
    'at 50 ms: label the 2nd active pod so that web and canary select it',
    'at 57 ms: delete web and orphan its pods: it is removed when they have no owner',
    'at 67 ms: all faults end',
    'if there are fewer pods, the numbers wrap around',
  ]);
});
