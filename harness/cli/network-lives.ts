import type { Deployment, New, Service } from '../api/objects.ts';
import { deployments, services } from '../api/resource.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { createWholeCluster, throwFirstFailure, type WholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { type Paint, plain } from './colours.ts';
import { type Curled, curlService, tellCurl } from './curl.ts';
import { wrap } from './wrap.ts';

/** One outcome of a request to a Service, with an explanation. */
interface NetworkLife {
  readonly look: string;
  /** The fault in the network. @defaultValue no fault */
  readonly broken?: Broken;
  /** Whether the web pods are ready. @defaultValue true */
  readonly ready?: boolean;
  /** Maximum number of requests to send until one fails. @defaultValue 1 */
  readonly tries?: number;
}

/** A fault on the node of the requesting pod. */
interface Broken {
  /** The component that would repair the fault. It is stopped first. */
  readonly without: string;
  /** The command, as typed on the node. */
  readonly command: string;
}

/** The node of the requesting pod. */
const NODE = 'node-1';
const KEY = { namespace: 'default', name: 'web' };

/** The lives by name: `npm run life -- curl`. */
export const networkLives: Readonly<Record<string, NetworkLife>> = {
  curl: {
    look:
      'Three pods on two nodes, behind a Service. A fourth pod sends a request to the Service by name. The rules on its node replace ' +
      'the address of the Service by the address of a pod, and undo this in the answer.',
  },
  'curl-no-rules': {
    look:
      'The rules of kube-proxy are deleted. No interface has the address of a Service: without a rule, a packet to it follows the ' +
      'default route, out of the cluster. The first lost packet is the DNS query, because the name server is a Service, too.',
    broken: { without: 'kube-proxy', command: 'iptables -t nat -F' },
  },
  'curl-no-route': {
    look:
      'A route is missing: the node does not know the way to the pods of the other node. A packet for such a pod follows the ' +
      'default route, and is lost. Requests to the pods of this node succeed, so only some requests fail.',
    broken: { without: 'kube-flannel', command: 'ip route del 10.244.1.0/24' },
    tries: 8,
  },
  'curl-not-ready': {
    look:
      'None of the three pods is ready. The Service keeps its name and its address, but it has no endpoint: a rule on the node ' +
      'rejects each connection at once.',
    ready: false,
  },
};

/** The commands of a run, and their output. */
interface LifeStep {
  readonly typed: readonly string[];
  readonly look: string;
  readonly curled: Curled;
}

/** Time until both nodes are ready: earlier pods would all go to the first ready node. */
const NODES_READY_MS = 30_000;
/** Time until the network, CoreDNS and the web pods are ready, in virtual ms. */
const SETTLED_MS = 90_000;

/** Runs one of {@link networkLives} with these components on two nodes. */
export async function networkLife(life: NetworkLife, components: Partial<Components>): Promise<LifeStep> {
  const { look, broken, ready = true, tries = 1 } = life;
  // A fixed schedule: the approved transcript must not depend on random choices.
  const whole = await createWholeCluster({ components, nodes: 2, schedule: [] });
  await using cluster = whole.cluster;
  await cluster.runFor(NODES_READY_MS);
  await cluster.admin.create(deployments, web(ready ? '/' : '/not-there'));
  const service = await cluster.admin.create(services, SERVICE);
  await cluster.runFor(SETTLED_MS);
  if (broken) await breakNetwork(whole, broken);
  let curled: Curled | undefined;
  for (let i = 0; i < tries && (i === 0 || curled?.run.exitCode === 0); i++) {
    curled = await curlService(cluster, service as Service, { nodeName: NODE, maxTimeSeconds: 3 });
  }
  throwFirstFailure(whole.processes);
  const typed = broken ? [`systemctl stop ${broken.without}; ${broken.command}    # on ${NODE}`] : [];
  return { typed, look, curled: curled as Curled };
}

async function breakNetwork(
  { cluster, processes }: WholeCluster & { readonly cluster: Cluster },
  broken: Broken,
): Promise<void> {
  processes.find(({ name }) => name === `${broken.without}-${NODE}`)?.retire();
  const tools = cluster.machine(NODE)?.host.tools;
  if (tools) await cluster.settle(tools.run(broken.command.split(' ')));
}

const LABELS = { app: 'web' };

function web(probed: string): New<Deployment> {
  const readinessProbe = { httpGet: { path: probed, port: 80 }, periodSeconds: 5 };
  return {
    metadata: KEY,
    spec: {
      replicas: 3,
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: LABELS },
        spec: { containers: [{ name: 'nginx', image: 'nginx:1.27', readinessProbe }] },
      },
    },
  } as unknown as New<Deployment>;
}

const SERVICE = {
  metadata: KEY,
  spec: { selector: LABELS, ports: [{ port: 80 }] },
} as unknown as New<Service>;

/** Options of {@link tellNetworkLife}. */
interface TellOptions {
  /** The longest line of text, in characters; the trace of a packet may be wider. @defaultValue 100 */
  readonly width?: number;
  /** @defaultValue no colours */
  readonly paint?: Paint;
}

/** Renders the explanation, the commands, and the trace of the packets. */
export function tellNetworkLife(
  { typed, look, curled }: LifeStep,
  { width = 100, paint = plain }: TellOptions = {},
): string[] {
  return [
    ...wrap(look, width, '# ').map((line) => paint('dim', line)),
    ...typed.map((line) => paint('bold', `$ ${line}`)),
    ...tellCurl(curled, { width, paint }),
  ];
}
