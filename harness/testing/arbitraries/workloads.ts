import fc from 'fast-check';
import type * as apps from '#api/apps/v1';
import type * as core from '#api/core/v1';
import type { Deployment, New, ReplicaSet } from '../../api/objects.ts';
import type { DeploymentEdit } from '../../cluster/edit-deployment.ts';
import { intOrPercents, names, type Placed, podSpecs } from './objects.ts';
import { pauses } from './time.ts';

/** Otherwise fast-check generates some objects without a prototype, which JSON never contains. */
const plain = { noNullPrototype: true } as const;

/** Options that restrict workloads. */
interface WorkloadOptions extends Placed {
  /**
   * Labels of the template's pods, at least one. The selector requires exactly these.
   *
   * @defaultValue `app` with three values, so that selectors overlap
   */
  readonly labels?: fc.Arbitrary<Record<string, string>>;
  /** @defaultValue 0 to 10 */
  readonly replicas?: fc.Arbitrary<number>;
  /** The template's spec. @defaultValue {@link podSpecs} */
  readonly podSpec?: fc.Arbitrary<core.PodSpec>;
}

/** Generates ReplicaSets without a controller. */
export function replicaSets(options: WorkloadOptions = {}): fc.Arbitrary<New<ReplicaSet>> {
  const { namespace = 'default', name = names, replicas = counts } = options;
  return fc
    .record({ name, replicas, minReadySeconds, workload: templates(options) })
    .map(({ name, workload, ...spec }) => ({
      metadata: { namespace, name },
      spec: { ...spec, ...workload },
    }));
}

/**
 * Generates Deployments that are not paused. Their deadline is later than the time that their pods need to become
 * available.
 */
export function deployments(options: WorkloadOptions = {}): fc.Arbitrary<New<Deployment>> {
  const { namespace = 'default', name = names, replicas = counts } = options;
  return fc
    .record({
      name,
      replicas,
      strategy: strategies,
      minReadySeconds,
      revisionHistoryLimit: fc.constantFrom(10, 0, 1, 2),
      progressDeadlineSeconds: fc.constantFrom(600, 60),
      workload: templates(options),
    })
    .map(({ name, workload, ...spec }) => ({
      metadata: { namespace, name },
      spec: { ...spec, ...workload },
    }));
}

/**
 * Generates `Recreate`, or a rolling update that can progress: surge and unavailable are not both 0, which the
 * apiserver would reject. Both can still round to 0 pods.
 */
const strategies: fc.Arbitrary<apps.DeploymentStrategy> = fc.oneof(
  { withCrossShrink: true },
  {
    weight: 1,
    arbitrary: fc.constant({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({ maxSurge: intOrPercents, maxUnavailable: intOrPercents }, plain)
      .filter(({ maxSurge, maxUnavailable }) => !isNothing(maxSurge) || !isNothing(maxUnavailable))
      .map((rollingUpdate) => ({ type: 'RollingUpdate', rollingUpdate })),
  },
  { weight: 2, arbitrary: fc.constant({ type: 'Recreate' }) },
);

function isNothing(value: number | string): boolean {
  return value === 0 || value === '0%';
}

const counts = fc.integer({ min: 0, max: 10 });
const minReadySeconds = fc.constantFrom(0, 5, 30);
const appLabels = fc.record({ app: fc.constantFrom('a', 'b', 'c') }, plain);

/** Generates a template and the selector of its pods. */
function templates({ labels = appLabels, podSpec = podSpecs }: WorkloadOptions): fc.Arbitrary<{
  selector: { matchLabels: Record<string, string> };
  template: core.PodTemplateSpec;
}> {
  return fc.record({ labels, spec: podSpec }).map(({ labels, spec }) => ({
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec },
  }));
}

/** Generates every kind of edit: mostly roll-outs and scaling, seldom deletes, because little happens after those. */
export const deploymentEdits: fc.Arbitrary<DeploymentEdit> = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: fc.record({ edit: fc.constant('scale'), replicas: counts }, plain) },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        edit: fc.constant('image'),
        image: fc.constantFrom('nginx:1.26', 'nginx:1.27', 'nginx:broken'),
      },
      plain,
    ),
  },
  { weight: 6, arbitrary: fc.record({ edit: fc.constantFrom('pause', 'resume', 'undo') }, plain) },
  { weight: 2, arbitrary: fc.record({ edit: fc.constant('strategy'), strategy: strategies }, plain) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        edit: fc.constant('delete'),
        propagationPolicy: fc.constantFrom('Background', 'Foreground', 'Orphan'),
      },
      plain,
    ),
  },
);

/** Generates a value, and its time after the previous one in virtual ms. */
export function timed<T extends object>(
  something: fc.Arbitrary<T>,
): fc.Arbitrary<T & { readonly afterMs: number }> {
  return fc.tuple(pauses, something).map(([afterMs, value]) => ({ afterMs, ...value }));
}
