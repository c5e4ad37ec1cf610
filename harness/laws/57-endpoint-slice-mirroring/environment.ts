import type * as core from '#api/core/v1';
import type { EndpointSlice, Endpoints, Service } from '../../api/objects.ts';
import { endpointSlices, endpoints, services } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { SLICE } from '../../contracts/slice-labels.ts';
import { Stage } from '../../testing/rig/stage.ts';
import { CONTROLLER } from './oracle.ts';
import type { Mark, Name, Operation, Subset } from './scenario.ts';

const NAMESPACE = 'default';

/** The addresses by their number: of both families, in two spellings. */
const ADDRESSES = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:DB8::1', '2001:db8::2', '192.0.2.9'];
const PORTS = [
  { name: 'http', port: 80, protocol: 'TCP' },
  { name: 'https', port: 443, protocol: 'TCP' },
  { name: 'dns', port: 53, protocol: 'UDP' },
];

/** The users of Services and of their Endpoints. */
export class Environment {
  readonly #stage: Stage;

  constructor(cluster: Cluster) {
    this.#stage = new Stage(cluster);
  }

  /** Returns the objects that the controller reads and writes. */
  objects(): {
    readonly services: readonly Service[];
    readonly endpoints: readonly Endpoints[];
    readonly slices: readonly EndpointSlice[];
  } {
    return {
      services: this.#stage.list(services),
      endpoints: this.#stage.list(endpoints),
      slices: this.#stage.list(endpointSlices),
    };
  }

  async act(operation: Operation): Promise<void> {
    const { name } = operation;
    const key = { namespace: NAMESPACE, name };
    const named = `services/${NAMESPACE}/${name}`;
    switch (operation.do) {
      case 'serve':
        return this.serve(name);
      case 'select':
      case 'unselect': {
        const selector = operation.do === 'select' ? { app: name } : null;
        return this.#stage.act('user', operation.do, named, (user) =>
          user.patch(services, key, { type: 'merge', body: { spec: { selector } } }),
        );
      }
      case 'unserve':
        return this.#stage.act('user', 'delete', named, (user) => user.delete(services, key));
      case 'remove':
        return this.#stage.act('user', 'delete', `endpoints/${NAMESPACE}/${name}`, (user) =>
          user.delete(endpoints, key),
        );
      case 'write':
        return this.#write(name, operation.subsets, operation.mark);
      case 'recreate':
        return this.#recreate(name);
      case 'edit':
        return this.#edit(name, operation.how);
    }
  }

  async serve(name: Name): Promise<void> {
    if (this.objects().services.some(({ metadata }) => metadata.name === name)) return;
    await this.#stage.act('user', 'create', `services/${NAMESPACE}/${name}`, (user) =>
      user.create(services, {
        metadata: { namespace: NAMESPACE, name },
        spec: { ports: [{ port: 80, name: 'http' }] },
      }),
    );
  }

  #endpoints(name: string): Endpoints | undefined {
    return this.objects().endpoints.find(({ metadata }) => metadata.name === name);
  }

  async #write(name: Name, all: readonly Subset[], mark: Mark): Promise<void> {
    const old = this.#endpoints(name);
    const metadata = { namespace: NAMESPACE, name, ...MARKS[mark] };
    const subsets = all.filter(({ ready, notReady }) => ready.length + notReady.length > 0).map(subsetOf);
    await this.#stage.act('user', 'write', `endpoints/${NAMESPACE}/${name}`, (user) =>
      old
        ? user.update(endpoints, { ...old, metadata: { ...kept(old.metadata), ...metadata }, subsets })
        : user.create(endpoints, { metadata, subsets }),
    );
  }

  async #recreate(name: Name): Promise<void> {
    const old = this.#endpoints(name);
    if (!old) return;
    const { labels, annotations } = old.metadata;
    const metadata = {
      namespace: NAMESPACE,
      name,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    };
    await this.#stage.act('user', 'recreate', `endpoints/${NAMESPACE}/${name}`, async (user) => {
      await user.delete(endpoints, { namespace: NAMESPACE, name });
      await user.create(endpoints, { metadata, subsets: old.subsets ?? [] });
    });
  }

  async #edit(name: Name, how: Extract<Operation, { do: 'edit' }>['how']): Promise<void> {
    const [slice] = this.objects().slices.filter(
      ({ metadata: { labels = {} } }) =>
        labels[SLICE.service] === name && labels[SLICE.managedBy] === CONTROLLER,
    );
    if (!slice) return;
    const key = { namespace: NAMESPACE, name: slice.metadata.name };
    const { labels } = slice.metadata;
    await this.#stage.act('user', how, `endpointslices/${NAMESPACE}/${key.name}`, (user) => {
      if (how === 'delete') return user.delete(endpointSlices, key);
      if (how === 'empty') return user.update(endpointSlices, { ...slice, endpoints: [] });
      if (how === 'label') {
        return user.patch(endpointSlices, key, {
          type: 'merge',
          body: { metadata: { labels: { extra: 'x' } } },
        });
      }
      // A user writes a slice of the same Service.
      const { metadata: _, ...rest } = slice;
      const own = { ...labels, [SLICE.managedBy]: 'user' };
      return user.create(endpointSlices, {
        ...rest,
        metadata: { namespace: NAMESPACE, generateName: 'mine-', labels: own },
      });
    });
  }
}

function subsetOf({ ready, notReady, ports }: Subset): core.EndpointSubset {
  const addressesOf = (numbers: readonly number[]) =>
    numbers.map((number) => ({ ip: ADDRESSES[number] ?? '' }));
  return {
    ...(ready.length > 0 && { addresses: addressesOf(ready) }),
    ...(notReady.length > 0 && { notReadyAddresses: addressesOf(notReady) }),
    ...(ports.length > 0 && { ports: ports.map((port) => ({ ...PORTS[port] }) as core.EndpointPort) }),
  };
}

/** Returns metadata without labels and annotations. */
function kept({ labels: _, annotations: _all, ...metadata }: Endpoints['metadata']): Endpoints['metadata'] {
  return metadata;
}

const MARKS: Readonly<Record<Mark, Partial<Pick<Endpoints['metadata'], 'labels' | 'annotations'>>>> = {
  none: {},
  label: { labels: { team: 'blue' } },
  annotation: { annotations: { note: 'mine' } },
  trigger: { annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': '2024-04-17T00:00:00Z' } },
  skip: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
  leader: { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } },
};
