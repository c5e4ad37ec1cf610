import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../api/objects.ts';
import { aSchedulingNode, aSchedulingPod } from '../../laws/scheduling/index.ts';
import { type ClusterEvent, type ClusterEventWithHint, matches } from './cluster-event.ts';
import * as eventsToRegister from './events-to-register.ts';
import type { AffinityTerm } from './pod-info.ts';

/** Returns whether a hint for this event returns `Queue`. */
function wakes(
  registered: readonly ClusterEventWithHint[],
  event: ClusterEvent,
  pod: Pod,
  [before, after]: readonly [before?: Pod | Node | undefined, after?: Pod | Node],
): boolean {
  return registered.some(
    ({ event: of, queueingHintFn }) =>
      matches(of, event) && queueingHintFn?.(pod, before, after) !== 'QueueSkip',
  );
}

const term = (app: string) => ({ labelSelector: { matchLabels: { app } }, topologyKey: 'zone' });
const required = (...apps: string[]) => ({
  requiredDuringSchedulingIgnoredDuringExecution: apps.map(term),
});
const termMatches = ({ selector }: AffinityTerm, { metadata }: Pod): boolean =>
  selector.matches(metadata.labels);

describe('The hints of InterPodAffinity', () => {
  const registered = eventsToRegister.interPodAffinity(termMatches);
  const gone: ClusterEvent = { resource: 'AssignedPod', actionType: 'Delete' };
  const web = aSchedulingPod({ name: 'web', labels: { app: 'web' }, nodeName: 'a' });

  test('wake a pod when a pod with anti-affinity to it is deleted (kubernetes/kubernetes#134393)', () => {
    const spec = { affinity: { podAntiAffinity: required('web') } };
    const loner = aSchedulingPod({ name: 'loner', nodeName: 'a', spec });
    expect(wakes(registered, gone, web, [loner])).toBe(true);
    expect(wakes(registered, gone, web, [aSchedulingPod({ name: 'other', nodeName: 'a' })])).toBe(false);
  });

  test('wake a pod that one of several terms kept away (kubernetes/kubernetes#139161)', () => {
    const waits = aSchedulingPod({ spec: { affinity: { podAntiAffinity: required('web', 'db') } } });
    expect(wakes(registered, gone, waits, [web])).toBe(true);
  });

  test('wake the first pod of a group when the last was deleted (kubernetes/kubernetes#141354)', () => {
    const spec = { affinity: { podAffinity: required('web') } };
    const waits = aSchedulingPod({ name: 'next', labels: { app: 'web' }, spec });
    expect(wakes(registered, gone, waits, [web])).toBe(true);
    expect(wakes(registered, gone, aSchedulingPod({ name: 'db', spec }), [web])).toBe(false);
  });

  test('wake a pod whose namespace selector could select the new pod (kubernetes/kubernetes#141953)', () => {
    const added: ClusterEvent = { resource: 'AssignedPod', actionType: 'Add' };
    const namespaceSelector = { matchLabels: { team: 'shop' } };
    const waitsFor = (app: string): Pod => {
      const terms = [{ ...term(app), namespaceSelector }];
      const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: terms };
      return aSchedulingPod({ name: 'waits', spec: { affinity: { podAffinity } } });
    };
    // Without the labels of namespaces, no term matches.
    const hints = eventsToRegister.interPodAffinity(() => false);
    expect(wakes(hints, added, waitsFor('web'), [undefined, web])).toBe(true);
    expect(wakes(hints, added, waitsFor('db'), [undefined, web])).toBe(false);
  });
});

describe('The hints of NodeAffinity', () => {
  const isFast = (_: Pod, { metadata }: Node): boolean => metadata.labels?.disk === 'ssd';
  const registered = eventsToRegister.nodeAffinity(isFast);
  const label: ClusterEvent = { resource: 'Node', actionType: 'UpdateNodeLabel' };
  const [slow, fast] = [aSchedulingNode('a'), aSchedulingNode('a', { labels: { disk: 'ssd' } })];

  test.each<[string, readonly [Node?, Node?], boolean]>([
    ['starts to match the affinity', [slow, fast], true],
    ['no longer matches', [fast, slow], false],
    ['matched before', [fast, fast], false],
  ])('wake the pod as expected if a node %s', (_, change, queues) =>
    expect(wakes(registered, label, aSchedulingPod(), change)).toBe(queues),
  );
});
