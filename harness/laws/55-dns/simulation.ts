import type { EndpointSlice, New, Service } from '../../api/objects.ts';
import { endpointSlices, namespaces, services } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import type { Components } from '../../contracts/component.ts';
import type { DnsMessage, DnsQuestion, KubernetesDns, NewKubernetesDns } from '../../contracts/dns.ts';
import { play, recordOf } from '../../testing/rig/play.ts';
import { type Answered, type DnsHistory, questionText } from './history.ts';
import { type Operation, OUTSIDE, type Place, PROCESS } from './operations.ts';
import { TTL } from './oracle/zone.ts';
import type { DnsScenario } from './scenario/index.ts';
import { pointer, questions, ZONE } from './scenario/questions.ts';

/** The address of every external name. */
export const OUTSIDE_ADDRESS = '203.0.113.7';

/** After the last fault, the longest backoff of an informer may still have to pass, several times over. */
const SETTLE_MS = 300_000;

/**
 * Runs a name server in a hostile cluster: services, endpoints and a namespace are created and deleted, and the
 * server is queried all the time. Then nothing disturbs it any more, and it is queried a last time.
 */
export async function runDns(
  newKubernetesDns: NewKubernetesDns,
  components: Pick<Components, 'informer' | 'workQueue' | 'workers'>,
  scenario: DnsScenario,
): Promise<DnsHistory> {
  await using cluster = await createCluster({ ...scenario, components });
  const { sim } = cluster;
  const server = new AskedServer(cluster, newKubernetesDns);
  for (const operation of scenario.present) await put(cluster, operation);
  await play<Operation>({
    cluster,
    start: () => {
      const process = cluster.run(PROCESS, (context) => server.live(context));
      for (const fault of scenario.onStart) cluster.nemesis.strike(fault);
      return process;
    },
    steps: scenario.steps,
    act: (operation) => put(cluster, operation),
    pass: async (ms) => {
      // Before an event, and a while after it.
      await server.askAll();
      await cluster.runFor(Math.min(ms, ASK_AFTER_MS));
      await server.askAll();
      await cluster.runFor(Math.max(0, ms - ASK_AFTER_MS));
    },
    settle: async () => {
      await server.askAll();
      await cluster.runFor(SETTLE_MS);
      return sim.elapsedMs;
    },
  });
  const end = await server.askAtRest();
  return { ...recordOf(cluster), answers: server.answers, end, endMs: sim.elapsedMs };
}

const ASK_AFTER_MS = 8;

/** The name server, and all of its answers. */
class AskedServer {
  readonly answers: Answered[] = [];
  readonly #cluster: Cluster;
  readonly #new: NewKubernetesDns;
  #incarnation:
    | { readonly dns: KubernetesDns; readonly floor: number; readonly isOver: () => boolean }
    | undefined;

  constructor(cluster: Cluster, newKubernetesDns: NewKubernetesDns) {
    this.#cluster = cluster;
    this.#new = newKubernetesDns;
  }

  async live(
    context: Parameters<NewKubernetesDns>[0]['context'] & { readonly line: { readonly severed: boolean } },
  ) {
    const { replicas, storage } = this.#cluster;
    const floor = Math.min(...replicas.map(({ server }) => server.cache.position ?? storage.revision));
    const dns = this.#new({
      context,
      zones: [ZONE, 'in-addr.arpa.'],
      ttl: TTL,
      pods: 'insecure',
      fallthrough: ['in-addr.arpa.'],
      lookup: async (question) => outsideAnswer(question),
    });
    this.#incarnation = { dns, floor, isOver: () => context.line.severed };
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
  }

  async askAll(): Promise<void> {
    for (const question of questions) await this.#ask(question);
  }

  /**
   * Asks everything again, and a client's follow-up questions: for the names of addresses, and for the targets of
   * ports.
   */
  async askAtRest(): Promise<ReadonlyMap<string, Answered>> {
    const end = new Map<string, Answered>();
    const all = (await this.#cluster.admin.list(services)).items;
    const own = all.flatMap(({ spec }) =>
      /^\d/.test(spec.clusterIP ?? '') ? [pointer(spec.clusterIP ?? '')] : [],
    );
    const left: DnsQuestion[] = [...questions, ...own];
    for (let question = left.shift(); question; question = left.shift()) {
      if (end.has(questionText(question))) continue;
      const answered = await this.#ask(question);
      if (!answered) continue;
      end.set(questionText(question), answered);
      for (const record of answered.message?.answer ?? []) {
        if (record.type === 'SRV' || record.type === 'PTR') left.push({ name: record.target, type: 'A' });
      }
    }
    return end;
  }

  /** Returns the answer; undefined while the name server is down. */
  async #ask(question: DnsQuestion): Promise<Answered | undefined> {
    const { sim, storage } = this.#cluster;
    const incarnation = this.#incarnation;
    if (!incarnation || incarnation.isOver()) return undefined;
    const hasSynced = incarnation.dns.hasSynced();
    const message = await incarnation.dns.answer(question);
    const { floor } = incarnation;
    const { elapsedMs: atMs } = sim;
    const answered = { atMs, revision: storage.revision, floor, hasSynced, question, message };
    this.answers.push(answered);
    return answered;
  }
}

function outsideAnswer(question: DnsQuestion): DnsMessage {
  const { name, type } = question;
  return {
    question,
    rcode: 'NOERROR',
    authoritative: false,
    answer: type === 'A' ? [{ name, ttl: 60, type, address: OUTSIDE_ADDRESS }] : [],
    authority: [],
    additional: [],
  };
}

/** Performs an operation, unless it is impossible: its namespace does not exist, or its object is already deleted. */
async function put({ admin }: Cluster, operation: Operation): Promise<void> {
  const impossible = (): void => {};
  if ('namespace' in operation) {
    await admin.create(namespaces, { metadata: { name: operation.namespace }, spec: {} }).catch(impossible);
  } else if ('removeService' in operation)
    await admin.delete(services, operation.removeService).catch(impossible);
  else if ('removeSlice' in operation) {
    await admin.delete(endpointSlices, sliceKey(operation.removeSlice, operation.index)).catch(impossible);
  } else if ('service' in operation) {
    // The type of a service cannot change: another service replaces it.
    await admin.delete(services, operation.service).catch(impossible);
    await admin.create(services, serviceOf(operation)).catch(impossible);
  } else {
    const wanted = sliceOf(operation);
    const known = await admin
      .get(endpointSlices, sliceKey(operation.slice, operation.index))
      .catch(impossible);
    if (known) await admin.update(endpointSlices, { ...known, ...wanted, metadata: known.metadata });
    else await admin.create(endpointSlices, wanted).catch(impossible);
  }
}

function sliceKey(
  { namespace, name }: Place,
  index: number,
): { readonly namespace: string; readonly name: string } {
  return { namespace, name: `${name}-${index}` };
}

const allPorts = {
  http: { name: 'http', protocol: 'TCP', port: 80 },
  dns: { name: 'dns', protocol: 'UDP', port: 53 },
};

function serviceOf({ service, kind, ports }: Extract<Operation, { service: unknown }>): New<Service> {
  const metadata = { ...service };
  const declared = ports.map((name) => allPorts[name]);
  if (typeof kind === 'string') {
    const address = kind === 'headless' ? { clusterIP: 'None' } : {};
    return { metadata, spec: { ...address, ports: declared } };
  }
  const { alias } = kind;
  const externalName = alias === 'outside' ? OUTSIDE : `${alias}.${service.namespace}.svc.cluster.local`;
  return { metadata, spec: { type: 'ExternalName', externalName } };
}

function sliceOf({
  slice,
  index,
  endpoints,
  ports,
}: Extract<Operation, { slice: unknown }>): New<EndpointSlice> {
  return {
    metadata: { ...sliceKey(slice, index), labels: { 'kubernetes.io/service-name': slice.name } },
    addressType: 'IPv4',
    endpoints: endpoints.map(({ address, ready, hostname }) => ({
      addresses: [address],
      conditions: ready === 'unknown' ? {} : { ready: ready === 'yes' },
      ...(hostname && { hostname }),
    })),
    ports: ports.map((name) => allPorts[name]),
  };
}
