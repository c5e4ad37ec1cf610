import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/objects.ts';
import { runtimeClasses, storageClasses } from '../../api/plain-resources.ts';
import { nodes, persistentVolumeClaims, pods, priorityClasses, type Resource } from '../../api/resource.ts';
import type { AdmissionAttributes, AdmissionContext, Operation } from '../../contracts/admission/index.ts';
import { vectors } from '../../testing/vectors.ts';
import type { Plugin } from './plugin.ts';
import { Reinvocation } from './plugin.ts';
import { priority } from './pod-plugins.ts';
import { runtimeClassPlugin } from './runtime-class.ts';
import { defaultStorageClass, persistentVolumeClaimResize } from './storage-plugins.ts';
import { taintNodesByCondition } from './taint-nodes.ts';

/** A context whose cache has these objects. */
const having = (...objects: readonly object[]): AdmissionContext =>
  ({
    cache: {
      list: () => objects,
      get: (_: Resource, { name }: { name: string }) =>
        objects.find((object) => (object as KubeObject).metadata.name === name),
    },
  }) as unknown as AdmissionContext;

const request = (resource: Resource, object: object, rest: object = {}): AdmissionAttributes =>
  ({
    operation: 'CREATE' as Operation,
    resource,
    subresource: '',
    name: 'x',
    object: { metadata: { name: 'x' }, ...object },
    ...rest,
  }) as unknown as AdmissionAttributes;

const changed = async (plugin: Plugin, attributes: AdmissionAttributes) =>
  (await plugin.admit?.(attributes, new Reinvocation())) as unknown as { spec: Record<string, unknown> };

const refusal = (plugin: Plugin, attributes: AdmissionAttributes) =>
  (plugin.validate?.(attributes) ?? Promise.resolve()).then(
    () => 'is allowed',
    (error: Error) => error.message,
  );

const named = (name: string, fields: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  ...fields,
});

describe('Priority', () => {
  interface Input {
    readonly classes: readonly { readonly name: string }[];
    readonly operation: Operation;
    readonly object: { readonly name: string };
  }

  test.each(vectors<Input, { allowed: boolean; error?: string }>('priority', 'admitClass', 4))(
    'agrees with upstream: $name',
    async ({ input, expect: { error } }) => {
      const plugin = priority(having(...input.classes.map(({ name, ...rest }) => named(name, rest))), () => ({
        value: 0,
      }));
      const { name, ...fields } = input.object;
      const attributes = request(priorityClasses, named(name, fields), { operation: input.operation, name });
      const message = `priorityclasses.scheduling.k8s.io "${name}" is forbidden: ${error}`;
      expect(await refusal(plugin, attributes)).toBe(error ? message : 'is allowed');
    },
  );

  test('keeps the priority of a stored pod', async () => {
    const plugin = priority(having(), () => ({ value: 0 }));
    const oldObject = named('x', { spec: { priority: 9, preemptionPolicy: 'Never' } });
    const { spec } = await changed(plugin, request(pods, { spec: {} }, { operation: 'UPDATE', oldObject }));
    expect(spec).toEqual({ priority: 9, preemptionPolicy: 'Never' });
  });
});

describe('DefaultStorageClass', () => {
  const DEFAULT = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  const storageClass = (name: string, creationTimestamp: string, annotations: object = DEFAULT) =>
    named(name, {}, { creationTimestamp, annotations });
  const classes = [
    storageClass('old', '2024-01-01T00:00:00Z'),
    storageClass('b', '2024-02-01T00:00:00Z'),
    storageClass('a', '2024-02-01T00:00:00Z'),
    storageClass('new', '2024-03-01T00:00:00Z', {}),
  ];

  test('gives a claim the newest default class, of several the first by name', async () => {
    const plugin = defaultStorageClass(having(...classes));
    expect((await changed(plugin, request(persistentVolumeClaims, { spec: {} }))).spec).toEqual({
      storageClassName: 'a',
    });
  });

  test('leaves a claim with a class as it is, also with the empty one', async () => {
    const plugin = defaultStorageClass(having(...classes));
    const claim = request(persistentVolumeClaims, { spec: { storageClassName: '' } });
    expect((await changed(plugin, claim)).spec).toEqual({ storageClassName: '' });
  });
});

describe('PersistentVolumeClaimResize', () => {
  const claim = (storage: string, rest: object = {}) => ({
    ...named('x', { spec: { storageClassName: 'gold', resources: { requests: { storage } } } }),
    ...rest,
  });
  const grow = (storage: string, { phase = 'Bound', allowVolumeExpansion = true } = {}) => {
    const plugin = persistentVolumeClaimResize(
      having({ kind: storageClasses.kind, ...named('gold', { allowVolumeExpansion }) }),
    );
    const oldObject = claim('1Gi', { status: { phase } });
    return refusal(
      plugin,
      request(persistentVolumeClaims, claim(storage), { operation: 'UPDATE', oldObject }),
    );
  };

  test('lets a bound claim of an expandable class grow', async () => {
    expect(await grow('2Gi')).toBe('is allowed');
  });

  test('refuses a claim that is not bound', async () => {
    expect(await grow('2Gi', { phase: 'Pending' })).toMatch(
      /: Only bound persistent volume claims can be expanded$/,
    );
  });

  test('refuses a class that does not allow it', async () => {
    expect(await grow('2Gi', { allowVolumeExpansion: false })).toMatch(
      /: only dynamically provisioned pvc can be resized/,
    );
  });

  test('is only about growth', async () => {
    expect(await grow('1024Mi', { phase: 'Pending' })).toBe('is allowed');
  });
});

describe('RuntimeClass', () => {
  const gvisor = {
    kind: runtimeClasses.kind,
    ...named('gvisor', {
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: {
        nodeSelector: { runtime: 'gvisor' },
        tolerations: [{ key: 'gvisor', operator: 'Exists' }],
      },
    }),
  };
  const plugin = runtimeClassPlugin(having(gvisor));
  const pod = (spec: object) => request(pods, { spec: { runtimeClassName: 'gvisor', ...spec } });

  test('gives a pod the overhead and the scheduling of its class', async () => {
    expect((await changed(plugin, pod({ nodeSelector: { disk: 'ssd' } }))).spec).toEqual({
      runtimeClassName: 'gvisor',
      overhead: { cpu: '100m' },
      nodeSelector: { disk: 'ssd', runtime: 'gvisor' },
      tolerations: [{ key: 'gvisor', operator: 'Exists' }],
    });
  });

  test('changes nothing the second time', async () => {
    const once = await changed(plugin, pod({}));
    expect((await changed(plugin, pod(once.spec))).spec).toEqual(once.spec);
  });

  test('refuses another overhead, and another value of a node label', async () => {
    await expect(changed(plugin, pod({ overhead: { cpu: '1' } }))).rejects.toThrow(
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    );
    await expect(changed(plugin, pod({ nodeSelector: { runtime: 'runc' } }))).rejects.toThrow(
      'conflict: runtimeClass.scheduling.nodeSelector[runtime] = gvisor; pod.spec.nodeSelector[runtime] = runc',
    );
  });

  test('refuses an overhead without a class', async () => {
    const sent = request(pods, { spec: { overhead: { cpu: '1' } } });
    expect(await refusal(plugin, sent)).toMatch(
      /Pod Overhead set without corresponding RuntimeClass defined Overhead$/,
    );
  });
});

describe('TaintNodesByCondition', () => {
  const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

  test('taints a new node, and keeps its other taints', async () => {
    const gpu = { key: 'gpu', effect: 'NoSchedule' };
    expect((await changed(taintNodesByCondition, request(nodes, { spec: {} }))).spec).toEqual({
      taints: [notReady],
    });
    expect((await changed(taintNodesByCondition, request(nodes, { spec: { taints: [gpu] } }))).spec).toEqual({
      taints: [gpu, notReady],
    });
  });

  test('changes neither a node that has the taint nor another object', async () => {
    const tainted = request(nodes, { spec: { taints: [{ ...notReady, value: 'x' }] } });
    expect(await changed(taintNodesByCondition, tainted)).toBe(tainted.object);
    const pod = request(pods, { spec: {} });
    expect(await changed(taintNodesByCondition, pod)).toBe(pod.object);
    const status = request(nodes, { spec: {} }, { subresource: 'status' });
    expect(await changed(taintNodesByCondition, status)).toBe(status.object);
  });
});
