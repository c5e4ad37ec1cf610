import { describe, expect, test } from 'vitest';
import { deployments } from '../api/resource.ts';
import { errors } from '../api/status.ts';
import { noteCaught } from '../contracts/caught.ts';
import { ConnectionError } from '../contracts/connection-error.ts';
import { OwnFailures } from './own-failures.ts';

const root = '/learner/workbook';

/** Collects the failures that are reported to a learner who has written the Deployment controller. */
function telling() {
  const told: string[] = [];
  const yours = ['deploymentController'] as const;
  const failures = new OwnFailures({ root, own: { yours }, tell: (line) => told.push(line) });
  return { told, failures };
}

function thrown(message: string, ...stack: readonly string[]): TypeError {
  const error = new TypeError(message);
  error.stack = [`TypeError: ${message}`, ...stack].join('\n');
  return error;
}

const STACK = [
  `    at syncDeployment (file://${root}/katas/24-deployment/deployment.ts?3:12:5)`,
  `    at ${root}/katas/24-deployment/deployment.ts:40:7`,
  `    at sync (${root}/harness/contracts/deployment/assemble.ts:12:5)`,
  '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
];

describe("An error of a learner's component", () => {
  test('is reported with the places in their files', () => {
    const { told, failures } = telling();
    failures.note('deployment-controller', thrown('no luck', ...STACK));
    expect(told).toEqual([
      [
        'The deployment-controller failed and keeps running: TypeError: no luck',
        '    at syncDeployment (katas/24-deployment/deployment.ts:12:5)',
        '    at katas/24-deployment/deployment.ts:40:7',
      ].join('\n'),
    ]);
  });

  test('is reported once, and again after a file was reloaded', () => {
    const { told, failures } = telling();
    for (let i = 0; i < 3; i++) failures.note('deployment-controller', thrown('no luck'));
    expect(told).toHaveLength(1);
    failures.forget();
    failures.note('deployment-controller', thrown('no luck'));
    expect(told).toHaveLength(2);
  });

  test('is reported up to twenty times, even if the texts differ', () => {
    const { told, failures } = telling();
    for (let i = 0; i < 100; i++) failures.note('deployment-controller', thrown(`no luck with ${i}`));
    expect(told).toHaveLength(20);
  });

  test.each([
    errors.conflict(deployments, 'web', 'it has changed'),
    new ConnectionError('ECONNRESET', 'reset'),
    new DOMException('stop', 'AbortError'),
  ])('is not reported if a component must expect it: %s', (error) => {
    const { told, failures } = telling();
    failures.note('deployment-controller', error);
    expect(told).toEqual([]);
  });

  test('is reported if the server can never accept the request', () => {
    const { told, failures } = telling();
    failures.note('deployment-controller', errors.badRequest('it is malformed'));
    expect(told).toEqual([
      'The deployment-controller failed and keeps running: StatusError: it is malformed',
    ]);
  });

  test('is reported for a component of the reference only if its stack names a file of the learner', () => {
    const { told, failures } = telling();
    failures.note('replicaset-controller', thrown('no luck'));
    expect(told).toEqual([]);
    failures.note('replicaset-controller', thrown('no luck', ...STACK));
    expect(told).toHaveLength(1);
  });

  test('is reported although the component only logs it', () => {
    const { told, failures } = telling();
    const sync = `    at syncPod (${root}/katas/41-kubelet/kubelet.ts:600:9)`;
    {
      using _watching = failures.watchCaught();
      const error = thrown('no luck', sync);
      noteCaught(error);
      failures.note('kubelet-node-1', error);
    }
    noteCaught(thrown('later', sync));
    expect(told).toEqual([
      'The kubelet failed and keeps running: TypeError: no luck\n    at syncPod (katas/41-kubelet/kubelet.ts:600:9)',
    ]);
  });
});
