import { describe, expect, test } from 'vitest';
import { deployments, pods, type Resource, resources } from '../api/resource.ts';
import { StatusError } from '../api/status.ts';
import { manifests } from './decode.manifests.ts';
import { type Body, type DecodeOptions, decode, type Expected, unrecognized } from './decode.ts';
import { kinds } from './kinds/index.ts';
import { samples } from './kinds/samples.fixture.ts';

const ignore: DecodeOptions = { fieldValidation: 'Ignore' };
const warn: DecodeOptions = { fieldValidation: 'Warn' };
const strict: DecodeOptions = { fieldValidation: 'Strict' };
const scale: Expected<unknown> = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** Returns code, reason and message of the error that `run` throws. */
function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.reason}: ${error.message}`;
    throw error;
  }
  throw new Error('It was not refused.');
}

const refusedDeployment = (value: unknown, options: DecodeOptions & Body = ignore): string =>
  refusal(() => decode(deployments, value, options));
const refusedPod = (value: unknown): string => refusal(() => decode(pods, value, ignore));

describe('decode', () => {
  test.each(manifests)('leaves %s unchanged', (_, resource, manifest) => {
    expect(decode(resource, manifest, strict)).toEqual({ object: manifest, warnings: [] });
  });

  test('supports every resource', () => {
    const tried = new Set(manifests.map(([, { kind }]) => kind));
    const untried = kinds.filter(({ resource, conversion }) => !conversion && !tried.has(resource.kind));
    for (const { resource } of untried) {
      const { object } = decode<object>(resource, samples[resource.kind], strict);
      expect(object).toMatchObject({ kind: resource.kind });
      expect(decode(resource, object, strict)).toEqual({ object, warnings: [] });
    }
  });

  test('fills in kind, apiVersion and metadata', () => {
    const { object } = decode(deployments, { spec: { replicas: 3 } }, strict);
    expect(JSON.stringify(object)).toBe(
      '{"kind":"Deployment","apiVersion":"apps/v1","spec":{"replicas":3,"selector":null,' +
        '"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}},"metadata":{},"status":{}}',
    );
    const empty = { kind: 'Pod', apiVersion: 'v1', metadata: {}, spec: { containers: null }, status: {} };
    expect(decode(pods, { kind: '', apiVersion: null }, strict).object).toEqual(empty);
    expect(decode(pods, null, strict).object).toEqual(empty);
  });

  test('decodes the objects of subresources', () => {
    const value = { metadata: { name: 'a' }, spec: { replicas: 2 } };
    expect(decode(scale, value, strict).object).toEqual({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      ...value,
      status: { replicas: 0 },
    });
    const options: Expected<unknown> = { group: '', version: 'v1', kind: 'DeleteOptions' };
    const asked = { kind: 'DeleteOptions', apiVersion: 'apps/v1', gracePeriodSeconds: 0 };
    expect(decode(options, asked, strict).object).toEqual({ ...asked, apiVersion: 'v1' });
  });
});

describe('Types', () => {
  test('are reported with the innermost struct, the path and the Go type', () => {
    const container = (fields: object): object => ({ spec: { containers: [{ name: 'c', ...fields }] } });
    const cannot = '400 BadRequest: Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal';
    const table: [object, string][] = [
      [container({ image: 1 }), 'number into Go struct field Container.spec.containers.image of type string'],
      [container({ tty: 'yes' }), 'string into Go struct field Container.spec.containers.tty of type bool'],
      [
        container({ command: 'sh' }),
        'string into Go struct field Container.spec.containers.command of type []string',
      ],
      [
        container({ command: [true] }),
        'bool into Go struct field Container.spec.containers.command of type string',
      ],
      [
        container({ imagePullPolicy: [] }),
        'array into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy',
      ],
      [
        container({ resources: { limits: 1 } }),
        'number into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList',
      ],
      [
        container({ ports: [{ containerPort: '80' }] }),
        'string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
      ],
      [
        container({ livenessProbe: { httpGet: { port: true } } }),
        'bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.httpGet.port of type int32',
      ],
      [
        { spec: { containers: [{}, 'c'] } },
        'string into Go struct field PodSpec.spec.containers of type v1.Container',
      ],
      [
        { spec: { containers: {} } },
        'object into Go struct field PodSpec.spec.containers of type []v1.Container',
      ],
      [{ spec: [] }, 'array into Go struct field Pod.spec of type v1.PodSpec'],
      [
        { spec: { terminationGracePeriodSeconds: 1.5 } },
        'number 1.5 into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64',
      ],
      [
        { spec: { priority: 3_000_000_000 } },
        'number 3000000000 into Go struct field PodSpec.spec.priority of type int32',
      ],
      [
        { metadata: { labels: { tier: 1 } } },
        'number into Go struct field ObjectMeta.metadata.labels of type string',
      ],
      [
        { metadata: { annotations: 'x' } },
        'string into Go struct field ObjectMeta.metadata.annotations of type map[string]string',
      ],
      [{ metadata: { uid: 7 } }, 'number into Go struct field ObjectMeta.metadata.uid of type types.UID'],
      [
        { metadata: { creationTimestamp: 0 } },
        'number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
      ],
    ];
    for (const [value, told] of table) expect(refusedPod(value)).toBe(`${cannot} ${told}`);
    expect(table).toHaveLength(17);
  });

  test('of a deployment are reported like those of a pod', () => {
    expect(refusedDeployment({ spec: { replicas: 'three' } })).toBe(
      '400 BadRequest: Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    );
    expect(refusedDeployment({ spec: { strategy: { rollingUpdate: { maxSurge: {} } } } })).toBe(
      '400 BadRequest: Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal object into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32',
    );
  });

  test('reports the first mismatch, but prefers an error from a type with its own decoding', () => {
    const spec = { replicas: 'x', paused: 'y' };
    expect(refusedDeployment({ spec })).toContain('DeploymentSpec.spec.replicas');
    expect(refusedDeployment({ spec, metadata: { creationTimestamp: 'z' } })).toContain('parsing time "z"');
  });

  test('reports a mismatch rather than an unknown field', () => {
    expect(refusedDeployment({ spex: {}, spec: { replicas: 'x' } }, strict)).toContain(
      'cannot unmarshal string',
    );
  });

  test('rejects malformed quantities and times', () => {
    const requests = (cpu: unknown): object => ({
      spec: { containers: [{ resources: { requests: { cpu } } }] },
    });
    const cannot = '400 BadRequest: Pod in version "v1" cannot be handled as a Pod:';
    const grammar =
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    expect(refusedPod(requests('lots'))).toBe(`${cannot} ${grammar}`);
    expect(refusedPod(requests(true))).toBe(`${cannot} ${grammar}`);
    expect(refusedPod(requests(['1']))).toBe(`${cannot} ${grammar}`);
    expect(refusedPod(requests('1Zi'))).toBe(`${cannot} ${grammar}`);
    expect(refusedPod({ metadata: { deletionTimestamp: 'tomorrow' } })).toBe(
      `${cannot} parsing time "tomorrow" as "2006-01-02T15:04:05Z07:00": cannot parse "tomorrow" as "2006"`,
    );
  });

  test('prints quantities and times in canonical form', () => {
    const resources = { limits: { cpu: 0.5, memory: ' 1024Mi ', 'example.com/gpu': 1 } };
    const value = {
      metadata: { creationTimestamp: '2024-05-01T12:00:00.25+02:00' },
      spec: { containers: [{ name: 'c', resources }] },
    };
    const { object } = decode(pods as Resource, value, strict);
    expect(object).toMatchObject({
      metadata: { creationTimestamp: '2024-05-01T10:00:00Z' },
      spec: {
        containers: [{ resources: { limits: { cpu: '500m', memory: '1Gi', 'example.com/gpu': '1' } } }],
      },
    });
  });

  test('rejects bytes that are not base64', () => {
    const configMaps = resources.find(({ kind }) => kind === 'ConfigMap') as Resource;
    const bytes = (text: string): string =>
      refusal(() => decode(configMaps, { binaryData: { key: text } }, ignore));
    expect(bytes('ab!d')).toContain('cannot be handled as a ConfigMap: illegal base64 data at input byte 2');
    expect(bytes('abcdef')).toContain(': illegal base64 data at input byte 4');
  });

  test('that JSON does not have are a programming error', () => {
    expect(() => decode(pods, { spec: { priority: 1n } }, ignore)).toThrow(TypeError);
  });
});

describe('Null', () => {
  test('means absent in a field, and a zero value in a list or a map', () => {
    const value = {
      metadata: { name: 'a', creationTimestamp: null, labels: null, annotations: { note: null } },
      spec: { replicas: null, template: { spec: { containers: [null], nodeSelector: null } } },
      status: null,
    };
    expect(decode(deployments as Resource, value, strict).object).toEqual({
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'a', annotations: { note: '' } },
      spec: {
        selector: null,
        strategy: {},
        template: { metadata: {}, spec: { containers: [{ name: '', resources: {} }] } },
      },
      status: {},
    });
  });

  test('differs from undefined, which a program can leave in a field or a map but JSON cannot contain', () => {
    const value = {
      metadata: { name: 'a', namespace: undefined, labels: { a: 'b', c: undefined } },
      x: undefined,
    };
    const { object, warnings } = decode(pods, value, warn);
    expect(object.metadata).toStrictEqual({ name: 'a', labels: { a: 'b' } });
    expect(warnings).toEqual([]);
  });

  test('stays in a free-form field', () => {
    const managedFields = [{ manager: 'm', fieldsV1: { 'f:spec': { '.': null, 'v:[1]': {} } } }];
    const { object } = decode(pods, { metadata: { managedFields } }, strict);
    expect(object.metadata.managedFields).toEqual(managedFields);
  });
});

describe('Unknown fields', () => {
  const value = {
    kin: 'Deployment',
    metadata: { name: 'a', lables: {} },
    spec: {
      replicaz: 3,
      template: { spec: { containers: [{ name: 'c' }, { imagee: null, ports: [{ prot: { a: 1 } }] }] } },
    },
  };
  const told = [
    'unknown field "kin"',
    'unknown field "metadata.lables"',
    'unknown field "spec.replicaz"',
    'unknown field "spec.template.spec.containers[1].imagee"',
    'unknown field "spec.template.spec.containers[1].ports[0].prot"',
  ];

  test('are rejected under Strict in the order of the text', () => {
    expect(refusedDeployment({ spec: { replicaz: 3 } }, strict)).toBe(
      '400 BadRequest: Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replicaz"',
    );
    expect(refusedDeployment(value, strict)).toContain(`: strict decoding error: ${told.join(', ')}`);
  });

  test('cause warnings under Warn and are dropped under Ignore', () => {
    const object = {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'a' },
      spec: {
        selector: null,
        strategy: {},
        template: {
          metadata: {},
          spec: {
            containers: [
              { name: 'c', resources: {} },
              { name: '', ports: [{ containerPort: 0 }], resources: {} },
            ],
          },
        },
      },
      status: {},
    };
    expect(decode(deployments, value, warn)).toEqual({ object, warnings: told });
    expect(decode(deployments, value, ignore)).toEqual({ object, warnings: [] });
  });

  test('include fields that every JavaScript object inherits', () => {
    const value = JSON.parse('{"spec":{"constructor":{},"__proto__":{"replicas":3}}}');
    expect(decode(deployments as Resource, value, warn)).toMatchObject({
      object: { kind: 'Deployment', apiVersion: 'apps/v1', metadata: {}, spec: { selector: null } },
      warnings: ['unknown field "spec.constructor"', 'unknown field "spec.__proto__"'],
    });
    const labels = JSON.parse('{"__proto__":"a","constructor":null}');
    const { object } = decode(pods, { metadata: { labels } }, strict);
    expect(JSON.stringify(object.metadata.labels)).toBe('{"__proto__":"a","constructor":""}');
  });

  test('and duplicate ones are reported in the order of the text', () => {
    const body = `{"spec":{"x":1,"replicas":1,"x":{"y":1,"y":2},"replicas":2,
      "template":{"spec":{"containers":[{"z":1,"image":"a","image":"b","image":"c"}]}}},"spec":{"x":1}}`;
    const value = { spec: { x: 1, replicas: 2, template: { spec: { containers: [{ z: 1, image: 'c' }] } } } };
    const told = [
      'unknown field "spec.x"',
      'duplicate field "spec.replicas"',
      'unknown field "spec.template.spec.containers[0].z"',
      'duplicate field "spec.template.spec.containers[0].image"',
      'duplicate field "spec"',
    ];
    expect(refusedDeployment(value, { ...strict, body })).toContain(
      `: strict decoding error: ${told.join(', ')}`,
    );
    expect(decode(deployments, value, { ...warn, body }).warnings).toEqual(told);
    expect(decode(deployments, value, { ...ignore, body }).warnings).toEqual([]);
  });
});

describe('Kind and apiVersion', () => {
  test.each([
    [
      { apiVersion: 'v1' },
      'Deployment in version "v1" cannot be handled as a Deployment: no kind "Deployment" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      { kind: 'Deploy' },
      'Deploy in version "v1" cannot be handled as a Deployment: no kind "Deploy" is registered for version "apps/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      { kind: 'Pod', apiVersion: 'v1' },
      'Pod in version "v1" cannot be handled as a Deployment: converting (v1.Pod) to (apps.Deployment): unknown conversion',
    ],
    [
      { apiVersion: 'apps/v1beta1' },
      'the API version in the data (apps/v1beta1) does not match the expected API version (apps/v1)',
    ],
    [
      { apiVersion: 'a/b/c' },
      'the object provided is unrecognized (must be of type Deployment): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})',
    ],
    [
      { apiVersion: 1 },
      `the object provided is unrecognized (must be of type Deployment): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .apiVersion of type string ({"apiVersion":1})`,
    ],
    [
      [{}],
      `the object provided is unrecognized (must be of type Deployment): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b7b7d5d)`,
    ],
    [
      undefined,
      `the object provided is unrecognized (must be of type Deployment): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
    ],
  ])('must match the URL: %j', (value, message) => {
    expect(refusedDeployment(value)).toBe(`400 BadRequest: ${message}`);
  });

  test('are unknown for a text that is not JSON', () => {
    const why =
      "couldn't get version/kind; json parse error: invalid character '}' looking for beginning of value";
    expect(unrecognized(pods, why, '{"kind": "Pod", "metadata": }').message).toBe(
      `the object provided is unrecognized (must be of type Pod): ${why} ({"kind": "Pod", "metadata": })`,
    );
    expect(unrecognized(pods, why, 'kind: Pod, and much more of this').message).toMatch(
      / \(6b696e643a20506f642c20616e64206d756368206d6f7265206f66207468 \.\.\.\)$/,
    );
  });

  test('of another kind of the core group are reported with its Go package', () => {
    expect(refusedPod({ kind: 'Service' })).toContain(
      'converting (v1.Service) to (core.Pod): unknown conversion',
    );
  });
});
