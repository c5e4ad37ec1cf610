import type { Deployment, New, Service } from '../api/objects.ts';
import { deployments, services } from '../api/resource.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { createWholeCluster, throwFirstFailure, type WholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { type Paint, plain } from './colours.ts';
import { type Curled, curlService, tellCurl } from './curl.ts';
import { wrap } from './wrap.ts';

/** One way in which a request to a Service ends, and what there is to see in it. */
interface NetworkLife {
  readonly look: string;
  /** What breaks the network. @defaultValue nothing does */
  readonly broken?: Broken;
  /** Whether the pods of the web are ready. @defaultValue true */
  readonly ready?: boolean;
  /** So often it asks, at most, until a request fails. @defaultValue once */
  readonly tries?: number;
}

/** What is done to the node of the pod that asks. */
interface Broken {
  /** The component that would mend it, which is stopped before. */
  readonly without: string;
  /** The command, as one types it on the node. */
  readonly command: string;
}

/** Where it is asked from. */
const NODE = 'node-1';
const KEY = { namespace: 'default', name: 'web' };

/** By the name that one types: `npm run life -- curl`. */
export const networkLives: Readonly<Record<string, NetworkLife>> = {
  curl: {
    look:
      'Three pods on two nodes, and a Service before them. A fourth pod asks for the Service by its name. The rules of its node put ' +
      'the address of a pod in the place of that of the Service, and undo that in the answer.',
  },
  'curl-no-rules': {
    look:
      'The rules of kube-proxy are gone. No interface has the address of a Service: without a rule, a packet to it follows the ' +
      'default route, out of the cluster. The first packet to die is the question for the name: the name server is a Service, too.',
    broken: { without: 'kube-proxy', command: 'iptables -t nat -F' },
  },
  'curl-no-route': {
    look:
      'A route is missing: the node does not know the way to the pods of the other node. What is meant for a pod over there follows ' +
      'the default route, and dies on it. Requests to the pods of this node succeed: so some fail, and others do not.',
    broken: { without: 'kube-flannel', command: 'ip route del 10.244.1.0/24' },
    tries: 8,
  },
  'curl-not-ready': {
    look:
      'None of the three pods is ready. The Service keeps its name and its address, but no endpoint is left: a rule of the node ' +
      'refuses each connection, at once.',
    ready: false,
  },
};

/** What was typed, and what came of it. */
interface Chapter {
  readonly typed: readonly string[];
  readonly look: string;
  readonly curled: Curled;
}

/** Until the cluster has its network, its names and the web, in virtual ms. */
const SETTLED_MS = 90_000;

/** Lives one of {@link networkLives}, with these components, on two nodes. */
export async function networkLife(life: NetworkLife, components: Partial<Components>): Promise<Chapter> {
  const { look, broken, ready = true, tries = 1 } = life;
  // First come, first served: what is read and approved shall not change because of a draw.
  const whole = await createWholeCluster({ components, nodes: 2, schedule: [] });
  await using cluster = whole.cluster;
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

/** How it is told. */
interface TellOptions {
  /** The longest line of text, in characters; the way of a packet may be wider. @defaultValue 100 */
  readonly width?: number;
  /** @defaultValue no colours */
  readonly paint?: Paint;
}

/** What there is to see, what is typed, and the way of the packets. */
export function tellNetworkLife(
  { typed, look, curled }: Chapter,
  { width = 100, paint = plain }: TellOptions = {},
): string[] {
  return [
    ...wrap(look, width, '# ').map((line) => paint('dim', line)),
    ...typed.map((line) => paint('bold', `$ ${line}`)),
    ...tellCurl(curled, { width, paint }),
  ];
}
