import type { Service } from '../api/objects.ts';
import { pods, services } from '../api/resource.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { type PodRun, runInPod } from '../cluster/nodes/run-in-pod.ts';
import type { Client } from '../contracts/client.ts';
import type { Attempt } from '../node/network/stack/connection.ts';
import { formatWays } from '../node/network/stack/journey.ts';
import { endpoint } from '../node/network/stack/packet.ts';
import { type Paint, plain } from './colours.ts';
import { wrap } from './wrap.ts';

/** A request to a Service from a pod, and what became of it. */
export interface Curled {
  /** What one would type. */
  readonly typed: string;
  readonly run: PodRun;
  /** Those Services that stand behind the addresses which were asked, by address. */
  readonly names: ReadonlyMap<string, string>;
}

/** How a Service is asked. */
interface CurlOptions {
  /** @defaultValue the cluster's admin */
  readonly kubectl?: Client;
  /** Where it is asked from. @defaultValue the scheduler chooses */
  readonly nodeName?: string;
  /** How long it may take, in seconds. @defaultValue as long as it takes */
  readonly maxTimeSeconds?: number;
}

const IMAGE = 'curlimages/curl';

/** Asks for a page of a Service by its name, from a pod of its own in the Service's namespace: `curl http://web`. */
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

/** Whether a Service can be asked: it has an address of its own, and a port that takes connections. */
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

/** How a request is told. */
interface TellOptions {
  /** The longest line of text, in characters; the way of a packet may be wider. @defaultValue 100 */
  readonly width?: number;
  /** @defaultValue no colours */
  readonly paint?: Paint;
}

/** What was typed and printed, and the way of the packets: hop by hop until where they came. */
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
    return `First it asks for the address of the name, at ${called(shown)}. This is the way of that packet:`;
  }
  const [first] = asked;
  const before = first
    ? `It asks for the address of the name, at ${called(first)}. Then it opens`
    : 'It opens';
  return `${before} a connection to ${called(shown)}. This is the way of the first packet, and of the answer:`;
}

const isQuestion = ({ to }: Attempt): boolean => to.port === 53;
const hasFailed = ({ opened }: Attempt): boolean => opened.fate.kind !== 'delivered';

/** The first lines of a page. */
function excerpt(output: readonly string[]): readonly string[] {
  const few = 4;
  return output.length <= few + 1
    ? output
    : [...output.slice(0, few), `… and ${output.length - few} lines more`];
}

function coloured(paint: Paint): (line: string) => string {
  return (line) =>
    line.startsWith('✗') ? paint('red', line) : line.startsWith('✓') ? paint('green', line) : line;
}
