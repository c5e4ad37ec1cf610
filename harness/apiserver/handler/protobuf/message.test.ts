import { describe, expect, test } from 'vitest';
import { apiTypes, type Struct } from '../../../api/table/table.ts';
import { readMessage, writeMessage } from './message.ts';

const struct = (type: string): Struct => {
  const found = apiTypes.struct(type);
  if (found === undefined) throw new Error(`no ${type}`);
  return found;
};

const read = (type: string, ...bytes: (number | string)[]): object =>
  readMessage(
    struct(type),
    Buffer.concat(bytes.map((each) => (typeof each === 'string' ? Buffer.from(each) : Buffer.of(each)))),
  );

/** What is left of a value when it has been written and read. */
const again = (type: string, value: Record<string, unknown>): object =>
  readMessage(struct(type), writeMessage(struct(type), value));

describe('a message', () => {
  test('is read as its JSON, whatever the order of its fields', () => {
    expect(read('core/v1.ContainerPort', 0x18, 80, 0x0a, 4, 'http')).toEqual({
      name: 'http',
      containerPort: 80,
    });
  });

  test('leaves out what Go writes although it is nothing, and JSON does not', () => {
    expect(read('core/v1.ContainerPort', 0x0a, 0, 0x10, 0, 0x18, 0, 0x22, 0, 0x2a, 0)).toEqual({
      containerPort: 0,
    });
  });

  test('keeps nothing where Go has a pointer to it', () => {
    expect(read('apps/v1.DeploymentSpec', 0x08, 0)).toEqual({ replicas: 0 });
    expect(read('core/v1.VolumeSource', 0x12, 0)).toEqual({ emptyDir: {} });
  });

  test('takes the last of a text, and nothing where the last is nothing', () => {
    expect(read('core/v1.ContainerPort', 0x0a, 1, 'a', 0x0a, 1, 'b')).toEqual({ name: 'b' });
    expect(read('core/v1.ContainerPort', 0x0a, 1, 'a', 0x0a, 0)).toEqual({});
  });

  test('that comes in parts is one', () => {
    expect(read('core/v1.Pod', 0x0a, 3, 0x0a, 1, 'a', 0x0a, 3, 0x1a, 1, 'b')).toEqual({
      metadata: { name: 'a', namespace: 'b' },
    });
  });

  test('passes over fields that it does not know', () => {
    expect(read('core/v1.ContainerPort', 0xfa, 0x7f, 2, 1, 2, 0x18, 80)).toEqual({ containerPort: 80 });
  });

  test('refuses a field that is not of its type', () => {
    expect(() => read('core/v1.ContainerPort', 0x08, 1)).toThrow('proto: wrong wireType = 0 for field Name');
    expect(() => read('core/v1.ContainerPort', 0x1a, 0)).toThrow(
      'proto: wrong wireType = 2 for field ContainerPort',
    );
  });
});

describe('an embedded struct', () => {
  test('is a message of its own, and stands in its place in JSON', () => {
    const volume = { name: 'data', emptyDir: { medium: 'Memory' } };
    expect(read('core/v1.Volume', 0x0a, 4, 'data', 0x12, 10, 0x12, 8, 0x0a, 6, 'Memory')).toEqual(volume);
    expect(again('core/v1.Volume', volume)).toEqual(volume);
  });

  test('may embed another', () => {
    const rule = { resourceNames: ['a'], operations: ['*'], apiGroups: [''], scope: '*' };
    expect(again('admissionregistration/v1.NamedRuleWithOperations', rule)).toEqual(rule);
  });
});

describe('a list', () => {
  test('of numbers may stand in one field or in several', () => {
    expect(read('core/v1.PodSecurityContext', 0x22, 2, 1, 2, 0x20, 3)).toEqual({
      supplementalGroups: [1, 2, 3],
    });
  });

  test('that may be nil is a message of its own', () => {
    expect(read('authentication/v1.UserInfo', 0x22, 5, 0x0a, 1, 'a', 0x12, 0)).toEqual({ extra: { a: [] } });
    const user = { username: 'ann', extra: { scopes: ['a', 'b'] } };
    expect(again('authentication/v1.UserInfo', user)).toEqual(user);
  });
});

describe('a map', () => {
  test('has null, which decoding makes a zero, where an entry has no value', () => {
    expect(read('meta/v1.LabelSelector', 0x0a, 3, 0x0a, 1, 'a', 0x0a, 3, 0x12, 1, 'b')).toEqual({
      matchLabels: { a: null, '': 'b' },
    });
    expect(read('core/v1.ResourceRequirements', 0x0a, 5, 0x0a, 3, 'cpu')).toEqual({ limits: { cpu: null } });
  });

  test('keeps a key that JavaScript knows something else by', () => {
    const labels = JSON.parse('{"__proto__":"a","constructor":"b"}') as object;
    expect(JSON.stringify(again('meta/v1.LabelSelector', { matchLabels: labels }))).toBe(
      '{"matchLabels":{"__proto__":"a","constructor":"b"}}',
    );
  });

  test('is written in the order of its keys', () => {
    const write = (data: object): string =>
      Buffer.from(writeMessage(struct('core/v1.ConfigMap'), { data })).toString('hex');
    expect(write({ b: '2', a: '1', é: '3' })).toBe(write({ é: '3', a: '1', b: '2' }));
  });
});

describe('a value that encodes itself', () => {
  test('quantities come out in canonical form', () => {
    expect(read('core/v1.ResourceRequirements', 0x0a, 12, 0x0a, 3, 'cpu', 0x12, 5, 0x0a, 3, '0.5')).toEqual({
      limits: { cpu: '500m' },
    });
    expect(() =>
      read('core/v1.ResourceRequirements', 0x0a, 10, 0x0a, 1, 'a', 0x12, 5, 0x0a, 3, 'two'),
    ).toThrow('quantities must match the regular expression');
  });

  test('a number or a text', () => {
    expect(read('core/v1.ServicePort', 0x22, 6, 0x08, 0, 0x10, 80, 0x1a, 0)).toEqual({ targetPort: 80 });
    expect(read('core/v1.ServicePort', 0x22, 8, 0x08, 1, 0x10, 0, 0x1a, 2, 'ab')).toEqual({
      targetPort: 'ab',
    });
    expect(() => read('core/v1.ServicePort', 0x22, 2, 0x08, 2)).toThrow('impossible IntOrString.Type');
  });

  test('times are whole seconds, and none is none', () => {
    expect(read('meta/v1.ObjectMeta', 0x42, 4, 0x08, 1, 0x10, 5)).toEqual({
      creationTimestamp: '1970-01-01T00:00:01Z',
    });
    expect(read('meta/v1.ObjectMeta', 0x42, 0)).toEqual({ creationTimestamp: null });
    const meta = { creationTimestamp: '1969-12-31T23:59:59Z', deletionTimestamp: '9999-12-31T23:59:59Z' };
    expect(again('meta/v1.ObjectMeta', meta)).toEqual(meta);
  });

  test('a time in a year without four digits is refused', () => {
    const far = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    expect(() => read('meta/v1.ObjectMeta', 0x42, 8, 0x08, ...far)).toThrow('year outside of range [0,9999]');
  });

  test('times in microseconds have six digits', () => {
    expect(read('coordination/v1.LeaseSpec', 0x1a, 6, 0x08, 1, 0x10, 0xd0, 0x86, 0x03)).toEqual({
      acquireTime: '1970-01-01T00:00:01.000050Z',
    });
    const spec = { renewTime: '1969-12-31T23:59:59.999999Z' };
    expect(again('coordination/v1.LeaseSpec', spec)).toEqual(spec);
  });

  test('JSON within is JSON', () => {
    const revision = { data: { spec: [1, null] }, revision: 1 };
    expect(again('apps/v1.ControllerRevision', revision)).toMatchObject(revision);
    expect(() => read('apps/v1.ControllerRevision', 0x12, 3, 0x0a, 1, '{')).toThrow(
      'unexpected end of JSON input',
    );
  });

  test('a schema, or something else in its place', () => {
    const schema = {
      items: { type: 'string' },
      additionalProperties: false,
      properties: {
        a: { items: [{ type: 'integer', maximum: 1.5 }], additionalProperties: { type: 'object' } },
      },
      additionalItems: true,
      dependencies: { b: ['a'], c: { enum: [1, 'x', null] } },
    };
    expect(again('apiextensions/v1.JSONSchemaProps', schema)).toEqual(schema);
  });
});
