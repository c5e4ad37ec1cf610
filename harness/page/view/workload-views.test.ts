import { expect, test } from 'vitest';
import type { Deployment } from '../../api/objects.ts';
import { deploymentViewsOf } from './workload-views.ts';

const deployment = (status: 'True' | 'False', reason: string): Deployment =>
  ({
    metadata: { name: 'web', namespace: 'default', uid: 'web' },
    spec: { replicas: 3 },
    status: { conditions: [{ type: 'Progressing', status, reason }] },
  }) as unknown as Deployment;

test('A Deployment is stuck if it does not progress', () => {
  const [stuck] = deploymentViewsOf([deployment('False', 'ProgressDeadlineExceeded')], []);
  expect(stuck?.stuck).toBe('ProgressDeadlineExceeded');
  const [progressing] = deploymentViewsOf([deployment('True', 'ReplicaSetUpdated')], []);
  expect(progressing).not.toHaveProperty('stuck');
});
