import type { Deployment, Pod, Service } from '../../api/objects.ts';
import { deployments, pods, services } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { createWholeCluster } from '../../cluster/whole-cluster.ts';
import type { Client } from '../../contracts/client.ts';
import type { Components } from '../../contracts/component.ts';
import type { Details, Subject } from '../protocol/details.ts';
import { type ClusterObserver, type ObserverOptions, observeCluster } from './index.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** A whole cluster that has settled, and its observer. */
export interface Observed extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly observer: ClusterObserver;
  /** The connection of a user. */
  readonly kubectl: Client;
  /** Looks into something that must exist. */
  look<K extends Subject['kind']>(
    subject: Extract<Subject, { kind: K }>,
  ): Promise<Extract<Details, { kind: K }>>;
}

/** The time until a new cluster has settled. */
const SETTLED_MS = 15_000;

/** Starts a whole cluster of real components, lets it settle, and observes it from then on. */
export async function observedCluster(
  options: Parameters<typeof createWholeCluster>[0] & ObserverOptions = {},
): Promise<Observed> {
  const { cluster } = await createWholeCluster({ nodes: 2, components, names: false, ...options });
  await cluster.runFor(SETTLED_MS);
  const observer = observeCluster(cluster, options);
  return {
    cluster,
    observer,
    kubectl: cluster.connect('kubectl'),
    async look(subject) {
      const details = await observer.inspect(subject);
      if (!details) throw new Error(`Failed to look into ${JSON.stringify(subject)}: it does not exist.`);
      return details as never;
    },
    async [Symbol.asyncDispose]() {
      observer[Symbol.dispose]();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

const labels = { app: 'web' };

/** Creates the Deployment `web`. The request is on its way when this returns. */
export function createWeb({ kubectl }: Observed, { replicas = 3, image = 'nginx:1.25' } = {}): void {
  const container = { name: 'nginx', image, ports: [{ containerPort: 80 }] };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  const web = {
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
  kubectl.create(deployments, web as unknown as Deployment).catch(() => {});
}

/** Creates the Service `web`. The request is on its way when this returns. */
export function createService({ kubectl }: Observed): void {
  const web = {
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: labels, ports: [{ port: 80 }] },
  };
  kubectl.create(services, web as unknown as Service).catch(() => {});
}

/** Returns the pods of `web`. */
export function webPods({ cluster }: Observed) {
  return (cluster.storage.list(pods, { namespace: 'default' }) as Pod[]).filter(
    ({ metadata }) => metadata.labels?.app === 'web',
  );
}
