import {
  type DnsMessage,
  type DnsQuestion,
  type EndpointSlice,
  endpointSlices,
  type KubernetesDns,
  type KubernetesDnsOptions,
  type NewKubernetesDns,
  namespaces,
  type Pod,
  pods,
  type Service,
  type SharedInformer,
  services,
} from '#harness';
import { type Answer, answer, type Settings } from './answer.ts';
import { clusterIPsOf, type DnsView, readyAddresses, serviceOf } from './view.ts';

/**
 * CoreDNS's plugin `kubernetes`: it watches services, slices and namespaces, and answers from its caches.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go New, InitKubeCache
 */
export const newKubernetesDns: NewKubernetesDns = (options) => new Plugin(options);

/** Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go defaultTTL */
const DEFAULT_TTL = 5;

class Plugin implements KubernetesDns {
  readonly #view: ClusterView;
  readonly #settings: Settings;
  readonly #lookup: KubernetesDnsOptions['lookup'];

  constructor({
    context,
    zones,
    ttl = DEFAULT_TTL,
    pods: podNames = 'disabled',
    fallthrough = [],
    lookup,
  }: KubernetesDnsOptions) {
    this.#settings = { zones, ttl, pods: podNames, fallthrough };
    this.#lookup = lookup;
    this.#view = new ClusterView(context, { watchesPods: podNames === 'verified' });
    context.informers.start();
  }

  hasSynced(): boolean {
    return this.#view.hasSynced();
  }

  async answer(question: DnsQuestion): Promise<DnsMessage | undefined> {
    const hasSynced = this.#view.hasSynced();
    const answered = answer(question, { view: this.#view, settings: this.#settings, hasSynced });
    return answered && this.#complete(answered);
  }

  /**
   * Adds the answer of another name server for the target of an alias. If there is none, the alias is left out, too.
   */
  async #complete({ message, alias }: Answer): Promise<DnsMessage> {
    if (!alias) return message;
    const { type } = message.question;
    const found = await this.#lookup({ name: alias.target, type }).catch(() => undefined);
    return found ? { ...message, answer: [...alias.records, ...found.answer], authority: [] } : message;
  }
}

/** The state of the cluster in the informers' caches. */
class ClusterView implements DnsView {
  readonly #services: SharedInformer<Service>;
  readonly #slices: SharedInformer<EndpointSlice>;
  readonly #namespaces;
  /** Undefined unless names of pods are verified. */
  readonly #pods: SharedInformer<Pod> | undefined;
  #changedMs: number;

  constructor(
    { informers, clock }: KubernetesDnsOptions['context'],
    { watchesPods }: { readonly watchesPods: boolean },
  ) {
    this.#changedMs = clock.now();
    this.#services = informers.forResource(services, { clusterIP: clusterIPsOf });
    this.#slices = informers.forResource(endpointSlices, {
      service: (slice) => [keyOf(slice.metadata.namespace, serviceOf(slice))],
      address: (slice) => readyAddresses(slice).map(({ address }) => address),
    });
    this.#namespaces = informers.forResource(namespaces);
    this.#pods = watchesPods ? informers.forResource(pods, { podIP: podIPOf }) : undefined;
    const changed = (): void => {
      this.#changedMs = clock.now();
    };
    for (const informer of [this.#services, this.#slices]) {
      informer.addEventHandler({ onAdd: changed, onUpdate: changed, onDelete: changed });
    }
  }

  hasSynced(): boolean {
    const all = [this.#services, this.#slices, this.#namespaces, this.#pods];
    return all.every((informer) => informer === undefined || informer.hasSynced());
  }

  /** Differs: every change counts, even if it affects no answer. */
  get serial(): number {
    return Math.floor(this.#changedMs / 1_000);
  }

  hasNamespace(name: string): boolean {
    return this.#namespaces.indexer.getByKey(name) !== undefined;
  }

  service(namespace: string, name: string): Service | undefined {
    return this.#services.indexer.getByKey(keyOf(namespace, name));
  }

  slicesOf(namespace: string, service: string): readonly EndpointSlice[] {
    return this.#slices.indexer.byIndex('service', keyOf(namespace, service));
  }

  servicesAt(address: string): readonly Service[] {
    return this.#services.indexer.byIndex('clusterIP', address);
  }

  slicesAt(address: string): readonly EndpointSlice[] {
    return this.#slices.indexer.byIndex('address', address);
  }

  podsAt(address: string): readonly Pod[] {
    return this.#pods?.indexer.byIndex('podIP', address) ?? [];
  }
}

function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

/** Returns the index keys of a pod. A pod that has ended has released its address. */
function podIPOf({ status }: Pod): readonly string[] {
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return hasEnded || !status?.podIP ? [] : [status.podIP];
}
