/** Workloads, and what people do to them. */
import fc from 'fast-check';
import type * as apps from 'kubernetes-types/apps/v1.d.ts';
import type * as core from 'kubernetes-types/core/v1.d.ts';
import type { Deployment, New, PodDisruptionBudget, ReplicaSet } from '../../api/objects.ts';
import { labelSelectors, names, type Placed, podSpecs } from './objects.ts';
import { pauses } from './time.ts';

const replicas = fc.integer({ min: 0, max: 10 });

/** A number of pods, or a share of them. */
export const intOrPercents: fc.Arbitrary<number | string> = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom('0%', '25%', '50%', '100%'),
);

/** A template and the selector that selects its pods. */
const templates: fc.Arbitrary<{
  selector: { matchLabels: Record<string, string> };
  template: core.PodTemplateSpec;
}> = fc.record({ app: fc.constantFrom('a', 'b', 'c'), spec: podSpecs }).map(({ app, spec }) => ({
  selector: { matchLabels: { app } },
  template: { metadata: { labels: { app } }, spec },
}));

export function replicaSets({ namespace = 'default' }: Placed = {}): fc.Arbitrary<New<ReplicaSet>> {
  return fc
    .record({ name: names, replicas, minReadySeconds: fc.nat({ max: 30 }), workload: templates })
    .map(({ name, replicas, minReadySeconds, workload }) => ({
      metadata: { namespace, name },
      spec: { replicas, minReadySeconds, ...workload },
    }));
}

/** `Recreate`, or a rolling update with room to move: of surge and unavailable one at the least is more than nothing. */
export const strategies: fc.Arbitrary<apps.DeploymentStrategy> = fc.oneof(
  fc
    .record({ maxSurge: intOrPercents, maxUnavailable: intOrPercents })
    .filter(({ maxSurge, maxUnavailable }) => !isNothing(maxSurge) || !isNothing(maxUnavailable))
    .map((rollingUpdate) => ({ type: 'RollingUpdate', rollingUpdate })),
  fc.constant({ type: 'Recreate' }),
);

function isNothing(value: number | string): boolean {
  return value === 0 || value === '0%';
}

export function deployments({ namespace = 'default' }: Placed = {}): fc.Arbitrary<New<Deployment>> {
  return fc
    .record({
      name: names,
      replicas,
      strategy: strategies,
      minReadySeconds: fc.nat({ max: 30 }),
      revisionHistoryLimit: fc.integer({ min: 0, max: 10 }),
      workload: templates,
    })
    .map(({ name, workload, ...spec }) => ({
      metadata: { namespace, name },
      spec: { ...spec, progressDeadlineSeconds: 600, ...workload },
    }));
}

export function podDisruptionBudgets({
  namespace = 'default',
}: Placed = {}): fc.Arbitrary<New<PodDisruptionBudget>> {
  const limits = fc.oneof(
    intOrPercents.map((minAvailable) => ({ minAvailable })),
    intOrPercents.map((maxUnavailable) => ({ maxUnavailable })),
  );
  return fc
    .record({ name: names, selector: labelSelectors, limit: limits })
    .map(({ name, selector, limit }) => ({ metadata: { namespace, name }, spec: { selector, ...limit } }));
}

/** What somebody does to a Deployment. */
export type DeploymentEdit =
  | { readonly edit: 'scale'; readonly replicas: number }
  | { readonly edit: 'image'; readonly image: string }
  | { readonly edit: 'pause' | 'resume' | 'undo' }
  | { readonly edit: 'strategy'; readonly strategy: apps.DeploymentStrategy }
  | { readonly edit: 'delete'; readonly propagationPolicy: 'Orphan' | 'Background' | 'Foreground' };

export const deploymentEdits: fc.Arbitrary<DeploymentEdit> = fc.oneof(
  fc.record({ edit: fc.constant('scale' as const), replicas }),
  fc.record({
    edit: fc.constant('image' as const),
    image: fc.constantFrom('nginx:1.26', 'nginx:1.27', 'nginx:broken'),
  }),
  fc.record({ edit: fc.constantFrom('pause' as const, 'resume' as const, 'undo' as const) }),
  fc.record({ edit: fc.constant('strategy' as const), strategy: strategies }),
  fc.record({
    edit: fc.constant('delete' as const),
    propagationPolicy: fc.constantFrom('Orphan' as const, 'Background' as const, 'Foreground' as const),
  }),
);

/** Something, and how long after the thing before it. */
export function timed<T extends object>(
  something: fc.Arbitrary<T>,
): fc.Arbitrary<T & { readonly afterMs: number }> {
  return fc.tuple(pauses, something).map(([afterMs, value]) => ({ afterMs, ...value }));
}
