import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filledIn, shown } from './filled-in.ts';

const told = (sent: unknown, stored: unknown): readonly string[] => filledIn(sent, stored).map(shown);

describe('The fields that a server filled in', () => {
  test('include every leaf that was not sent, in order', () => {
    const sent = { spec: { replicas: 3, containers: [{ name: 'a' }] } };
    const stored = {
      spec: {
        containers: [{ name: 'a', policy: 'Always' }],
        replicas: 3,
        strategy: { type: 'RollingUpdate' },
      },
      status: {},
    };
    expect(told(sent, stored)).toEqual([
      'spec.containers[0].policy=Always',
      'spec.strategy.type=RollingUpdate',
      'status={}',
    ]);
  });

  test('include values that the server wrote in another form', () => {
    expect(told({ cpu: '0.5', memory: '1Gi' }, { cpu: '500m', memory: '1Gi' })).toEqual([
      'cpu=500m (you wrote 0.5)',
    ]);
  });

  test('include fields that were sent as null', () => {
    expect(told({ a: null }, { a: 'x' })).toEqual(['a=x']);
  });

  test('have brackets around keys that look like a path', () => {
    expect(told({}, { labels: { 'app.kubernetes.io/name': 'web' } })).toEqual([
      'labels[app.kubernetes.io/name]=web',
    ]);
  });

  test('Complete: the sent and the filled-in fields together equal the stored object; no sent field counts as filled in', () => {
    const leaf = fc.oneof(fc.nat(), fc.boolean(), fc.constantFrom('a', 'b', ''));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 3 }, leaf, fc.dictionary(fc.constantFrom('x', 'y', 'z'), tie('tree'))),
    }));
    const object = fc.dictionary(fc.constantFrom('x', 'y', 'z'), tree);
    fc.assert(
      fc.property(object, object, (sent, stored) => {
        const filled = filledIn(sent, stored);
        expect(filledIn(stored, stored)).toEqual([]);
        const all = filledIn(undefined, stored).map(({ path }) => path);
        const paths = filled.map(({ path }) => path);
        expect(all).toEqual(expect.arrayContaining(paths));
        for (const { path, value } of filledIn(undefined, stored)) {
          if (paths.includes(path)) continue;
          const at = (path === '' ? [] : path.split('.')).reduce<unknown>(
            (node, key) => (node as Record<string, unknown>)?.[key],
            sent,
          );
          // For an empty object it is enough that an object was sent.
          if (typeof value === 'object') expect(at).toBeTypeOf('object');
          else expect(at).toBe(value);
        }
      }),
    );
  });
});
