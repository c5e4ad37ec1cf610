import { describe, expect, test } from 'vitest';
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerV1, New } from '../../api/objects.ts';
import {
  horizontalPodAutoscalersV1 as v1,
  horizontalPodAutoscalers as v2,
} from '../../api/plain-resources.ts';
import { createHandler } from '../handler/handler.ts';
import { key, refusal, world } from '../verbs/replicas.fixture.ts';

const web = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const cpuAt = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

const inV1 = (changes: object = {}): New<HorizontalPodAutoscalerV1> => ({
  metadata: key('web'),
  spec: { scaleTargetRef: web, maxReplicas: 5, ...changes },
});
const inV2 = (changes: object = {}): New<HorizontalPodAutoscaler> => ({
  metadata: key('web'),
  spec: { scaleTargetRef: web, maxReplicas: 5, ...changes },
});

const METRICS = [
  {
    type: 'Object',
    object: {
      describedObject: { kind: 'Service', name: 'web', apiVersion: 'v1' },
      metric: { name: 'hits' },
      target: { type: 'Value', value: '10' },
    },
  },
  {
    type: 'Pods',
    pods: { metric: { name: 'requests' }, target: { type: 'AverageValue', averageValue: '1k' } },
  },
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
  {
    type: 'ContainerResource',
    containerResource: {
      name: 'cpu',
      container: 'app',
      target: { type: 'Utilization', averageUtilization: 70 },
    },
  },
  {
    type: 'External',
    external: {
      metric: { name: 'queue', selector: { matchLabels: { of: 'web' } } },
      target: { type: 'AverageValue', averageValue: '30' },
    },
  },
];

const STATUS = {
  currentReplicas: 2,
  desiredReplicas: 3,
  currentMetrics: [
    { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 60, averageValue: '60m' } } },
    { type: 'Pods', pods: { metric: { name: 'requests' }, current: { averageValue: '2k' } } },
  ],
  conditions: [
    {
      type: 'AbleToScale',
      status: 'True',
      lastTransitionTime: '2024-04-17T00:00:00Z',
      reason: 'ReadyForNewScale',
    },
  ],
};

const annotations = (object: { metadata: { annotations?: Record<string, string> } }) =>
  Object.fromEntries(
    Object.entries(object.metadata.annotations ?? {}).map(([name, text]) => [
      name.replace('autoscaling.alpha.kubernetes.io/', ''),
      JSON.parse(text) as unknown,
    ]),
  );

describe('A HorizontalPodAutoscaler of version 1', () => {
  test('is the same object in version 2, with its percentage as a metric', async () => {
    const { server } = await world();
    const created = await server.create(v1, inV1({ targetCPUUtilizationPercentage: 50 }));
    expect(created).toMatchObject({
      apiVersion: 'autoscaling/v1',
      spec: { minReplicas: 1, maxReplicas: 5, targetCPUUtilizationPercentage: 50 },
    });
    expect(created.metadata.annotations).toBeUndefined();
    const { metadata, spec } = await server.get(v2, key('web'));
    expect(metadata).toEqual(created.metadata);
    expect(spec).toEqual({ scaleTargetRef: web, minReplicas: 1, maxReplicas: 5, metrics: [cpuAt(50)] });
  });

  test('targets 80 % CPU utilization by default', async () => {
    const { server } = await world();
    expect((await server.create(v1, inV1())).spec.targetCPUUtilizationPercentage).toBe(80);
    expect((await server.get(v2, key('web'))).spec.metrics).toEqual([cpuAt(80)]);
  });

  test('keeps in annotations the values for which it has no fields', async () => {
    const { server } = await world();
    const behavior = { scaleDown: { stabilizationWindowSeconds: 60, tolerance: '50m' } };
    const created = await server.create(v2, inV2({ metrics: [cpuAt(50), ...METRICS], behavior }));
    await server.updateStatus(v2, { ...created, status: STATUS });
    const told = await server.get(v1, key('web'));
    expect(told.spec.targetCPUUtilizationPercentage).toBe(50);
    expect(told.status?.currentCPUUtilizationPercentage).toBe(60);
    expect(annotations(told)).toEqual({
      metrics: [
        {
          type: 'Object',
          object: {
            target: { kind: 'Service', name: 'web', apiVersion: 'v1' },
            metricName: 'hits',
            targetValue: '10',
          },
        },
        { type: 'Pods', pods: { metricName: 'requests', targetAverageValue: '1k' } },
        { type: 'Resource', resource: { name: 'memory', targetAverageValue: '1Gi' } },
        {
          type: 'ContainerResource',
          containerResource: { name: 'cpu', targetAverageUtilization: 70, container: 'app' },
        },
        {
          type: 'External',
          external: {
            metricName: 'queue',
            metricSelector: { matchLabels: { of: 'web' } },
            targetAverageValue: '30',
          },
        },
      ],
      'current-metrics': [
        {
          type: 'Resource',
          resource: { name: 'cpu', currentAverageUtilization: 60, currentAverageValue: '60m' },
        },
        { type: 'Pods', pods: { metricName: 'requests', currentAverageValue: '2k' } },
      ],
      conditions: [
        {
          type: 'AbleToScale',
          status: 'True',
          lastTransitionTime: '2024-04-17T00:00:00Z',
          reason: 'ReadyForNewScale',
        },
      ],
      behavior: {
        ScaleUp: {
          StabilizationWindowSeconds: 0,
          SelectPolicy: 'Max',
          Policies: [
            { Type: 'Pods', Value: 4, PeriodSeconds: 15 },
            { Type: 'Percent', Value: 100, PeriodSeconds: 15 },
          ],
          Tolerance: null,
        },
        ScaleDown: {
          StabilizationWindowSeconds: 60,
          SelectPolicy: 'Max',
          Policies: [{ Type: 'Percent', Value: 100, PeriodSeconds: 15 }],
          Tolerance: '50m',
        },
      },
    });
  });

  test('restores the fields of version 2 from its annotations', async () => {
    const { server } = await world();
    const behavior = { scaleDown: { stabilizationWindowSeconds: 60, tolerance: '50m' } };
    const created = await server.create(v2, inV2({ metrics: [...METRICS, cpuAt(50)], behavior }));
    const before = await server.updateStatus(v2, { ...created, status: STATUS });
    const told = await server.get(v1, key('web'));
    const same = await server.update(v1, told);
    expect(same.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    await server.updateStatus(v1, told);
    expect(await server.get(v2, key('web'))).toEqual(before);
  });

  test('ignores an annotation that cannot be parsed', async () => {
    const { server } = await world();
    const bad = {
      'autoscaling.alpha.kubernetes.io/metrics': '{"type":1}',
      'autoscaling.alpha.kubernetes.io/behavior': 'none',
      mine: 'kept',
    };
    const sent = inV1({ targetCPUUtilizationPercentage: 50 });
    await server.create(v1, { ...sent, metadata: { ...sent.metadata, annotations: bad } });
    const { metadata, spec } = await server.get(v2, key('web'));
    expect(metadata.annotations).toEqual({ mine: 'kept' });
    expect(spec).toEqual({ scaleTargetRef: web, minReplicas: 1, maxReplicas: 5, metrics: [cpuAt(50)] });
  });

  test('leaves no annotations of version 1 in an object written in version 2', async () => {
    const { server } = await world();
    const sent = inV2();
    const metadata = { ...sent.metadata, annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '[]' } };
    expect((await server.create(v2, { ...sent, metadata })).metadata.annotations).toBeUndefined();
  });

  test('can be patched with its own fields, by each patch type', async () => {
    const { server } = await world();
    await server.create(v2, inV2({ metrics: [...METRICS, cpuAt(50)] }));
    const percent = async () => (await server.get(v2, key('web'))).spec.metrics;
    const spec = { targetCPUUtilizationPercentage: 60 };
    await server.patch(v1, key('web'), { type: 'merge', body: { spec } });
    expect(await percent()).toEqual([...METRICS, cpuAt(60)]);
    await server.patch(v1, key('web'), {
      type: 'strategic',
      body: { spec: { targetCPUUtilizationPercentage: 61 } },
    });
    expect(await percent()).toEqual([...METRICS, cpuAt(61)]);
    const replace = { op: 'replace', path: '/spec/targetCPUUtilizationPercentage', value: 62 };
    await server.patch(v1, key('web'), { type: 'json', body: [replace] });
    expect(await percent()).toEqual([...METRICS, cpuAt(62)]);
    expect(
      await refusal(server.patch(v1, key('web'), { type: 'merge', body: { spec: { metrics: [] } } })),
    ).toMatch(/unknown field "spec.metrics"/);
  });

  test('can be applied', async () => {
    const { server } = await world();
    const config = (spec: object) => ({
      type: 'apply' as const,
      body: {
        apiVersion: 'autoscaling/v1',
        kind: 'HorizontalPodAutoscaler',
        metadata: key('web'),
        spec: { scaleTargetRef: web, maxReplicas: 5, ...spec },
      },
    });
    const options = { fieldManager: 'me' };
    await server.patch(v1, key('web'), config({ targetCPUUtilizationPercentage: 50 }), options);
    expect((await server.get(v2, key('web'))).spec.metrics).toEqual([cpuAt(50)]);
    const again = await server.patch(v1, key('web'), config({ targetCPUUtilizationPercentage: 55 }), options);
    expect(again.spec.targetCPUUtilizationPercentage).toBe(55);
    expect(await refusal(server.patch(v1, key('web'), config({ metrics: [] }), options))).toContain(
      '.spec.metrics: field not declared in schema',
    );
  });

  test('is served after version 2, with the same table', async () => {
    const { server } = await world();
    await server.create(v1, inV1({ targetCPUUtilizationPercentage: 50, minReplicas: 2 }));
    const handler = createHandler(server);
    const read = async (path: string, accept = 'application/json') =>
      (await handler(new Request(`http://apiserver.test${path}`, { headers: { accept } }))).json() as Promise<
        Record<string, unknown>
      >;
    expect(await read('/apis/autoscaling')).toMatchObject({
      versions: [{ version: 'v2' }, { version: 'v1' }],
      preferredVersion: { version: 'v2' },
    });
    const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
    const path = 'namespaces/default/horizontalpodautoscalers';
    const [older, newer] = [
      await read(`/apis/autoscaling/v1/${path}`, table),
      await read(`/apis/autoscaling/v2/${path}`, table),
    ];
    const cells = ({ rows }: Record<string, unknown>) => (rows as { cells: unknown[] }[])[0]?.cells;
    expect(cells(older)).toEqual(cells(newer));
    expect(cells(older)).toContain('cpu: <unknown>/50%');
    expect(older.columnDefinitions).toEqual(newer.columnDefinitions);
  });
});
