import { describe, expect, test } from 'vitest';
import type { TraceEntry } from '../../sim/index.ts';
import { type SequenceOptions, sequenceDiagram } from './sequence-diagram.ts';
import { actionOf, outcomeOf } from './step-label.ts';

type Entry = readonly [
  atMs: number,
  actor: string,
  verb: string,
  object?: string,
  revision?: number | undefined,
  outcome?: string,
];

const traceOf = (entries: readonly Entry[]): readonly TraceEntry[] =>
  entries.map(([atMs, actor, verb, object, revision, outcome]) => ({
    ...{ atMs, actor, verb },
    ...(object !== undefined && { object }),
    ...(revision !== undefined && { revision }),
    // The end of a watch has no outcome.
    ...(verb !== 'cut' && { outcome: outcome ?? 'ok' }),
  }));

/** Returns each step as a line: `deployment-controller → apiserver: create replicasets/web-1`. */
const drawn = (entries: readonly Entry[], options?: SequenceOptions): readonly string[] =>
  sequenceDiagram(traceOf(entries), options).steps.map((step) => {
    const who = step.from === step.to ? step.from : `${step.from} → ${step.to}`;
    return `${who}: ${[actionOf(step), outcomeOf(step), ...step.lines].filter(Boolean).join(' · ')}`;
  });

const WEB = 'deployments/default/web';
const RS = 'replicasets/default/web-5d7';

describe('A sequence diagram', () => {
  test('has each write, and the event before it', () => {
    expect(
      drawn([
        [1, 'kubectl', 'create', WEB, 5],
        [2, 'deployment-controller', 'ADDED', WEB, 5],
        [3, 'deployment-controller', 'create', RS, 6],
      ]),
    ).toEqual([
      'kubectl → apiserver: create deployments/web · revision 5',
      'apiserver → deployment-controller: ADDED deployments/web',
      'deployment-controller → apiserver: create replicasets/web-5d7 · revision 6',
    ]);
  });

  test('has no event that changed nothing for its receiver', () => {
    expect(
      drawn([
        [1, 'garbage-collector-controller', 'ADDED', WEB, 5],
        [1, 'deployment-controller', 'ADDED', 'deployments/default/other', 4],
        [2, 'deployment-controller', 'create', RS, 6],
      ]),
    ).toEqual(['deployment-controller → apiserver: create replicasets/web-5d7 · revision 6']);
  });

  test("has no event of the receiver's own write", () => {
    expect(
      drawn([
        [1, 'deployment-controller', 'create', RS, 6],
        [2, 'deployment-controller', 'ADDED', RS, 6],
        [3, 'deployment-controller', 'updateStatus', WEB, 7],
      ]),
    ).not.toContainEqual(expect.stringContaining('ADDED'));
  });

  test('explains a new pod by the deletion of another, and not by its creation', () => {
    const pod = 'pods/default/web-5d7-aaaaa';
    const replaced = (type: string): readonly string[] =>
      drawn([
        [1, 'replicaset-controller', type, pod, 8],
        [2, 'replicaset-controller', 'create', 'pods/default/web-5d7-…', 9],
      ]);
    expect(replaced('DELETED')).toHaveLength(2);
    expect(replaced('ADDED')).toEqual([
      'replicaset-controller → apiserver: create pods/web-5d7-… · revision 9',
    ]);
  });

  test('has the reads of users, and no reads of components', () => {
    expect(
      drawn([
        [1, 'kubectl', 'get', WEB, undefined, 'NotFound'],
        [1, 'coredns-1', 'list', 'services'],
        [2, 'replicaset-controller', 'get', RS, 6],
      ]),
    ).toEqual(['kubectl → apiserver: get deployments/web · ✗ NotFound']);
  });

  test('has no heartbeats, and nothing of the system', () => {
    const entries: readonly Entry[] = [
      [1, 'kubelet-node-1', 'update', 'leases/kube-node-lease/node-1', 5],
      [1, 'kubelet-node-1', 'patch', 'nodes/node-1', 6],
      [1, 'default-scheduler', 'create', 'events/default/web.1', 7],
      [1, 'kubelet-node-1', 'patch', 'pods/kube-system/coredns-1', 8],
      [2, 'kubelet-node-1', 'runPodSandbox', 'kube-system/coredns-1'],
    ];
    expect(drawn(entries)).toEqual([]);
    expect(drawn(entries, { namespaces: ['kube-system'] })).toEqual([
      'kubelet → apiserver: patch pods/coredns-1 · revision 8',
      'kubelet → containerd: runPodSandbox pods/coredns-1',
    ]);
  });

  test('completes a generated name by the event of the same revision', () => {
    const { steps } = sequenceDiagram(
      traceOf([
        [1, 'replicaset-controller', 'create', 'pods/default/web-5d7-…', 9],
        [2, 'default-scheduler', 'ADDED', 'pods/default/web-5d7-aaaaa', 9],
      ]),
    );
    expect(steps[0]?.objects).toEqual(['pods/default/web-5d7-aaaaa']);
  });

  test('shares a step between components that do the same at the same moment', () => {
    const entries: readonly Entry[] = [
      [1, 'kubelet-node-1', 'runPodSandbox', 'default/web-5d7-aaaaa'],
      [9, 'kubelet-node-2', 'runPodSandbox', 'default/web-5d7-bbbbb'],
      [999, 'kubelet-node-3', 'runPodSandbox', 'default/web-5d7-ccccc'],
    ];
    expect(drawn(entries)).toEqual([
      'kubelet → containerd: runPodSandbox pods/web-5d7-… ×2',
      'kubelet → containerd: runPodSandbox pods/web-5d7-ccccc',
    ]);
    expect(drawn(entries, { windowMs: 1_000 })).toHaveLength(1);
  });

  test('shares no step between two acts on an object with another act between them', () => {
    expect(
      drawn([
        [1, 'deployment-controller', 'updateStatus', WEB, 5],
        [2, 'deployment-controller', 'updateStatus', WEB, 6],
        [3, 'deployment-controller', 'update', WEB, 7],
        [4, 'deployment-controller', 'updateStatus', WEB, 8],
      ]),
    ).toEqual([
      'deployment-controller → apiserver: updateStatus deployments/web ×2 · revisions 5–6',
      'deployment-controller → apiserver: update deployments/web · revision 7',
      'deployment-controller → apiserver: updateStatus deployments/web · revision 8',
    ]);
  });

  test('connects the calls about a container with its pod', () => {
    const { steps } = sequenceDiagram(
      traceOf([
        [1, 'containerd-node-1', 'add', 'bridge 98da'],
        [2, 'containerd-node-1', 'add', 'bridge 3f1d'],
        [3, 'kubelet-node-1', 'runPodSandbox', 'default/web'],
        [4, 'kubelet-node-1', 'runPodSandbox', 'default/db'],
        [5, 'kubelet-node-1', 'createContainer', '98da nginx'],
        [6, 'kubelet-node-1', 'createContainer', '3f1d postgres'],
        [7, 'kubelet-node-1', 'startContainer', '626f'],
        [8, 'kubelet-node-1', 'startContainer', '4f11'],
        [9, 'kubelet-node-1', 'stopContainer', '626f'],
      ]),
    );
    expect(steps.map(({ verb, label, objects }) => [verb, label, ...objects].join(' '))).toEqual([
      'runPodSandbox pods/web pods/default/web',
      'add bridge pods/default/web',
      'runPodSandbox pods/db pods/default/db',
      'add bridge pods/default/db',
      'createContainer nginx pods/default/web',
      'createContainer postgres pods/default/db',
      'startContainer nginx pods/default/web',
      'startContainer postgres pods/default/db',
      'stopContainer nginx pods/default/web',
    ]);
  });

  test('has the first probe of a container, and each with another outcome', () => {
    const probe = (atMs: number, outcome: string): Entry => [
      ...([atMs, 'kubelet-node-1', 'request', '10.0.0.1:80/', undefined] as const),
      outcome,
    ];
    expect(drawn([probe(1, 'ok'), probe(2_000, 'ok'), probe(4_000, 'ECONNREFUSED')])).toEqual([
      'kubelet → containers: request 10.0.0.1:80/',
      'kubelet → containers: request 10.0.0.1:80/ · ✗ ECONNREFUSED',
    ]);
  });

  test('explains rules by the last event before the component read them', () => {
    expect(
      drawn([
        [1, 'kube-proxy-node-1', 'ADDED', 'services/default/web', 5],
        [2, 'kube-proxy-node-1', 'run', 'iptables-save -t nat'],
        [3, 'kube-proxy-node-1', 'ADDED', 'endpointslices/default/web-1', 6],
        [4, 'kube-proxy-node-1', 'run', 'iptables-restore -w 5'],
        [0, 'kubelet-node-1', 'version'],
      ]),
    ).toEqual(['apiserver → kube-proxy: ADDED services/web', 'kube-proxy: run iptables-restore']);
  });

  test('has faults, crashes, and watches that break', () => {
    expect(
      drawn([
        [1, 'nemesis', 'cut-watches'],
        [2, 'deployment-controller', 'cut', 'deployments'],
        [3, 'deployment-controller', 'crash'],
      ]),
    ).toEqual([
      'nemesis: cut-watches · cut-watches',
      'apiserver → deployment-controller: cut deployments · ✗ the watch ended',
      'deployment-controller: crash · crash',
    ]);
  });

  test('has only the requested stretch of time', () => {
    const entries: readonly Entry[] = [
      [1, 'kubectl', 'create', WEB, 5],
      [2, 'deployment-controller', 'ADDED', WEB, 5],
      [30, 'deployment-controller', 'create', RS, 6],
    ];
    expect(drawn(entries, { fromMs: 2, toMs: 29 })).toEqual([
      'apiserver → deployment-controller: ADDED deployments/web',
    ]);
  });

  test('of an object has its owners and dependents', () => {
    const entries: readonly Entry[] = [
      [1, 'kubectl', 'create', WEB, 5],
      [1, 'kubectl', 'create', 'deployments/default/web-api', 6],
      [2, 'deployment-controller', 'create', RS, 7],
      [3, 'deployment-controller', 'create', 'replicasets/default/web-api-77c', 8],
      [4, 'default-scheduler', 'bind', 'pods/default/web-5d7-aaaaa/binding'],
    ];
    const about = (object: string): readonly string[] =>
      sequenceDiagram(traceOf(entries), { about: object }).steps.flatMap(({ objects }) => objects);
    expect(about(WEB)).toEqual([WEB, RS, 'pods/default/web-5d7-aaaaa']);
    expect(about('pods/default/web-5d7-aaaaa')).toEqual([WEB, RS, 'pods/default/web-5d7-aaaaa']);
  });

  test('is empty for an empty trace', () => {
    expect(sequenceDiagram([])).toEqual({ participants: [], steps: [] });
  });

  test('names the namespace if there are several', () => {
    expect(
      drawn([
        [1, 'kubectl', 'create', WEB, 5],
        [2, 'kubectl', 'create', 'deployments/shop/web', 6],
      ]),
    ).toEqual([
      'kubectl → apiserver: create deployments/default/web · revision 5',
      'kubectl → apiserver: create deployments/shop/web · revision 6',
    ]);
  });
});
