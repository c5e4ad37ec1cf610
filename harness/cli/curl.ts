import type { Service } from '../api/objects.ts';
import { pods, services } from '../api/resource.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { type PodRun, runInPod } from '../cluster/nodes/run-in-pod.ts';
import type { Client } from '../contracts/client.ts';
import type { Attempt } from '../node/network/stack/connection.ts';
import { endpoint } from '../node/network/stack/packet.ts';
import { formatWays } from '../node/network/stack/packet-trace.ts';
import { type Paint, plain } from './colours.ts';
import { wrap } from './wrap.ts';

/** A request to a Service from a pod, and its result. */
export interface Curled {
  /** The equivalent kubectl command. */
  readonly typed: string;
  readonly run: PodRun;
  /** The names of Services, by ClusterIP. */
  readonly names: ReadonlyMap<string, string>;
}

/** Options of {@link curlService}. */
interface CurlOptions {
  /** The client that creates the pod. @defaultValue the cluster's admin */
  readonly kubectl?: Client;
  /** The node of the pod that sends the request. @defaultValue the scheduler chooses */
  readonly nodeName?: string;
  /** The timeout, in seconds. @defaultValue no timeout */
  readonly maxTimeSeconds?: number;
}

const IMAGE = 'curlimages/curl';

/** Requests a page of a Service by name, like `curl http://web`, from a new pod in the Service's namespace. */
export async function curlService(
  cluster: Cluster,
  { metadata, spec }: Service,
  { kubectl = cluster.admin, nodeName, maxTimeSeconds }: CurlOptions = {},
): Promise<Curled> {
  const port = spec.ports?.find(({ protocol = 'TCP' }) => protocol === 'TCP')?.port ?? 80;
  const url = `http://${metadata.name}${port === 80 ? '' : `:${port}`}`;
  const limits = maxTimeSeconds === undefined ? [] : ['-m', `${maxTimeSeconds}`];
  const command = ['curl', '-sS', ...limits, url];
  const namespace = metadata.namespace ?? 'default';
  const name = freeName(cluster, namespace);
  const run = await runInPod(
    cluster,
    { name, image: IMAGE, command, namespace, ...(nodeName && { nodeName }) },
    kubectl,
  );
  return {
    typed: `kubectl run ${name} -it --rm --image=${IMAGE} --restart=Never --command -- ${command.join(' ')}`,
    run,
    names: serviceNames(cluster),
  };
}

/** Returns whether a Service accepts requests: it has a ClusterIP and a TCP port. */
export function canBeAsked({ spec }: Service): boolean {
  const hasAddress = spec.clusterIP !== undefined && spec.clusterIP !== '' && spec.clusterIP !== 'None';
  return hasAddress && (spec.ports ?? []).some(({ protocol = 'TCP' }) => protocol === 'TCP');
}

function freeName(cluster: Cluster, namespace: string): string {
  const taken = new Set(
    cluster.storage
      .list(pods)
      .flatMap(({ metadata }) => (metadata.namespace === namespace ? [metadata.name] : [])),
  );
  for (let i = 0; ; i++) {
    const name = i === 0 ? 'curl' : `curl-${i}`;
    if (!taken.has(name)) return name;
  }
}

function serviceNames({ storage }: Cluster): ReadonlyMap<string, string> {
  return new Map(
    (storage.list(services) as Service[]).map(({ metadata, spec }) => [spec.clusterIP ?? '', metadata.name]),
  );
}

/** Options of {@link tellCurl}. */
interface TellOptions {
  /** The longest line of text, in characters; the trace of a packet may be wider. @defaultValue 100 */
  readonly width?: number;
  /** @defaultValue no colours */
  readonly paint?: Paint;
}

/** Renders a request: the command, its output, and the trace of its packets, hop by hop to where they end. */
export function tellCurl(
  { typed, run, names }: Curled,
  { width = 100, paint = plain }: TellOptions = {},
): string[] {
  const { output, attempts } = run;
  const [asked, others] = [attempts.filter(isQuestion), attempts.filter((each) => !isQuestion(each))];
  const shown = others.at(-1) ?? asked.findLast(hasFailed) ?? asked.at(-1);
  return [
    paint('bold', `$ ${typed}`),
    ...excerpt(output),
    '',
    ...(shown
      ? [...wrap(say(shown, { asked, names }), width), '', ...formatWays(shown.opened).map(coloured(paint))]
      : []),
  ];
}

function say(
  shown: Attempt,
  { asked, names }: { readonly asked: readonly Attempt[]; readonly names: Curled['names'] },
): string {
  const called = (attempt: Attempt): string => {
    const name = names.get(attempt.to.ip.text);
    return `${endpoint(attempt.to.ip, attempt.to.port)}${name ? `, the Service ${name}` : ''}`;
  };
  if (isQuestion(shown)) {
    return `First curl looks up the name at ${called(shown)}. This is the path of that packet:`;
  }
  const [first] = asked;
  const before = first ? `curl looks up the name at ${called(first)}. Then it opens` : 'curl opens';
  return `${before} a connection to ${called(shown)}. This is the path of the first packet and of its answer:`;
}

const isQuestion = ({ to }: Attempt): boolean => to.port === 53;
const hasFailed = ({ opened }: Attempt): boolean => opened.fate.kind !== 'delivered';

/** The first lines of a page. */
function excerpt(output: readonly string[]): readonly string[] {
  const few = 4;
  return output.length <= few + 1
    ? output
    : [...output.slice(0, few), `… and ${output.length - few} more lines`];
}

function coloured(paint: Paint): (line: string) => string {
  return (line) =>
    line.startsWith('✗') ? paint('red', line) : line.startsWith('✓') ? paint('green', line) : line;
}
