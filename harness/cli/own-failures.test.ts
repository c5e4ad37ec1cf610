import { describe, expect, test } from 'vitest';
import { deployments } from '../api/resource.ts';
import { errors } from '../api/status.ts';
import { ConnectionError } from '../contracts/connection-error.ts';
import { OwnFailures } from './own-failures.ts';

const root = '/learner/workbook';

/** What a learner is told whose Deployment controller is their own. */
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

describe('What a component of the learner fails with', () => {
  test('is told with the places in their files, as they know these', () => {
    const { told, failures } = telling();
    failures.note('deployment-controller', thrown('no luck', ...STACK));
    expect(told).toEqual([
      [
        'The deployment-controller failed, and goes on: TypeError: no luck',
        '    at syncDeployment (katas/24-deployment/deployment.ts:12:5)',
        '    at katas/24-deployment/deployment.ts:40:7',
      ].join('\n'),
    ]);
  });

  test('is told once, and again when something has been loaded anew', () => {
    const { told, failures } = telling();
    for (let i = 0; i < 3; i++) failures.note('deployment-controller', thrown('no luck'));
    expect(told).toHaveLength(1);
    failures.forget();
    failures.note('deployment-controller', thrown('no luck'));
    expect(told).toHaveLength(2);
  });

  test('is told of no more than twenty failures, whatever their texts', () => {
    const { told, failures } = telling();
    for (let i = 0; i < 100; i++) failures.note('deployment-controller', thrown(`no luck with ${i}`));
    expect(told).toHaveLength(20);
  });

  test.each([
    errors.conflict(deployments, 'web', 'it has changed'),
    new ConnectionError('ECONNRESET', 'reset'),
    new DOMException('stop', 'AbortError'),
  ])('is not told when a component has to expect it: %s', (error) => {
    const { told, failures } = telling();
    failures.note('deployment-controller', error);
    expect(told).toEqual([]);
  });

  test('is told when the server refuses what can never be accepted', () => {
    const { told, failures } = telling();
    failures.note('deployment-controller', errors.badRequest('it is malformed'));
    expect(told).toEqual(['The deployment-controller failed, and goes on: StatusError: it is malformed']);
  });

  test('is not told of the components of the reference, unless it comes from a file of the learner', () => {
    const { told, failures } = telling();
    failures.note('replicaset-controller', thrown('no luck'));
    expect(told).toEqual([]);
    failures.note('replicaset-controller', thrown('no luck', ...STACK));
    expect(told).toHaveLength(1);
  });
});
