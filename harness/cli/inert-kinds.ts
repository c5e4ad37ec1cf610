import type { KubeObject } from '../api/objects.ts';
import type { Cluster } from '../cluster/cluster.ts';

/** The missing effect of each kind that no component here acts on. */
const LACKS: Readonly<Record<string, string>> = {
  CronJob: 'No component here creates Jobs for a CronJob',
  DaemonSet: 'No component here creates pods for a DaemonSet',
  HorizontalPodAutoscaler: 'No component here scales for a HorizontalPodAutoscaler',
  Ingress: 'No component here forwards requests for an Ingress',
  Job: 'No component here creates pods for a Job',
  NetworkPolicy: 'No component here enforces a NetworkPolicy',
  PodDisruptionBudget: 'No component here updates the status of a PodDisruptionBudget',
  ReplicationController: 'No component here creates pods for a ReplicationController',
  StatefulSet: 'No component here creates pods for a StatefulSet',
};

const LOAD_BALANCER =
  'No component here creates load balancers, so the external address of a Service stays pending';

/** The kinds that no component here acts on. */
export const inertKinds: readonly string[] = Object.keys(LACKS);

/** Returns a sentence about the missing effect of an object, if no component here acts on it. */
export function missingEffect(object: Pick<KubeObject, 'kind'>): string | undefined {
  const { kind, spec } = object as { readonly kind: string; readonly spec?: { readonly type?: unknown } };
  if (kind === 'Service') return spec?.type === 'LoadBalancer' ? LOAD_BALANCER : undefined;
  return LACKS[kind];
}

/** Reports each missing effect when the first object without it is created. */
export function tellingMissingEffects({ storage }: Cluster, tell: (line: string) => void): void {
  const told = new Set<string>();
  storage.follow({
    wrote: ({ type, object }) => {
      const lack = type === 'ADDED' ? missingEffect(object) : undefined;
      if (lack === undefined || told.has(lack)) return;
      told.add(lack);
      tell(`${lack} (docs/limits.md).`);
    },
  });
}
