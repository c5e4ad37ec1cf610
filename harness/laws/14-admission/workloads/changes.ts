import fc from 'fast-check';
import type { Change, PodPlan, Step } from '../scenario/index.ts';
import { PLAIN, stepsOf } from './objects.ts';
import { change, request } from './parts.ts';

/** Namespaces end, disappear and come back, while objects are created. */
export const endings: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.constantFrom(
      'end',
      'user',
      'user',
      'removal',
      'again',
      'return',
      'hold',
      'hold',
      'behind',
      'finalizers',
      'immortal',
      'gone',
      'twice',
      'inside',
    ),
    fc.constantFrom(0, 1, 40, 800, 40_000),
    stepsOf({
      kinds: ['pod', 'configmap', 'event', 'account', 'namespace'],
      namespaces: 2,
      pods: fc.constant(PLAIN),
    }),
    fc.nat({ max: 1 }),
    fc.constantFrom(1, 100, 10_000, 20_000),
    fc.record({
      kind: fc.constantFrom('configmap', 'configmap', 'event', 'account'),
      by: fc.constantFrom(undefined, 'controller' as const),
      verb: fc.constantFrom('evict', 'bind', 'token'),
      immortal: fc.constantFrom('default', 'kube-public', 'kube-system'),
      dryRun: fc.boolean(),
    }),
  )
  .map(([how, afterMs, requests, server, laterMs, own]): readonly Step[] => {
    const { kind, by, verb, immortal, dryRun } = own;
    const gone = [change(afterMs, { of: 'end', namespace: 0 }), change(1, { of: 'removal', namespace: 0 })];
    const remove = request(afterMs, 'delete', { kind: 'namespace', name: 'ns-0' }, server);
    const content = { kind, namespace: 0, name: 'late' } as const;
    const create: Step = { ...request(laterMs, 'create', content, server), ...(by ? { by } : {}) };
    const pod = { kind: 'pod', namespace: 0, name: 'old', pod: PLAIN } as const;
    const forever = { kind: 'namespace', name: immortal } as const;
    const known: Readonly<Record<string, readonly Step[]>> = {
      immortal: [{ ...request(afterMs, 'delete', forever, server), ...(dryRun ? { dryRun } : {}) }],
      gone: [
        { afterMs, do: 'hold', server },
        { ...remove, afterMs: 1 },
        change(500, { of: 'removal', namespace: 0 }),
        create,
      ],
      twice: [
        remove,
        change(500, { of: 'removal', namespace: 0 }),
        change(1, { of: 'return', namespace: 0 }),
        { afterMs: 31_000, do: 'hold', server },
        { ...remove, afterMs: 1 },
        create,
      ],
      inside: [
        request(afterMs, 'create', pod, server),
        change(500, { of: 'end', namespace: 0 }),
        { ...request(500, verb, pod, server), ...(by ? { by } : {}) },
      ],
      end: [change(afterMs, { of: 'end', namespace: 0 })],
      user: [remove],
      removal: [...gone, create],
      again: [...gone, change(1, { of: 'return', namespace: 0 })],
      return: [change(afterMs, { of: 'return', namespace: 0 })],
      hold: [{ afterMs, do: 'hold', server }, remove, create],
      behind: [
        ...gone,
        { afterMs: 1, do: 'hold', server },
        change(30, { of: 'return', namespace: 0 }),
        create,
        request(100, 'create', { ...content, name: 'other' }, 1 - server),
        request(100, 'update', { ...content, name: 'other' }, server),
      ],
      finalizers: [create, change(500, { of: 'end', namespace: 0 }), request(100, 'update', content, server)],
    };
    return [...(known[how] ?? []), ...requests];
  });

const CHANGES: readonly Change[] = [
  { of: 'account', plan: { namespace: 0, name: 'robot' } },
  { of: 'no account', namespace: 0, name: 'robot' },
  { of: 'no account', namespace: 0, name: 'default' },
  { of: 'no ranges' },
  { of: 'range', range: { namespace: 0, limits: [{ type: 'Container', default: { cpu: '1' } }] } },
  { of: 'class', plan: { name: 'low', value: 7, isDefault: true } },
  { of: 'no class', name: 'high' },
  { of: 'labels', namespace: 0, labels: { a: 'x' } },
  { of: 'no config', phase: 'mutating', config: 'config-a' },
  { of: 'no config', phase: 'validating', config: 'config-a' },
];

/** The facts change, and the cache of an apiserver may be behind. */
export const behind: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.constantFrom(...CHANGES),
    fc.nat({ max: 1 }),
    fc.constantFrom(0, 3, 500),
    stepsOf({
      kinds: ['pod', 'pod', 'configmap'],
      namespaces: 1,
      pods: fc.constantFrom<PodPlan>(PLAIN, { containers: [{}], serviceAccountName: 'robot' }),
    }),
    fc.boolean(),
  )
  .map(([of, server, afterMs, requests, holds]) => [
    ...(holds ? [{ afterMs, do: 'hold', server } as const] : []),
    change(afterMs, of),
    ...requests,
    ...(holds ? [{ afterMs: 300, do: 'release', server } as const] : []),
  ]);

/** The account `default` comes some time after its namespace. */
export const newNamespace: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.constantFrom(1, 80, 300, 700), fc.constantFrom('a', 'b'))
  .map(([afterMs, name]) => [
    change(500, { of: 'no account', namespace: 0, name: 'default' }),
    request(10, 'create', { kind: 'pod', namespace: 0, name, pod: PLAIN }),
    change(afterMs, { of: 'account', plan: { namespace: 0, name: 'default' } }),
  ]);

/** Two clients change one object at once. */
export const conflicts: fc.Arbitrary<readonly Step[]> = stepsOf(
  {
    kinds: ['configmap', 'service'],
    namespaces: 1,
    verbs: ['create', 'patch', 'apply', 'update', 'replace', 'delete'],
  },
  fc.constantFrom(0, 1, 5, 20),
);
