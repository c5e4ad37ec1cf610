import fc from 'fast-check';
import type { PodAffinityTerm } from '#api/core/v1';
import { deepFreeze } from '../../../api/freeze.ts';
import type { Pod } from '../../../api/objects.ts';
import {
  CycleState,
  type Filtering,
  isRejected,
  type Snapshot,
  type Status,
  success,
} from '../../../contracts/framework/index.ts';
import type { PureLaw } from '../../../testing/obeys.ts';
import { described } from '../../../testing/telling.ts';
import { differencesOf, type SchedulingCluster, sayPod } from '../../scheduling/simulation.ts';
import type { Ground } from '../scenario.ts';
import { ask, filterLaw, isSame, say } from './asking.ts';

/**
 * A plugin returns the same statuses again, in the same cycle, in another cycle, and in another order. It changes no input.
 */
export const looksOnly = (ground: Ground): PureLaw<Filtering, SchedulingCluster> =>
  filterLaw(ground, {
    inputs: ground.usual,
    violation({ plugins }, cluster) {
      const snapshot = cluster.snapshot();
      for (const info of snapshot.nodeInfos) deepFreeze(info);
      const before = written(snapshot);
      for (const plugin of plugins) {
        const state = new CycleState();
        const first = ask(plugin, cluster, snapshot, state);
        const again = new Map(
          isAsked(first, plugin.preFilter?.(new CycleState(), cluster.pod, snapshot))
            ? snapshot.nodeInfos
                .toReversed()
                .map((info) => [info.name, plugin.filter(state, cluster.pod, info)])
            : first,
        );
        for (const [how, other] of [
          ['again in the same cycle, last node first,', again],
          ['in another cycle,', ask(plugin, cluster, snapshot)],
        ] as const) {
          const differs = firstDifference(first, other);
          if (differs) {
            return `${plugin.name} returned for ${differs.name}\n  ${say(differs.one)}\nbut when it was called ${how}\n  ${say(differs.other)}`;
          }
        }
      }
      return before === written(snapshot) ? undefined : 'The filters changed the snapshot.';
    },
  });

function isAsked(_: unknown, before: Status | undefined): boolean {
  return !before || (before.code !== 'Skip' && !isRejected(before));
}

/** Two pods, each with its own cycle. */
interface TwoCycles {
  readonly one: SchedulingCluster;
  readonly other: SchedulingCluster;
}

/** The results for one pod are in the state of its cycle, and do not affect another pod. */
export const keepsCyclesApart = (ground: Ground): PureLaw<Filtering, TwoCycles> =>
  filterLaw(ground, {
    inputs: fc
      .record({ one: ground.usual, other: ground.usual })
      .map((both) =>
        described(both, ({ one, other }) => [String(one), 'and in another cycle', String(other)]),
      ),
    violation({ plugins }, { one, other }) {
      const [snapshot, otherSnapshot] = [one.snapshot(), other.snapshot()];
      for (const plugin of plugins) {
        const alone = ask(plugin, one, snapshot);
        const state = new CycleState();
        const before = plugin.preFilter?.(state, one.pod, snapshot);
        ask(plugin, other, otherSnapshot);
        if (!isAsked(alone, before)) continue;
        const between = new Map(
          snapshot.nodeInfos.map((info) => [info.name, plugin.filter(state, one.pod, info)]),
        );
        const differs = firstDifference(alone, between);
        if (!differs) continue;
        return (
          `${plugin.name} returned for ${differs.name}\n  ${say(differs.one)}\nbut when it ran for another pod, in another cycle, ` +
          `between this pod's preFilter and filter,\n  ${say(differs.other)}\nKeep what preFilter computes in the state of the cycle`
        );
      }
      return undefined;
    },
  });

/** A pod in its cluster, and an earlier call with another pod in this cluster, or with this pod in another cluster. */
interface TwoPods {
  readonly cluster: SchedulingCluster;
  readonly before: SchedulingCluster;
}

/** Returns variations of a pod: other labels, another namespace, swapped affinity terms, or terms about other namespaces. */
function otherwise(pod: Pod, { pod: other }: SchedulingCluster): readonly Pod[] {
  const { podAffinity, podAntiAffinity, ...affinity } = pod.spec.affinity ?? {};
  const swapped: NonNullable<Pod['spec']['affinity']> = {
    ...affinity,
    ...(podAntiAffinity && { podAffinity: podAntiAffinity }),
    ...(podAffinity && { podAntiAffinity: podAffinity }),
  };
  const everywhere = withNamespaceSelector(pod);
  return [
    { ...pod, metadata: { ...pod.metadata, labels: other.metadata.labels ?? {} } },
    {
      ...pod,
      metadata: { ...pod.metadata, namespace: pod.metadata.namespace === 'shop' ? 'default' : 'shop' },
    },
    { ...pod, spec: { ...pod.spec, affinity: swapped } },
    { ...pod, spec: { ...pod.spec, affinity: everywhere } },
    other,
  ].map((each) => ({ ...each, metadata: { ...each.metadata, resourceVersion: 'before' } }));
}

/** Returns the pod's affinity with the namespaceSelector of each term added or removed. */
function withNamespaceSelector({ spec }: Pod): NonNullable<Pod['spec']['affinity']> {
  const { podAffinity, podAntiAffinity, ...affinity } = spec.affinity ?? {};
  const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
  const turned = <T extends { readonly [REQUIRED]?: readonly PodAffinityTerm[] }>(terms: T): T => ({
    ...terms,
    [REQUIRED]: terms[REQUIRED]?.map(({ namespaceSelector, ...term }) =>
      namespaceSelector ? term : { ...term, namespaceSelector: {} },
    ),
  });
  return {
    ...affinity,
    ...(podAffinity && { podAffinity: turned(podAffinity) }),
    ...(podAntiAffinity && { podAntiAffinity: turned(podAntiAffinity) }),
  };
}

/** A result that is cached with a snapshot is not reused for a different pod, nor a result for a pod with another snapshot. */
export const keepsPodsApart = (ground: Ground): PureLaw<Filtering, TwoPods> =>
  filterLaw(ground, {
    runs: 6,
    inputs: fc
      .tuple(ground.usual, ground.usual, fc.constantFrom(0, 1, 2, 2, 3, 3, 4, 5))
      .map(([cluster, other, how]) => {
        const pod = otherwise(cluster.pod, other)[how];
        return { cluster, before: pod ? cluster.with({ pod }) : other.with({ pod: cluster.pod }) };
      })
      .map((both) =>
        described(both, ({ cluster, before }) => [
          String(cluster),
          ...(before.pod === cluster.pod
            ? ['and before, the same pod:', String(before)]
            : [`the other pod, which ran before: ${sayPod(before.pod, true)}`]),
        ]),
      ),
    violation({ plugins }, { cluster, before }) {
      for (const plugin of plugins) {
        const alone = ask(plugin, cluster.with({ pod: { ...cluster.pod } }), cluster.snapshot());
        const snapshot = cluster.snapshot();
        ask(plugin, before, before.pod === cluster.pod ? before.snapshot() : snapshot);
        const differs = firstDifference(alone, ask(plugin, cluster, snapshot));
        if (!differs) continue;
        const what =
          before.pod === cluster.pod
            ? 'after it had run for the same pod in another cluster,'
            : 'after it had run for the other pod on the same snapshot,';
        const why =
          before.pod === cluster.pod
            ? 'A result for one cluster must not be reused for another'
            : `The two pods differ in: ${differencesOf(cluster.pod, before.pod)}. A result that is kept with a snapshot must be looked up by everything in the pod on which it depends`;
        return `${plugin.name} returned for ${differs.name}\n  ${say(differs.one)}\nbut ${what}\n  ${say(differs.other)}\n${why}`;
      }
      return undefined;
    },
  });

function firstDifference(one: ReadonlyMap<string, Status>, other: ReadonlyMap<string, Status>) {
  for (const [name, said] of one) {
    const now = other.get(name) ?? success;
    if (!isSame(said, now)) return { name, one: said, other: now };
  }
  return undefined;
}

/** Returns the content of a snapshot as text, because Maps and Sets cannot be frozen. */
function written({ nodeInfos }: Snapshot): string {
  return JSON.stringify(nodeInfos, (_, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  );
}
