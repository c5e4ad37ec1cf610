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

/** Writes a value and reads it again. */
const again = (type: string, value: Record<string, unknown>): object =>
  readMessage(struct(type), writeMessage(struct(type), value));

describe('a message', () => {
  test('is read as its JSON, in any order of its fields', () => {
    expect(read('core/v1.ContainerPort', 0x18, 80, 0x0a, 4, 'http')).toEqual({
      name: 'http',
      containerPort: 80,
    });
  });

  test('omits empty values that Go writes and JSON omits', () => {
    expect(read('core/v1.ContainerPort', 0x0a, 0, 0x10, 0, 0x18, 0, 0x22, 0, 0x2a, 0)).toEqual({
      containerPort: 0,
    });
  });

  test('keeps a zero value if the Go field is a pointer', () => {
    expect(read('apps/v1.DeploymentSpec', 0x08, 0)).toEqual({ replicas: 0 });
    expect(read('core/v1.VolumeSource', 0x12, 0)).toEqual({ emptyDir: {} });
  });

  test('takes the last occurrence of a string, even if it is empty', () => {
    expect(read('core/v1.ContainerPort', 0x0a, 1, 'a', 0x0a, 1, 'b')).toEqual({ name: 'b' });
    expect(read('core/v1.ContainerPort', 0x0a, 1, 'a', 0x0a, 0)).toEqual({});
  });

  test('merges the occurrences of a message field', () => {
    expect(read('core/v1.Pod', 0x0a, 3, 0x0a, 1, 'a', 0x0a, 3, 0x1a, 1, 'b')).toEqual({
      metadata: { name: 'a', namespace: 'b' },
    });
  });

  test('skips unknown fields', () => {
    expect(read('core/v1.ContainerPort', 0xfa, 0x7f, 2, 1, 2, 0x18, 80)).toEqual({ containerPort: 80 });
  });

  test('rejects a field of another wire type', () => {
    expect(() => read('core/v1.ContainerPort', 0x08, 1)).toThrow('proto: wrong wireType = 0 for field Name');
    expect(() => read('core/v1.ContainerPort', 0x1a, 0)).toThrow(
      'proto: wrong wireType = 2 for field ContainerPort',
    );
  });
});

describe('an embedded struct', () => {
  test('is a separate message, but its fields are inlined in JSON', () => {
    const volume = { name: 'data', emptyDir: { medium: 'Memory' } };
    expect(read('core/v1.Volume', 0x0a, 4, 'data', 0x12, 10, 0x12, 8, 0x0a, 6, 'Memory')).toEqual(volume);
    expect(again('core/v1.Volume', volume)).toEqual(volume);
  });

  test('can embed another struct', () => {
    const rule = { resourceNames: ['a'], operations: ['*'], apiGroups: [''], scope: '*' };
    expect(again('admissionregistration/v1.NamedRuleWithOperations', rule)).toEqual(rule);
  });
});

describe('a list', () => {
  test('of numbers can be packed into one field or spread over several', () => {
    expect(read('core/v1.PodSecurityContext', 0x22, 2, 1, 2, 0x20, 3)).toEqual({
      supplementalGroups: [1, 2, 3],
    });
  });

  test('that can be nil is a separate message', () => {
    expect(read('authentication/v1.UserInfo', 0x22, 5, 0x0a, 1, 'a', 0x12, 0)).toEqual({ extra: { a: [] } });
    const user = { username: 'ann', extra: { scopes: ['a', 'b'] } };
    expect(again('authentication/v1.UserInfo', user)).toEqual(user);
  });
});

describe('a map', () => {
  test('reads an entry without a value as null, which decoding turns into a zero value', () => {
    expect(read('meta/v1.LabelSelector', 0x0a, 3, 0x0a, 1, 'a', 0x0a, 3, 0x12, 1, 'b')).toEqual({
      matchLabels: { a: null, '': 'b' },
    });
    expect(read('core/v1.ResourceRequirements', 0x0a, 5, 0x0a, 3, 'cpu')).toEqual({ limits: { cpu: null } });
  });

  test('keeps keys that are properties of every JavaScript object', () => {
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
  test('reads quantities in canonical form', () => {
    expect(read('core/v1.ResourceRequirements', 0x0a, 12, 0x0a, 3, 'cpu', 0x12, 5, 0x0a, 3, '0.5')).toEqual({
      limits: { cpu: '500m' },
    });
    expect(() =>
      read('core/v1.ResourceRequirements', 0x0a, 10, 0x0a, 1, 'a', 0x12, 5, 0x0a, 3, 'two'),
    ).toThrow('quantities must match the regular expression');
  });

  test('reads a number or a string', () => {
    expect(read('core/v1.ServicePort', 0x22, 6, 0x08, 0, 0x10, 80, 0x1a, 0)).toEqual({ targetPort: 80 });
    expect(read('core/v1.ServicePort', 0x22, 8, 0x08, 1, 0x10, 0, 0x1a, 2, 'ab')).toEqual({
      targetPort: 'ab',
    });
    expect(() => read('core/v1.ServicePort', 0x22, 2, 0x08, 2)).toThrow('impossible IntOrString.Type');
  });

  test('reads times as whole seconds, and an empty message as null', () => {
    expect(read('meta/v1.ObjectMeta', 0x42, 4, 0x08, 1, 0x10, 5)).toEqual({
      creationTimestamp: '1970-01-01T00:00:01Z',
    });
    expect(read('meta/v1.ObjectMeta', 0x42, 0)).toEqual({ creationTimestamp: null });
    const meta = { creationTimestamp: '1969-12-31T23:59:59Z', deletionTimestamp: '9999-12-31T23:59:59Z' };
    expect(again('meta/v1.ObjectMeta', meta)).toEqual(meta);
  });

  test('rejects a time whose year does not have four digits', () => {
    const far = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    expect(() => read('meta/v1.ObjectMeta', 0x42, 8, 0x08, ...far)).toThrow('year outside of range [0,9999]');
  });

  test('reads times in microseconds with six digits', () => {
    expect(read('coordination/v1.LeaseSpec', 0x1a, 6, 0x08, 1, 0x10, 0xd0, 0x86, 0x03)).toEqual({
      acquireTime: '1970-01-01T00:00:01.000050Z',
    });
    const spec = { renewTime: '1969-12-31T23:59:59.999999Z' };
    expect(again('coordination/v1.LeaseSpec', spec)).toEqual(spec);
  });

  test('reads embedded JSON', () => {
    const revision = { data: { spec: [1, null] }, revision: 1 };
    expect(again('apps/v1.ControllerRevision', revision)).toMatchObject(revision);
    expect(() => read('apps/v1.ControllerRevision', 0x12, 3, 0x0a, 1, '{')).toThrow(
      'unexpected end of JSON input',
    );
  });

  test('reads a schema or its alternative', () => {
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
