import { describe, expect, test } from 'vitest';
import { deepFreeze } from './frozen.fixture.ts';
import type { Json, JsonObject } from './json-value.ts';
import { schemaOf } from './patch-schema.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const schema = schemaOf({ group: 'apps', version: 'v1', kind: 'Deployment' });

function pod(spec: Record<string, Json>): JsonObject {
  return { spec: { template: { spec } } };
}

function patched(original: JsonObject, patch: Json): JsonObject {
  return applyStrategicMergePatch(deepFreeze(original), deepFreeze(patch), schema);
}

describe('applyStrategicMergePatch', () => {
  test('merges containers by name and their environment by name, new items first', () => {
    const original = pod({
      containers: [
        { name: 'web', image: 'nginx:1', env: [{ name: 'A', value: '1' }] },
        { name: 'sidecar', image: 'proxy:1' },
      ],
    });
    const patch = pod({ containers: [{ name: 'web', image: 'nginx:2', env: [{ name: 'B', value: '2' }] }] });
    expect(patched(original, patch)).toStrictEqual(
      pod({
        containers: [
          {
            name: 'web',
            image: 'nginx:2',
            env: [
              { name: 'B', value: '2' },
              { name: 'A', value: '1' },
            ],
          },
          { name: 'sidecar', image: 'proxy:1' },
        ],
      }),
    );
  });

  test('replaces a list without a merge key as a whole', () => {
    const original = pod({ tolerations: [{ key: 'a' }, { key: 'b' }] });
    expect(patched(original, pod({ tolerations: [{ key: 'c' }] }))).toStrictEqual(
      pod({ tolerations: [{ key: 'c' }] }),
    );
  });

  test('adds finalizers to the existing ones', () => {
    const original = { metadata: { finalizers: ['a', 'b'] } };
    expect(patched(original, { metadata: { finalizers: ['b', 'c'] } })).toStrictEqual({
      metadata: { finalizers: ['a', 'b', 'c'] },
    });
  });

  test('clears keys that $retainKeys does not name', () => {
    const original = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } };
    const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } };
    expect(patched(original, patch)).toStrictEqual({ spec: { strategy: { type: 'Recreate' } } });
  });

  test('replaces an object that contains $patch: replace', () => {
    const original = { metadata: { labels: { a: '1', b: '2' } } };
    const patch = { metadata: { labels: { $patch: 'replace', c: '3' } } };
    expect(patched(original, patch)).toStrictEqual({ metadata: { labels: { c: '3' } } });
  });

  test('replaces a merging list with the elements next to $patch: replace', () => {
    const original = pod({ containers: [{ name: 'a' }, { name: 'b' }] });
    const patch = pod({ containers: [{ $patch: 'replace' }, { name: 'c' }] });
    expect(patched(original, patch)).toStrictEqual(pod({ containers: [{ name: 'c' }] }));
  });

  test('never stores an unused directive', () => {
    const patch = pod({
      containers: [{ name: 'a', $patch: 'delete' }, { name: 'b' }],
      nodeSelector: { $patch: 'delete' },
    });
    expect(patched({}, patch)).toStrictEqual(pod({ containers: [{ name: 'b' }] }));
  });

  test('drops the nulls in added values', () => {
    const patch = pod({ containers: [{ name: 'a', image: null }], nodeSelector: { disk: null } });
    expect(patched({}, patch)).toStrictEqual(pod({ containers: [{ name: 'a' }], nodeSelector: {} }));
    expect(patched(pod({ containers: [] }), patch)).toStrictEqual(
      pod({ containers: [{ name: 'a' }], nodeSelector: {} }),
    );
  });

  test('drops $retainKeys and the parallel lists of an added list', () => {
    const volumes = [{ name: 'a', $retainKeys: ['name'], '$setElementOrder/items': ['x'] }];
    const patch = pod({ volumes, nodeSelector: { $retainKeys: ['disk'], disk: 'ssd' } });
    const result = pod({ volumes: [{ name: 'a' }], nodeSelector: { disk: 'ssd' } });
    expect(patched({}, patch)).toStrictEqual(result);
    expect(patched(pod({ volumes: [] }), patch)).toStrictEqual(result);
  });

  test('ignores an order for an empty list', () => {
    const original = pod({ containers: [] });
    expect(patched(original, pod({ '$setElementOrder/containers': [{ name: 'a' }] }))).toBe(original);
  });

  test('returns the original itself if nothing changes', () => {
    const original = pod({
      containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }],
      tolerations: [{ key: 'a' }],
    });
    expect(patched(original, structuredClone(original))).toBe(original);
    expect(patched(original, pod({ '$setElementOrder/containers': [{ name: 'web' }] }))).toBe(original);
    expect(patched(original, pod({ nodeSelector: null }))).toBe(original);
  });

  test('shares the unchanged list elements', () => {
    const containers = [{ name: 'web', image: 'nginx:1' }, { name: 'sidecar' }];
    const original = { metadata: { name: 'web' }, ...pod({ containers }) };
    const result = patched(original, pod({ containers: [{ name: 'web', image: 'nginx:2' }] }));
    expect(result.metadata).toBe(original.metadata);
    expect(result).toHaveProperty('spec.template.spec.containers[0].image', 'nginx:2');
    expect(result).toHaveProperty(
      'spec.template.spec.containers[1]',
      expect.toSatisfy((c) => c === containers[1]),
    );
  });

  test('treats __proto__ and constructor as ordinary keys', () => {
    const patch = JSON.parse('{"metadata":{"labels":{"__proto__":{"polluted":true},"constructor":"x"}}}');
    const result = patched({ metadata: { labels: { a: '1' } } }, patch) as { metadata: { labels: object } };
    expect(Object.keys(result.metadata.labels)).toStrictEqual(['a', '__proto__', 'constructor']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('rejects a custom resource with 415 and lists the accepted media types', () => {
    expect(() => applyStrategicMergePatch({}, {}, undefined)).toThrow(
      expect.objectContaining({
        code: 415,
        message:
          'the body of the request was in an unknown format - accepted media types include: ' +
          'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      }),
    );
  });

  const lived = pod({ containers: [{ name: 'a' }, { name: 'b' }], args: [1] });
  test.each<[string, number, Json]>([
    ['a patch that is not an object', 400, [{ op: 'add', path: '/a', value: 1 }]],
    ['a $retainKeys that is not a list', 400, { spec: { $retainKeys: 'type' } }],
    ['a key that $retainKeys does not name', 400, { spec: { $retainKeys: ['type'], paused: true } }],
    ['a parallel list without a field', 400, { spec: { $deleteFromPrimitiveList: ['a'] } }],
    ['a list in a merging list', 422, pod({ containers: [['a']] })],
    ['an element without its merge key', 500, pod({ containers: [{ image: 'nginx' }] })],
    ['a deletion without its merge key', 500, pod({ containers: [{ $patch: 'delete' }] })],
    ['scalars in a list of objects', 500, pod({ containers: ['a'] })],
    ['an unknown directive in an object', 500, { spec: { $patch: 'merge' } }],
    ['an unknown directive in a list', 500, pod({ containers: [{ $patch: 'keep', name: 'a' }] })],
    ['a merge directive in a list', 500, pod({ containers: [{ $patch: 'merge', name: 'a' }] })],
    ['an order that is not a list', 500, pod({ '$setElementOrder/containers': 'a' })],
    [
      'a list in another order than its $setElementOrder',
      500,
      pod({
        '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }],
        containers: [{ name: 'b' }, { name: 'a' }],
      }),
    ],
    [
      'an element that its $setElementOrder does not name',
      500,
      pod({ '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'c' }] }),
    ],
  ])('rejects %s with %i', (_what, code, patch) => {
    expect(() => patched(lived, patch)).toThrow(expect.objectContaining({ name: 'PatchError', code }));
  });
});
