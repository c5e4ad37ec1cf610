import { expect, test } from 'vitest';
import { describeRollout, describeScenario } from './scenario.ts';

test('describes a scenario with one line per step, and omits defaults', () => {
  const said = describeScenario({
    seed: 0,
    schedule: [],
    replicas: 1,
    deployment: {
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
      minReadySeconds: 0,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 60,
      image: 'nginx:1.26',
    },
    pods: { readyAfterMs: { min: 0, max: 0 }, stopsAfterMs: { min: 5, max: 9 }, failingPercent: 10 },
    bystanders: ['twin'],
    steps: [
      { afterMs: 50, edit: 'strategy', strategy: { type: 'Recreate' } },
      { afterMs: 50, edit: 'nothing' },
      { afterMs: 0, edit: 'pause' },
    ],
  });
  expect(said).toEqual([
    'before the controller starts, these ReplicaSets exist:',
    "  a-twin, which web selects, without a controller, with web's first template: web must adopt it as its newest",
    'each deleted pod stops after 5 to 9 ms',
    '10 % of the pods are evicted within a minute',
    'at 0 ms: create the Deployment web: 1 replica of nginx:1.26, maxSurge 25%, maxUnavailable 0, progressDeadlineSeconds 60',
    'at 50 ms: change to strategy Recreate',
    'at 100 ms: pause the roll-out',
    'at 100 ms: all faults end',
  ]);
});

test('describes the large roll-out with its faults', () => {
  const faults = [{ atMs: 70, fault: 'compact' as const }];
  expect(describeRollout({ seed: 0, schedule: [], faults })).toEqual([
    'with 2 apiservers, messages take up to 5 ms',
    'at 0 ms: create the Deployment web: 10 replicas of nginx:broken, maxSurge 25%, maxUnavailable 25%',
    'at 3000 ms: set the image to nginx:1.27',
    'when all 10 pods are available: set the image to nginx:broken',
    '20000 ms later: set the image to nginx:1.27 again; all faults end',
    'meanwhile:',
    '  at 70 ms: compact etcd: to resume from before is 410 Gone',
  ]);
});
