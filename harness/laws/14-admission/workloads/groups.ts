import fc from 'fast-check';
import { NOWHERE, type ObjectPlan, type Step } from '../scenario/index.ts';
import { labels, PLAIN } from './objects.ts';
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

/** The same request again and again. */
export const insisting: fc.Arbitrary<readonly Step[]> = fc.constant(
  Array.from({ length: 5 }, (_, i) =>
    request(100, 'create', { kind: 'configmap', namespace: 0, name: `c${i}` }),
  ),
);
