import fc from 'fast-check';
import type { HookPlan, RulePlan } from '../scenario/hooks.ts';
import { NOWHERE, type ObjectPlan, type Selector, type Step } from '../scenario/index.ts';
import { allowing, denying } from './hooks.ts';
import { labels, PLAIN, partial } from './objects.ts';
import { change, request } from './parts.ts';

/** Somebody changes the labels of a namespace, or deletes it. */
export const namespaceChanges: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.constantFrom('ns-0', 'ns-1'),
    fc.constantFrom('patch', 'update', 'status', 'status', 'status', 'status', 'delete', 'delete'),
    labels,
  )
  .map(([name, verb, own]) => [request(500, verb, { kind: 'namespace', name, labels: own })]);

/** Objects of one namespace before and after its labels change. */
export const relabelled: fc.Arbitrary<readonly Step[]> = fc
  .tuple(labels, labels, fc.nat({ max: 1 }))
  .map(([first, second, server]) => [
    change(500, { of: 'labels', namespace: 0, labels: first }),
    request(500, 'create', { kind: 'configmap', namespace: 0, name: 'before' }, server),
    change(500, { of: 'labels', namespace: 0, labels: second }),
    request(500, 'create', { kind: 'configmap', namespace: 0, name: 'after' }, server),
  ]);

const without = (key: string): Selector => ({ matchExpressions: [{ key, operator: 'DoesNotExist' }] });

/** Webhooks for connections, with every kind of selector. */
export const guards: fc.Arbitrary<readonly HookPlan[]> = fc.array(
  partial<HookPlan>({
    phase: fc.constantFrom('mutating', 'validating'),
    config: fc.constantFrom('config-a', 'config-b'),
    name: fc.constant(undefined),
    rules: fc.constantFrom<readonly RulePlan[]>(
      [{ operations: ['CONNECT'], resources: ['pods/*'] }],
      [{ operations: ['*'], resources: ['*/*'] }],
      [{ operations: ['CONNECT'], resources: ['pods/exec', 'pods/attach'] }],
    ),
    failurePolicy: fc.constantFrom('Fail', 'Ignore'),
    namespaceSelector: fc.constantFrom(undefined, {}, { matchLabels: { a: 'x' } }, without('a')),
    objectSelector: fc.constantFrom(undefined, {}, without('a'), without('b')),
    timeoutSeconds: fc.constant(undefined),
    reinvocationPolicy: fc.constant(undefined),
    sideEffects: fc.constant(undefined),
    answer: fc.oneof({ weight: 4, arbitrary: allowing }, { weight: 1, arbitrary: denying }),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Somebody connects to a pod, also in a namespace that does not exist. */
export const connecting: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.constantFrom(0, 1, NOWHERE), fc.constantFrom('exec', 'attach', 'portforward', 'proxy'))
  .map(([namespace, verb]) => [request(500, verb, { kind: 'pod', namespace, name: 'a', pod: PLAIN })]);

/** A dry run of the delete of an object that exists. */
export const dryDelete: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom<ObjectPlan>(
    { kind: 'pod', namespace: 0, name: 'dry', pod: PLAIN },
    { kind: 'configmap', namespace: 0, name: 'dry' },
  )
  .map((object) => [request(500, 'create', object), { ...request(500, 'delete', object), dryRun: true }]);

/** The delete of a namespace that a cluster cannot lose, for real or as a dry run. */
export const lastingDelete: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.constantFrom('default', 'kube-system', 'kube-public'), fc.boolean())
  .map(([name, dryRun]) => [{ ...request(500, 'delete', { kind: 'namespace', name }), dryRun }]);

/** The same request again and again. */
export const insisting: fc.Arbitrary<readonly Step[]> = fc.constant(
  Array.from({ length: 5 }, (_, i) =>
    request(100, 'create', { kind: 'configmap', namespace: 0, name: `c${i}` }),
  ),
);
