import type { KubeObject } from '../api/objects.ts';
import { type Resource, resources } from '../api/resource.ts';
import type { Cluster } from '../cluster/cluster.ts';

/** The missing effect of each kind that no component here acts on. */
const LACKS: Readonly<Record<string, string>> = {
  HorizontalPodAutoscaler: 'No component here scales for a HorizontalPodAutoscaler',
  Ingress: 'No component here forwards requests for an Ingress',
  NetworkPolicy: 'No component here enforces a NetworkPolicy',
  ReplicationController: 'No component here creates pods for a ReplicationController',
};

const LOAD_BALANCER =
  'No component here creates load balancers, so the external address of a Service stays pending';

/** The kinds that no component here acts on. */
export const inertKinds: readonly string[] = Object.keys(LACKS);

/** The sentences about missing effects. `docs/limits.md` has the same ones. */
export const missingEffects: readonly string[] = [...Object.values(LACKS), LOAD_BALANCER];

/** The groups of the kinds above. A custom resource can have the same kind in another group. */
const groups = new Map(resources.map(({ kind, group }: Resource) => [kind, group]));

/** Returns a sentence about the missing effect of an object, if no component here acts on it. */
export function missingEffect(object: Pick<KubeObject, 'apiVersion' | 'kind'>): string | undefined {
  const { kind, spec } = object as { readonly kind: string; readonly spec?: { readonly type?: unknown } };
  if (groupOf(object) !== groups.get(kind)) return undefined;
  if (kind === 'Service') return spec?.type === 'LoadBalancer' ? LOAD_BALANCER : undefined;
  return LACKS[kind];
}

const groupOf = ({ apiVersion }: Pick<KubeObject, 'apiVersion'>): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/**
 * Returns a function that returns each sentence once: for the first object that lacks an effect.
 *
 * Differs: upstream's apiserver sends no such warning, because the controllers exist.
 */
export function firstMissingEffects(): (object: KubeObject) => string | undefined {
  const told = new Set<string>();
  return (object) => {
    const lack = missingEffect(object);
    if (lack === undefined || told.has(lack)) return undefined;
    told.add(lack);
    return `${lack} (docs/limits.md)`;
  };
}

/** Reports each missing effect when the first object without it is created, or changed so that it lacks it. */
export function tellingMissingEffects({ storage }: Cluster, tell: (line: string) => void): void {
  const first = firstMissingEffects();
  storage.follow({
    wrote: ({ type, object }) => {
      const line = type === 'DELETED' ? undefined : first(object);
      if (line !== undefined) tell(`${line}.`);
    },
  });
}
