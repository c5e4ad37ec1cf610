import { expect, test } from 'vitest';
import { sayFault } from './say-fault.ts';

test.each([
  [{ fault: 'cut-watches', process: 'replicaset-controller' }, 'cut the watches of replicaset-controller'],
  [{ fault: 'lag', replica: 1, forMs: 20 }, 'hold back the watch cache of apiserver-1 for 20 ms'],
  [
    { fault: 'delay-watches', process: 'informer', forMs: 20, resource: 'pods' },
    'hold back the events of pods for informer for 20 ms',
  ],
  [
    { fault: 'refuse', process: 'informer', reason: 'Conflict', requests: 2 },
    'refuse the next 2 requests of informer with Conflict',
  ],
  [
    { fault: 'refuse', process: 'scheduler', reason: 'Conflict', requests: 2, verb: 'bind' },
    'refuse the next 2 binds of scheduler with Conflict',
  ],
  [
    { fault: 'crash', process: 'informer', skip: 2, performed: true, restartAfterMs: 50 },
    'crash informer at its request 3 from now, carried out; start it again after 50 ms',
  ],
  [{ fault: 'clock-jump', node: 'node-1', byMs: 0 }, 'set the clock of node-1 right'],
] as const)('sayFault describes %o', (fault, words) => {
  expect(sayFault(fault)).toBe(words);
});
