import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import { setPodOnlyDefaults } from './defaults.ts';
import { container, lines, podSpec } from './pod.fixture.ts';
import { computePodQOS } from './qos.ts';
import { validatePodSpec } from './spec.ts';

type Lists = Pick<core.ResourceRequirements, 'limits' | 'requests'>;

/** A spec with these resources for its containers and init containers, and `resources` for the pod. */
const spec = (resources: Lists, containers: readonly Lists[], more: Partial<core.PodSpec> = {}) =>
  podSpec({
    containers: containers.map((own, i) => container({ name: `app-${i}`, resources: own })),
    resources,
    ...more,
  });

const defaulted = (...args: Parameters<typeof spec>) => setPodOnlyDefaults(spec(...args)).resources;

const check = (...args: Parameters<typeof spec>) => lines(validatePodSpec(spec(...args), 'spec'));

describe('defaults of pod-level resources', () => {
  test('set requests to the total of the containers, or to the limits', () => {
    const asking = [{ requests: { cpu: '500m' } }, { requests: { cpu: '1' } }];
    expect(defaulted({ limits: { cpu: '4', memory: '1Gi' } }, asking)).toEqual({
      limits: { cpu: '4', memory: '1Gi' },
      requests: { cpu: '1500m', memory: '1Gi' },
    });
  });

  test('count container limits as requests', () => {
    expect(defaulted({ limits: { memory: '1Gi' } }, [{ limits: { cpu: '1' } }])?.requests).toEqual({
      cpu: '1',
      memory: '1Gi',
    });
  });

  test('count init containers together with the sidecars that started before them', () => {
    const initContainers = [
      container({ name: 'first', resources: { requests: { cpu: '3' } } }),
      container({ name: 'side', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } }),
      container({ name: 'last', resources: { requests: { cpu: '4' } } }),
    ];
    const asked = defaulted({ limits: { cpu: '9' } }, [{ requests: { cpu: '2' } }], { initContainers });
    expect(asked?.requests).toEqual({ cpu: '5' });
  });

  test('keep existing requests, and a pod without limits', () => {
    const both = { limits: { cpu: '4' }, requests: { cpu: '2' } };
    expect(defaulted(both, [{ requests: { cpu: '1' } }])).toEqual(both);
    const asked = { requests: { memory: '1Gi' } };
    expect(defaulted(asked, [{ requests: { cpu: '1' } }])).toEqual(asked);
    expect(defaulted({}, [{ requests: { cpu: '1' } }])).toEqual({});
  });

  test('limit huge pages to the total of the containers', () => {
    const huge = { limits: { 'hugepages-2Mi': '4Mi', cpu: '1' } };
    expect(defaulted({ requests: { cpu: '3' } }, [huge, huge])).toEqual({
      limits: { 'hugepages-2Mi': '8Mi' },
      requests: { cpu: '3', 'hugepages-2Mi': '8Mi' },
    });
  });

  test('do not change when they are set twice', () => {
    const once = setPodOnlyDefaults(spec({ limits: { cpu: '4' } }, [{ requests: { cpu: '1' } }]));
    expect(setPodOnlyDefaults(once)).toBe(once);
  });
});

describe('pod-level resources', () => {
  test('accept only cpu, memory and huge pages', () => {
    expect(check({ limits: { cpu: '1', memory: '1Gi', 'hugepages-2Mi': '2Mi' } }, [{}])).toEqual([]);
    expect(check({ limits: { 'ephemeral-storage': '1Gi', disk: '1', 'a/b': '1' } }, [{}])).toEqual([
      'spec.resources.limits[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
      'spec.resources.limits[disk]: Invalid value: "disk": must be a standard resource type or fully qualified',
      'spec.resources.limits[a/b]: Unsupported value: "a/b": supported values: "cpu", "hugepages-", "memory"',
    ]);
  });

  test('must cover the requests of the containers', () => {
    const asking = [{ requests: { cpu: '1' } }, { requests: { cpu: '1' } }];
    expect(check({ requests: { cpu: '2' } }, asking)).toEqual([]);
    expect(check({ requests: { cpu: '1900m' } }, asking)).toEqual([
      'spec.resources.requests[cpu]: Invalid value: "1900m": must be greater than or equal to aggregate container requests of 2',
    ]);
    const huge = { limits: { 'hugepages-2Mi': '4Mi', cpu: '1' } };
    expect(check({ limits: { 'hugepages-2Mi': '4Mi', cpu: '1' } }, [huge, huge])).toEqual([
      'spec.resources.limits[hugepages-2Mi]: Invalid value: "4Mi": must be greater than or equal to aggregate container limits of 8Mi',
    ]);
  });

  test('must not be lower than the limit of a container', () => {
    const limited = { limits: { cpu: '2' } };
    expect(check({ limits: { cpu: '2' } }, [limited, limited])).toEqual([]);
    expect(check({ limits: { cpu: '1' } }, [limited])).toEqual([
      'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1',
    ]);
  });

  test('reject claims, and pods on Windows', () => {
    expect(check({ claims: [{ name: 'c' }] } as Lists, [{}])).toEqual([
      'spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level',
    ]);
    expect(check({ limits: { disk: '1' } }, [{}], { os: { name: 'windows' } })).toEqual([
      'spec.resources: Forbidden: may not be set for a windows pod',
    ]);
  });

  test('determine the quality of service class', () => {
    const both = { cpu: '1', memory: '1Gi' };
    expect(computePodQOS(spec({ limits: both, requests: both }, [{}]))).toBe('Guaranteed');
    expect(computePodQOS(spec({ limits: both, requests: { cpu: '1' } }, [{}]))).toBe('Burstable');
    expect(computePodQOS(spec({ requests: both }, [{ limits: both, requests: both }]))).toBe('Burstable');
  });
});
