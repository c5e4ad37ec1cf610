import type * as core from '#api/core/v1';
import type { KubeObject, New, PodDisruptionBudget, Service } from '../../api/objects.ts';
import { cronJobs, daemonSets, jobs, statefulSets } from '../../api/plain-resources.ts';
import {
  configMaps,
  deployments,
  endpoints,
  namespaces,
  podDisruptionBudgets,
  pods,
  type Resource,
  secrets,
  services,
} from '../../api/resource.ts';
import { LEGACY } from '../../contracts/service-accounts.ts';
import { NAMESPACE, type Workload } from './scenario.ts';

/** The images of servers. The last one does not exist. */
export const IMAGES = ['nginx:1.26', 'nginx:1.27', 'nginx:broken'] as const;
/** An image that exists. */
export const GOOD_IMAGE = 'nginx:1.27';

/** An object to create. */
interface Creation {
  readonly resource: Resource;
  readonly object: New<KubeObject>;
}

const resources = {
  deployment: deployments,
  'stateful-set': statefulSets,
  'daemon-set': daemonSets,
  job: jobs,
  'cron-job': cronJobs,
  namespace: namespaces,
  pod: pods,
} as const satisfies Record<Workload['kind'], Resource>;

/** Returns the resource of a workload. */
export function resourceOf({ kind }: Workload): Resource {
  return resources[kind];
}

/** Returns whether the pods of a workload serve a Service. */
export function isServer({ kind }: Workload): boolean {
  return kind === 'deployment' || kind === 'stateful-set' || kind === 'daemon-set';
}

/** Returns the objects of a workload, as a user creates them: its Service first. */
export function objectsOf(workload: Workload): readonly Creation[] {
  const { name } = workload;
  if (workload.kind === 'namespace') return contentOf(name);
  const metadata = { namespace: NAMESPACE, name };
  const object = { metadata, ...specOf(workload) } as unknown as New<KubeObject>;
  return [
    ...(isServer(workload) ? [{ resource: services, object: serviceOf(workload) as New<KubeObject> }] : []),
    { resource: resourceOf(workload), object },
    ...(workload.kind === 'deployment' && workload.minAvailable !== undefined
      ? [{ resource: podDisruptionBudgets, object: budgetOf(name, workload.minAvailable) as New<KubeObject> }]
      : []),
  ];
}

/** Returns a namespace and its content. */
function contentOf(namespace: string): readonly Creation[] {
  const named = (name: string, annotations?: object) => ({
    metadata: { namespace, name, ...(annotations && { annotations }) },
  });
  const ports = [{ port: 80 }];
  return [
    [namespaces, { metadata: { name: namespace } }],
    [services, { ...named('outside'), spec: { ports } }],
    [endpoints, { ...named('outside'), subsets: [{ addresses: [{ ip: '203.0.113.7' }], ports }] }],
    [secrets, { ...named('key', { [LEGACY.account]: 'default' }), type: LEGACY.type }],
    [configMaps, { ...named('settings'), data: { colour: 'blue' } }],
    [pods, { ...named('guest'), spec: podSpec(false) }],
  ].map(([resource, object]) => ({ resource: resource as Resource, object: object as New<KubeObject> }));
}

function serviceOf(workload: Workload): New<Service> {
  const isSticky = workload.kind === 'deployment' && workload.isSticky;
  return {
    metadata: { namespace: NAMESPACE, name: workload.name },
    spec: {
      selector: { app: workload.name },
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      ...(isSticky && { sessionAffinity: 'ClientIP' }),
    },
  } as unknown as New<Service>;
}

function budgetOf(name: string, minAvailable: number): New<PodDisruptionBudget> {
  const metadata = { namespace: NAMESPACE, name };
  return {
    metadata,
    spec: { minAvailable, selector: { matchLabels: { app: name } } },
  } as New<PodDisruptionBudget>;
}

function specOf(workload: Exclude<Workload, { kind: 'namespace' }>): object {
  const { name } = workload;
  const selector = { matchLabels: { app: name } };
  switch (workload.kind) {
    case 'deployment':
      return {
        spec: {
          replicas: workload.replicas,
          selector,
          strategy: { type: workload.strategy },
          progressDeadlineSeconds: 60,
          revisionHistoryLimit: 1,
          template: serving(name, workload.isProbed),
        },
      };
    case 'stateful-set': {
      const claim = {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      };
      const mounts = workload.hasVolume ? [{ name: 'data', mountPath: '/data' }] : [];
      return {
        spec: {
          replicas: workload.replicas,
          serviceName: name,
          selector,
          template: serving(name, true, mounts),
          ...(workload.hasVolume && { volumeClaimTemplates: [claim] }),
        },
      };
    }
    case 'daemon-set':
      return { spec: { selector, template: serving(name, true) } };
    case 'job':
      return { spec: jobSpec(workload) };
    case 'cron-job':
      return {
        spec: {
          schedule: '* * * * *',
          ...(workload.policy !== undefined && { concurrencyPolicy: workload.policy }),
          jobTemplate: {
            spec: jobSpec({ completions: 1, parallelism: 1, seconds: workload.seconds ?? 5, fails: false }),
          },
        },
      };
    case 'pod':
      return { metadata: { namespace: NAMESPACE, name, labels: { app: name } }, spec: podSpec(false) };
  }
}

function serving(
  name: string,
  isProbed: boolean,
  volumeMounts: readonly core.VolumeMount[] = [],
): core.PodTemplateSpec {
  return { metadata: { labels: { app: name } }, spec: podSpec(isProbed, volumeMounts) };
}

function podSpec(isProbed: boolean, volumeMounts: readonly core.VolumeMount[] = []): core.PodSpec {
  const main: core.Container = {
    name: 'main',
    image: GOOD_IMAGE,
    ...(isProbed && { readinessProbe: { httpGet: { port: 80 }, periodSeconds: 5 } }),
    ...(volumeMounts.length > 0 && { volumeMounts: [...volumeMounts] }),
  };
  return { terminationGracePeriodSeconds: 5, containers: [main] };
}

function jobSpec({
  completions,
  parallelism,
  seconds,
  fails,
  isIndexed = false,
  ttlSeconds,
}: Omit<Extract<Workload, { kind: 'job' }>, 'kind' | 'name'>): object {
  const command = ['sh', '-c', `sleep ${seconds}; exit ${fails ? 1 : 0}`];
  return {
    completions,
    parallelism,
    backoffLimit: 2,
    ...(isIndexed && { completionMode: 'Indexed' }),
    ...(ttlSeconds !== undefined && { ttlSecondsAfterFinished: ttlSeconds }),
    template: {
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.36', command }] },
    },
  };
}
