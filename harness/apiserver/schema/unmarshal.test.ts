import { describe, expect, test } from 'vitest';
import { apiTypes, type Struct } from '../../api/table/table.ts';
import { gatesOff } from './feature-gates.ts';
import { unmarshal } from './unmarshal.ts';

const decoded = (type: string, value: object): Record<string, unknown> =>
  unmarshal(apiTypes.struct(type) as Struct, value).object;

describe('An empty value', () => {
  test('is omitted if the field says so: false, 0, "", an empty list, an empty map', () => {
    const spec = { paused: false, minReadySeconds: 0, selector: {}, template: {} };
    expect(Object.keys(decoded('apps/v1.DeploymentSpec', spec))).toEqual([
      'selector',
      'template',
      'strategy',
    ]);
    expect(decoded('core/v1.Container', { name: 'a', image: '', command: [], env: [], tty: false })).toEqual({
      name: 'a',
      resources: {},
    });
    expect(decoded('meta/v1.ObjectMeta', { name: 'a', labels: {}, finalizers: [], generation: 0 })).toEqual({
      name: 'a',
    });
    expect(decoded('core/v1.ResourceRequirements', { limits: {}, requests: { cpu: 1 } })).toEqual({
      requests: { cpu: '1' },
    });
    expect(decoded('core/v1.Secret', { data: {}, stringData: { a: '' } })).toMatchObject({
      stringData: { a: '' },
    });
  });

  test('stays behind a pointer, and inside lists and maps', () => {
    expect(decoded('apps/v1.DeploymentSpec', { replicas: 0, selector: { matchLabels: {} } })).toMatchObject({
      replicas: 0,
      selector: {},
    });
    expect(decoded('core/v1.Volume', { name: 'a', emptyDir: {} })).toEqual({ name: 'a', emptyDir: {} });
    expect(decoded('core/v1.PodSpec', { enableServiceLinks: false, containers: [{}] })).toEqual({
      enableServiceLinks: false,
      containers: [{ name: '', resources: {} }],
    });
    expect(decoded('meta/v1.ObjectMeta', { annotations: { note: '' } })).toEqual({
      annotations: { note: '' },
    });
  });

  test('stays if the field does not omit it', () => {
    expect(decoded('apps/v1.ReplicaSetStatus', { replicas: 0 })).toEqual({ replicas: 0 });
    expect(decoded('core/v1.PodSpec', { containers: [] })).toEqual({ containers: [] });
  });
});

describe('An absent value', () => {
  test('is printed if the field is never omitted: nil lists, maps and pointers are null', () => {
    expect(decoded('apps/v1.ReplicaSetStatus', {})).toEqual({ replicas: 0 });
    expect(decoded('rbac/v1.Role', {})).toEqual({ metadata: {}, rules: null });
    expect(decoded('apps/v1.DeploymentSpec', {})).toMatchObject({ selector: null });
    expect(decoded('core/v1.ContainerStatus', { name: 'a' })).toEqual({
      ...{ name: 'a', state: {}, lastState: {}, ready: false, restartCount: 0, image: '', imageID: '' },
    });
  });

  test('is printed if it is a struct, which Go never considers empty; a time is null then', () => {
    expect(decoded('core/v1.Pod', {})).toEqual({ metadata: {}, spec: { containers: null }, status: {} });
    expect(decoded('core/v1.PodCondition', { type: 'Ready', status: 'True' })).toEqual({
      ...{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null },
    });
    expect(decoded('core/v1.ResourceFieldSelector', { resource: 'limits.cpu' })).toMatchObject({
      divisor: '0',
    });
    expect(decoded('core/v1.ServicePort', { port: 80 })).toEqual({ port: 80, targetPort: 0 });
  });

  test('is omitted if the field omits zero values: a template has no creation time', () => {
    expect(decoded('core/v1.PodTemplateSpec', { metadata: { creationTimestamp: null } })).toEqual({
      metadata: {},
      spec: { containers: null },
    });
  });

  test('is a shared frozen object, so that it costs nothing', () => {
    const [one, other] = [decoded('core/v1.Pod', {}), decoded('core/v1.Pod', {})];
    expect(one.status).toBe(other.status);
    expect(Object.isFrozen(one.status)).toBe(true);
    expect(Object.isFrozen(one)).toBe(false);
  });
});

describe('A field whose feature gate is off', () => {
  test('is silently dropped, together with everything below it', () => {
    const lifecycle = { stopSignal: 'SIGUSR1', preStop: { sleep: { seconds: 1 } } };
    const { object, unknownFields } = unmarshal(apiTypes.struct('core/v1.PodSpec') as Struct, {
      schedulingGroup: { podGroupName: 'group' },
      containers: [{ name: 'a', lifecycle }],
      volumes: [{ name: 'all', projected: { sources: [{ podCertificate: { signerName: 'x/y' } }] } }],
    });
    expect(object).toEqual({
      containers: [{ name: 'a', resources: {}, lifecycle: { preStop: lifecycle.preStop } }],
      volumes: [{ name: 'all', projected: { sources: [{}] } }],
    });
    expect(unknownFields).toEqual([]);
  });

  test('has a gate that the API table contains', () => {
    const known = new Set<string | undefined>();
    for (const [home, { structs }] of Object.entries(apiTypes.table.packages)) {
      for (const name of Object.keys(structs)) {
        for (const { gate } of apiTypes.struct(`${home}.${name}`)?.fields ?? []) known.add(gate);
      }
    }
    expect([...gatesOff].filter((gate) => !known.has(gate))).toEqual([]);
  });
});

describe('Embedded structs', () => {
  test('are inlined in JSON', () => {
    const reference = { name: 'settings', key: 'a' };
    expect(decoded('core/v1.ConfigMapKeySelector', reference)).toEqual(reference);
    expect(decoded('core/v1.Probe', { tcpSocket: { port: 80 } })).toEqual({ tcpSocket: { port: 80 } });
  });
});

test('Durations are printed as in Go', () => {
  const written = (window: unknown) => decoded('metrics/v1beta1.NodeMetrics', { window }).window;
  expect(written('90s')).toBe('1m30s');
  expect(written(undefined)).toBe('0s');
  expect(() => written('soon')).toThrow('time: invalid duration "soon"');
});

test('Unknown fields below the keys of a map are reported with the key', () => {
  const schema = { type: 'object', properties: { replicas: { typ: 'integer' } } };
  const { object, unknownFields } = unmarshal(
    apiTypes.struct('apiextensions/v1.JSONSchemaProps') as Struct,
    schema,
  );
  expect(unknownFields).toEqual(['properties.replicas.typ']);
  expect(object).toEqual({ type: 'object', properties: { replicas: {} } });
});

test('Every struct in the API table can be decoded, and a second decoding changes nothing', () => {
  for (const [home, { structs }] of Object.entries(apiTypes.table.packages)) {
    for (const name of Object.keys(structs)) {
      const object = decoded(`${home}.${name}`, {});
      expect(decoded(`${home}.${name}`, object), `${home}.${name}`).toEqual(object);
    }
  }
});
