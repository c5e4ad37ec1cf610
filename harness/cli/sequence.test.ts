import { describe, expect, test } from 'vitest';
import type { TraceEntry } from '../sim/index.ts';
import { tellSequence } from './sequence.ts';

const entry = (actor: string, verb: string, object: string): TraceEntry => ({ atMs: 0, actor, verb, object });

/** Returns the messages of the diagram, without its declarations. */
const messages = (...entries: readonly TraceEntry[]): readonly string[] =>
  tellSequence(entries)
    .split('\n')
    .filter((line) => /:/.test(line))
    .map((line) => line.replace(/^.*?: /, ''))
    .filter((line) => line !== '–');

describe('The sequence diagram of a run', () => {
  test('has each write, and the last event before it', () => {
    expect(
      messages(
        entry('kubectl', 'create', 'deployments/default/web'),
        entry('deployment-controller', 'ADDED', 'replicasets/default/old'),
        entry('deployment-controller', 'ADDED', 'deployments/default/web'),
        entry('deployment-controller', 'list', 'replicasets'),
        entry('deployment-controller', 'create', 'replicasets/default/web-1'),
        entry('deployment-controller', 'updateStatus', 'deployments/default/web'),
      ),
    ).toEqual([
      'create deployments/default/web',
      'ADDED deployments/default/web',
      'create replicasets/default/web-1',
      'updateStatus deployments/default/web',
    ]);
  });

  test('has no events without a consequence, and no heartbeats', () => {
    expect(
      messages(
        entry('garbage-collector-controller', 'ADDED', 'pods/default/web'),
        entry('kubelet-node-1', 'update', 'leases/kube-node-lease/node-1'),
        entry('coredns', 'create', 'pods/kube-system/coredns'),
      ),
    ).toEqual([]);
  });

  test('has the scores of each node', () => {
    const explained = { ...entry('default-scheduler', 'explain', 'pods/default/web'), note: 'node-1  ✓ 425' };
    expect(messages(explained)).toEqual(['node-1 ✓ 425']);
  });
});
