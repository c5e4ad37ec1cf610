import fc from 'fast-check';
import type * as apps from '#api/apps/v1';
import type * as core from '#api/core/v1';
import type { Deployment, New, ReplicaSet } from '../../api/objects.ts';
import type { DeploymentEdit } from '../../cluster/edit-deployment.ts';
import { intOrPercents, names, type Placed, podSpecs } from './objects.ts';
import { pauses } from './time.ts';

/** Else fast-check makes some objects without a prototype, which are not what comes out of JSON. */
const plain = { noNullPrototype: true } as const;

/** Narrows workloads. */
interface WorkloadOptions extends Placed {
  /**
   * Of the template's pods; the selector asks for exactly these, so there must be one at least.
   *
   * @defaultValue `app` of three values, so that selectors overlap
   */
  readonly labels?: fc.Arbitrary<Record<string, string>>;
  /** @defaultValue 0 to 10 */
  readonly replicas?: fc.Arbitrary<number>;
  /** Of the template. @defaultValue {@link podSpecs} */
  readonly podSpec?: fc.Arbitrary<core.PodSpec>;
}

/**
 * ReplicaSets that nothing controls.
 *
 * Workloads, and what people do to them, as fast-check makes them.
 */
export function replicaSets(options: WorkloadOptions = {}): fc.Arbitrary<New<ReplicaSet>> {
  const { namespace = 'default', name = names, replicas = counts } = options;
  return fc
    .record({ name, replicas, minReadySeconds, workload: templates(options) })
    .map(({ name, workload, ...spec }) => ({
      metadata: { namespace, name },
      spec: { ...spec, ...workload },
    }));
}

/** Deployments that are not paused. Their deadline is later than their pods take to become available. */
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
 * `Recreate`, or a rolling update that can move: not both of surge and unavailable are nothing, which the apiserver
 * would refuse. Both may still round to 0 pods.
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

/** A template and the selector that selects its pods. */
function templates({ labels = appLabels, podSpec = podSpecs }: WorkloadOptions): fc.Arbitrary<{
  selector: { matchLabels: Record<string, string> };
  template: core.PodTemplateSpec;
}> {
  return fc.record({ labels, spec: podSpec }).map(({ labels, spec }) => ({
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec },
  }));
}

/** Every kind of edit; roll-outs and scaling most, deletes least, because little happens after those. */
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

/** Something, and how many virtual ms after the thing before it. */
export function timed<T extends object>(
  something: fc.Arbitrary<T>,
): fc.Arbitrary<T & { readonly afterMs: number }> {
  return fc.tuple(pauses, something).map(([afterMs, value]) => ({ afterMs, ...value }));
}
