import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import { deepFreeze } from '../../../api/freeze.ts';
import { setPodOnlyDefaults, setPodSpecDefaults } from './defaults.ts';
import { container, decodedSpec } from './pod.fixture.ts';
import { validatePodSpec } from './spec.ts';

const defaulted = (changes: Partial<core.PodSpec>) =>
  setPodSpecDefaults(decodedSpec({ containers: [container()], ...changes }));
const defaultedContainer = (changes: Partial<core.Container>) =>
  defaulted({ containers: [container(changes)] }).containers[0];

describe('defaults of a pod spec', () => {
  test('complete a minimal spec', () => {
    expect(setPodSpecDefaults({ containers: [{ name: 'app', image: 'nginx' }] })).toEqual({
      containers: [
        {
          name: 'app',
          image: 'nginx',
          imagePullPolicy: 'Always',
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ],
      dnsPolicy: 'ClusterFirst',
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
    });
  });

  test('replace an empty restart policy, and keep a grace period of 0', () => {
    const spec = defaulted({ restartPolicy: '', terminationGracePeriodSeconds: 0 });
    expect(spec).toMatchObject({ restartPolicy: 'Always', terminationGracePeriodSeconds: 0 });
  });

  test.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['registry:5000/nginx', 'Always'],
    ['registry:5000/nginx:1.25', 'IfNotPresent'],
    ['nginx@sha256:abc', 'IfNotPresent'],
    ['nginx:latest@sha256:abc', 'Always'],
  ])('set the pull policy of %s to %s', (image, imagePullPolicy) => {
    expect(defaultedContainer({ image })).toMatchObject({ imagePullPolicy });
  });

  test('complete a probe and its handler', () => {
    const probe = defaultedContainer({ readinessProbe: { httpGet: { port: 80 }, periodSeconds: 0 } });
    expect(probe?.readinessProbe).toEqual({
      httpGet: { port: 80, path: '/', scheme: 'HTTP' },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    });
    expect(defaultedContainer({ livenessProbe: { grpc: { port: 9000 } } })?.livenessProbe?.grpc).toEqual({
      port: 9000,
      service: '',
    });
    expect(defaultedContainer({ lifecycle: { preStop: { httpGet: { port: 80 } } } })?.lifecycle).toEqual({
      preStop: { httpGet: { port: 80, path: '/', scheme: 'HTTP' } },
    });
  });

  test('set TCP for a port, and v1 for a field reference', () => {
    const env = [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }];
    expect(defaultedContainer({ ports: [{ containerPort: 80 }], env })).toMatchObject({
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      env: [{ name: 'NODE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } }],
    });
  });

  test('make amounts canonical, and round them up to thousandths', () => {
    const limits = { cpu: '0.5', memory: '1.5Gi', 'ephemeral-storage': '100u' };
    expect(defaultedContainer({ resources: { limits } })?.resources?.limits).toEqual({
      cpu: '500m',
      memory: '1536Mi',
      'ephemeral-storage': '1m',
    });
  });

  test('set the file mode 0644 in volumes, and emptyDir for a volume without source', () => {
    const volumes: core.Volume[] = [
      { name: 'a' },
      { name: 'b', configMap: { name: 'c' } },
      { name: 'd', hostPath: { path: '/' } },
      { name: 'e', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
    ];
    expect(defaulted({ volumes }).volumes).toEqual([
      { name: 'a', emptyDir: {} },
      { name: 'b', configMap: { name: 'c', defaultMode: 420 } },
      { name: 'd', hostPath: { path: '/', type: '' } },
      {
        name: 'e',
        projected: {
          defaultMode: 420,
          sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }],
        },
      },
    ]);
  });

  test('set the driver defaults of other volumes', () => {
    const volumes: core.Volume[] = [
      { name: 'a', image: { reference: 'registry.example/data' } },
      { name: 'b', image: { reference: 'registry.example/data:1' } },
      { name: 'c', image: {} },
      { name: 'd', ephemeral: { volumeClaimTemplate: { spec: {} } } },
      { name: 'e', azureDisk: { diskName: 'd', diskURI: 'u' } },
    ];
    expect(defaulted({ volumes }).volumes).toMatchObject([
      { image: { pullPolicy: 'Always' } },
      { image: { pullPolicy: 'IfNotPresent' } },
      { image: { pullPolicy: 'IfNotPresent' } },
      { ephemeral: { volumeClaimTemplate: { spec: { volumeMode: 'Filesystem' } } } },
      { azureDisk: { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false } },
    ]);
  });

  test('require the file of a variable', () => {
    const fileKeyRef = { volumeName: 'v', path: 'p', key: 'k' };
    expect(defaultedContainer({ env: [{ name: 'A', valueFrom: { fileKeyRef } }] })?.env).toEqual([
      { name: 'A', valueFrom: { fileKeyRef: { ...fileKeyRef, optional: false } } },
    ]);
  });

  test('keep the two service account fields equal', () => {
    const both = { serviceAccount: 'robot', serviceAccountName: 'robot' };
    expect(defaulted({ serviceAccount: 'robot' })).toMatchObject(both);
    expect(defaulted({ serviceAccount: 'other', serviceAccountName: 'robot' })).toMatchObject(both);
  });
});

describe('defaults of a pod, not of a template', () => {
  test('set requests from limits unless a request exists', () => {
    const resources = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m' } };
    const spec = setPodOnlyDefaults(deepFreeze({ containers: [container({ resources })] }));
    expect(spec.containers[0]?.resources?.requests).toEqual({ cpu: '100m', memory: '1Gi' });
  });

  test('set host ports only on the host network', () => {
    const containers = [container({ ports: [{ containerPort: 80 }] })];
    const portOf = (spec: core.PodSpec) => setPodOnlyDefaults(deepFreeze(spec)).containers[0]?.ports?.[0];
    expect(portOf({ containers, hostNetwork: true })).toEqual({ containerPort: 80, hostPort: 80 });
    expect(portOf({ containers })).toEqual({ containerPort: 80 });
  });

  test('replace a negative grace period by one second', () => {
    const graceOf = (terminationGracePeriodSeconds: number) =>
      setPodOnlyDefaults({ containers: [], terminationGracePeriodSeconds }).terminationGracePeriodSeconds;
    expect([graceOf(-5), graceOf(0), graceOf(5)]).toEqual([1, 0, 5]);
  });

  test('enable service links', () => {
    expect(setPodOnlyDefaults({ containers: [] }).enableServiceLinks).toBe(true);
    expect(setPodOnlyDefaults({ containers: [], enableServiceLinks: false }).enableServiceLinks).toBe(false);
  });
});

describe('laws of defaults', () => {
  const port = fc.integer({ min: 1, max: 65535 });
  const probe = fc.oneof(
    fc.record({ httpGet: fc.record({ port }) }),
    fc.record({ tcpSocket: fc.record({ port }), periodSeconds: fc.nat(60) }),
    fc.record({ exec: fc.record({ command: fc.constant<string[]>(['true']) }), failureThreshold: fc.nat(9) }),
  );
  const amounts = fc.constantFrom<Record<string, string>>(
    {},
    { cpu: '0.5' },
    { cpu: '1', memory: '1.5Gi' },
    { memory: '64Mi' },
  );
  const anyContainer = fc.record(
    {
      name: fc.constant('app'),
      image: fc.constantFrom('nginx', 'nginx:1.25', 'registry:5000/a@sha256:b'),
      ports: fc
        .uniqueArray(port, { maxLength: 3 })
        .map((list) => list.map((containerPort) => ({ containerPort }))),
      readinessProbe: probe,
      livenessProbe: probe,
      resources: fc.record({ limits: amounts }, { requiredKeys: [] }),
      volumeMounts: fc.constant<core.VolumeMount[]>([{ name: 'v', mountPath: '/v' }]),
    },
    { requiredKeys: ['name', 'image'] },
  );
  const source = fc.constantFrom<Omit<core.Volume, 'name'>>(
    {},
    { configMap: { name: 'c' } },
    { emptyDir: {} },
  );
  const anySpec: fc.Arbitrary<core.PodSpec> = fc.record(
    {
      containers: fc.array(anyContainer, { minLength: 1, maxLength: 1 }),
      volumes: source.map((one) => [{ name: 'v', ...one }]),
      hostNetwork: fc.boolean(),
      restartPolicy: fc.constantFrom('', 'Always', 'Never'),
      terminationGracePeriodSeconds: fc.nat(60),
      serviceAccountName: fc.constantFrom('', 'robot'),
      overhead: amounts,
    },
    { requiredKeys: ['containers', 'volumes'] },
  );
  const complete = (spec: core.PodSpec) => setPodOnlyDefaults(setPodSpecDefaults(spec));

  test('Idempotent: setting defaults again returns the same object', () => {
    fc.assert(
      fc.property(anySpec, (spec) => {
        const once = complete(spec);
        expect(complete(once)).toBe(once);
      }),
    );
  });

  test('Pure: a frozen spec is not changed, and subtrees that need no default are shared', () => {
    fc.assert(
      fc.property(anySpec, (spec) => {
        const before = structuredClone(spec);
        const after = complete(deepFreeze(spec));
        expect(spec).toEqual(before);
        for (const [i, { ports }] of after.containers.entries()) {
          if (ports?.length === 0) expect(ports).toBe(spec.containers[i]?.ports);
        }
      }),
    );
  });

  test('Sound: a valid spec is valid with its defaults, in a template and in a pod', () => {
    fc.assert(
      fc.property(anySpec.map(decodedSpec), (spec) => {
        expect(validatePodSpec(setPodSpecDefaults(spec), 'spec')).toEqual([]);
        expect(validatePodSpec(complete(spec), 'spec', { inPod: true })).toEqual([]);
      }),
    );
  });

  test('Additive: sent values are kept, except empty values and non-canonical spellings', () => {
    fc.assert(
      fc.property(anySpec, (spec) => {
        const { restartPolicy, containers, overhead: _, ...rest } = spec;
        const after = complete(spec);
        const { volumes, ...plain } = rest;
        expect(after).toMatchObject(plain);
        expect(after.volumes).toMatchObject(volumes ?? []);
        if (restartPolicy) expect(after.restartPolicy).toBe(restartPolicy);
        expect(after.containers.map(({ name, image }) => [name, image])).toEqual(
          containers.map(({ name, image }) => [name, image]),
        );
      }),
    );
  });
});
