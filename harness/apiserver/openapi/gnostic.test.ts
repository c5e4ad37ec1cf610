import { describe, expect, test } from 'vitest';
import { deployments, groupVersion, type Resource, resources } from '../../api/resource.ts';
import { apiTypes } from '../../api/table/table.ts';
import { builtInSchemas } from './built-in-schemas.ts';
import { openApiDocument } from './document.ts';
import { encodeGnostic } from './gnostic.ts';
import { encodeProtobuf } from './protobuf.ts';
import { swaggerOf } from './swagger.ts';

/** A decoded message: the values of each field, by number. */
type Read = ReadonlyMap<number, readonly (Uint8Array | number)[]>;

function read(bytes: Uint8Array): Read {
  const fields = new Map<number, (Uint8Array | number)[]>();
  let at = 0;
  const varint = (): number => {
    const byte = bytes[at] ?? 0;
    at += 1;
    return byte > 0x7f ? (byte & 0x7f) + varint() * 0x80 : byte;
  };
  const delimited = (length: number): Uint8Array => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const value = (tag & 7) === 2 ? delimited(varint()) : varint();
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

/** Returns the messages at a path of field numbers. */
const at = (message: Read, ...way: readonly number[]): readonly Read[] =>
  way.reduce<readonly Read[]>(
    (messages, number) =>
      messages.flatMap((each) => (each.get(number) ?? []).map((bytes) => read(bytes as Uint8Array))),
    [message],
  );

const texts = (message: Read | undefined, number: number): readonly string[] =>
  (message?.get(number) ?? []).map((bytes) => new TextDecoder().decode(bytes as Uint8Array));

/** Returns the value of the entry with this name, from messages of name and value. */
const entry = (entries: readonly Read[], name: string): Read => {
  const found = entries.find((each) => texts(each, 1)[0] === name);
  return at(found ?? new Map(), 2)[0] ?? new Map();
};

const source = builtInSchemas(apiTypes);
const encoded = (of: readonly Resource[]): Read => {
  const groupVersions = [...new Set(of.map(groupVersion))];
  const documents = groupVersions.map((each) =>
    openApiDocument(
      of.filter((resource) => groupVersion(resource) === each),
      source,
      'v1.36.3',
    ),
  );
  return read(encodeGnostic(swaggerOf(documents)));
};

/** Reference: google/gnostic-models@v0.7.0 openapiv2/OpenAPIv2.proto */
describe('the document in protobuf', () => {
  const document = encoded([deployments]);
  const object = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}';

  test('has a title and a version', () => {
    expect(texts(document, 1)).toEqual(['2.0']);
    expect(texts(at(document, 2)[0], 1)).toEqual(['Kubernetes']);
  });

  test('has definitions with their fields, types and extensions', () => {
    const spec = entry(at(document, 9, 1), 'io.k8s.api.apps.v1.DeploymentSpec');
    expect(texts(spec, 19)).toEqual(['selector', 'template']);
    const replicas = entry(at(spec, 25, 1), 'replicas');
    expect(texts(replicas, 2)).toEqual(['int32']);
    expect(texts(at(replicas, 22)[0], 1)).toEqual(['integer']);
    expect(texts(entry(at(spec, 25, 1), 'template'), 1)).toEqual([
      '#/definitions/io.k8s.api.core.v1.PodTemplateSpec',
    ]);
    const containers = entry(
      at(entry(at(document, 9, 1), 'io.k8s.api.core.v1.PodSpec'), 25, 1),
      'containers',
    );
    expect(texts(at(containers, 23, 1)[0], 1)).toEqual(['#/definitions/io.k8s.api.core.v1.Container']);
    expect(texts(entry(at(containers, 31), 'x-kubernetes-patch-merge-key'), 2)).toEqual(['"name"']);
    const kinds = entry(
      at(entry(at(document, 9, 1), 'io.k8s.api.apps.v1.Deployment'), 31),
      'x-kubernetes-group-version-kind',
    );
    expect(texts(kinds, 2)).toEqual(['[{"group":"apps","version":"v1","kind":"Deployment"}]']);
  });

  test('has operations with all kinds of parameters', () => {
    const path = entry(at(document, 8, 2), object);
    const inPath = at(path, 9, 1, 2, 4);
    expect(inPath.map((parameter) => [texts(parameter, 4)[0], parameter.get(1)])).toEqual([
      ['name', [1]],
      ['namespace', [1]],
    ]);
    const [patch] = at(path, 8);
    expect(texts(patch, 5)).toEqual(['patchAppsV1NamespacedDeployment']);
    expect(at(path, 8, 8, 1, 2, 3).map((parameter) => texts(parameter, 4)[0])).toEqual([
      ...['dryRun', 'fieldManager', 'fieldValidation', 'force'],
    ]);
    expect(at(path, 8, 8, 1, 1).map((parameter) => [texts(parameter, 2)[0], parameter.get(4)])).toEqual([
      ['body', [1]],
    ]);
    const ok = entry(at(path, 8, 9, 1), '200');
    expect(texts(at(ok, 1, 2, 1)[0], 1)).toEqual(['#/definitions/io.k8s.api.apps.v1.Deployment']);
  });

  test('encodes everything that the server offers', () => {
    const whole = encoded(resources);
    expect(at(whole, 8, 2).length).toBeGreaterThan(100);
    expect(at(whole, 9, 1).length).toBeGreaterThan(200);
  });
});

describe('encodeProtobuf', () => {
  test('writes lengths of more than one byte', () => {
    expect(
      texts(read(encodeProtobuf({ fields: { a: [1, 'text'] } }, { a: 'x'.repeat(70_000) })), 1)[0],
    ).toHaveLength(70_000);
    expect([...encodeProtobuf({ fields: { b: [20, 'truth'] } }, { b: true })]).toEqual([0xa0, 0x01, 0x01]);
  });

  test('rejects a key without a field in the message', () => {
    expect(() => encodeProtobuf({ fields: { a: [1, 'text'] } }, { b: 1 })).toThrow('Failed to encode b');
  });
});
