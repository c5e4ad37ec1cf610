import { keyOf, type Pod } from '../../../api/objects.ts';
import { nodes, pods } from '../../../api/resource.ts';
import { errors, isNotFound } from '../../../api/status.ts';
import { kubeletServers } from '../../../cluster/nodes/kubelet-servers.ts';
import { KubeletError, type LogOptions } from '../../../contracts/node/kubelet-server.ts';
import { type Call, type Command, INTERRUPTED } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { SELECTING } from '../targets.ts';
import { containerOf } from './container.ts';
import { podsOf } from './pods-of.ts';

/** The interval between two reads of a followed log, in ms. */
const LOOK_MS = 100;
/** The lines of each pod that a selector selects. Upstream: pkg/cmd/logs/logs.go selectorTail */
const SELECTOR_TAIL = 10;
/** Upstream: pkg/cmd/logs/logs.go LogsOptions.MaxFollowConcurrency */
const FOLLOWED_MAX = 5;

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/logs/logs.go LogsOptions.RunLogs */
export const logs: Command = {
  name: 'logs',
  aliases: ['log'],
  usage: '(POD | TYPE/NAME | -l LABELS) [-f] [-c CONTAINER] [--previous] [--tail=N]',
  summary: 'Prints the output of a container',
  reads: true,
  flags: {
    namespace: SELECTING.namespace,
    selector: SELECTING.selector,
    follow: { short: 'f', type: 'switch', help: 'go on until the container ends, or Ctrl-C' },
    container: { short: 'c', type: 'text', help: 'the container' },
    'all-containers': { type: 'switch', help: 'every container of the pod' },
    'all-pods': { type: 'switch', help: 'every pod of a workload, with --prefix' },
    previous: { short: 'p', type: 'switch', help: 'the output before the last restart' },
    tail: { type: 'number', help: 'only so many lines from the end' },
    timestamps: { type: 'switch', help: 'each line with its time' },
    since: { type: 'duration', help: 'only lines of this last time: 10s' },
    prefix: { type: 'switch', help: 'each line with its pod and container' },
  },
  run: async (call) => {
    const { flags, args } = call;
    const [name, inline, more] = args;
    const selector = flags.text('selector');
    if (name === undefined && selector === undefined) {
      throw new KubectlError(
        "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command",
      );
    }
    if (name !== undefined && selector !== undefined) {
      throw new KubectlError('only a selector (-l) or a POD name is allowed');
    }
    if (more !== undefined)
      throw new KubectlError('logs takes one POD or TYPE/NAME, and one container after it');
    const all =
      name === undefined
        ? await selected(call, selector ?? '')
        : await podsOf(call, name).catch((error) => notFound(call, error));
    if (all.length === 0) {
      call.io.err(`No resources found in ${call.namespace} namespace.\n`);
      return 0;
    }
    const everyPod = name === undefined || flags.isOn('all-pods');
    if (!everyPod && all.length > 1) {
      call.io.err(`Found ${all.length} pods, using pod/${all[0]?.metadata.name}\n`);
    }
    const sources = (everyPod ? all : all.slice(0, 1)).flatMap((pod) => sourcesOf(call, pod, inline));
    return print(call, sources, name === undefined);
  },
};

/** Upstream: pkg/cmd/logs/logs.go LogsOptions.Complete */
function notFound({ namespace }: Call, error: unknown): never {
  if (!isNotFound(error)) throw error;
  throw new KubectlError(`error from server (NotFound): ${error.message} in namespace "${namespace}"`);
}

/** A container whose log is read. */
interface Source {
  readonly pod: Pod;
  readonly container: string;
}

async function selected(call: Call, labelSelector: string): Promise<readonly Pod[]> {
  const { items } = await call.client.list(pods, { namespace: call.namespace, labelSelector });
  return items;
}

function sourcesOf(call: Call, pod: Pod, inline: string | undefined): readonly Source[] {
  if (!call.flags.isOn('all-containers')) {
    return [{ pod, container: containerOf(call, pod, call.flags.text('container') ?? inline) }];
  }
  const { initContainers = [], containers } = pod.spec;
  return [...initContainers, ...containers].map(({ name }) => ({ pod, container: name }));
}

async function print(call: Call, sources: readonly Source[], isSelection: boolean): Promise<number> {
  const { flags, io } = call;
  for (const { pod } of sources) {
    const { name, namespace = '' } = pod.metadata;
    call.mustBeAllowed({ verb: 'get', resource: 'pods', subresource: 'log', namespace, name });
  }
  const tail = flags.number('tail') ?? (isSelection ? SELECTOR_TAIL : -1);
  const since = flags.duration('since');
  const options: LogOptions = {
    previous: flags.isOn('previous'),
    timestamps: flags.isOn('timestamps'),
    ...(tail >= 0 ? { tailLines: tail } : {}),
    ...(since ? { sinceSeconds: since / 1_000 } : {}),
  };
  const hasPrefix = flags.isOn('prefix') || flags.isOn('all-pods');
  const write = ({ pod, container }: Source, text: string): void => {
    const prefix = hasPrefix ? `[pod/${pod.metadata.name}/${container}] ` : '';
    io.out(prefix === '' ? text : text.replace(/^(?=.)/gm, prefix));
  };
  if (!flags.isOn('follow')) {
    for (const source of sources) write(source, await logOf(call, source, options));
    return 0;
  }
  if (sources.length > FOLLOWED_MAX) {
    throw new KubectlError(
      `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${FOLLOWED_MAX}`,
    );
  }
  await Promise.all(sources.map((source) => follow(call, source, options, (text) => write(source, text))));
  return io.signal.aborted ? INTERRUPTED : 0;
}

/** Returns the whole log of a container. @throws StatusError, KubeletError */
export async function logOf(
  { client, cluster, io }: Pick<Call, 'client' | 'cluster' | 'io'>,
  { pod, container }: Source,
  options: LogOptions = {},
): Promise<string> {
  const { nodeName } = pod.spec;
  if (!nodeName) return '';
  const kubelet = kubeletServers(cluster)(nodeName);
  if (!kubelet) {
    const node = await client.get(nodes, { name: nodeName });
    const address = node.status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? nodeName;
    throw errors.internal(`error dialing backend: dial tcp ${address}:10250: connect: connection refused`);
  }
  const chunks = await kubelet.containerLogs({ pod, container }, options, io.signal);
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

/**
 * Prints new lines of a log until the container has ended.
 *
 * Differs: a container that has not started yet is waited for in silence; upstream repeats the error every second.
 */
export async function follow(
  call: Pick<Call, 'client' | 'cluster' | 'io' | 'observer'>,
  { pod, container }: Source,
  options: LogOptions,
  write: (text: string) => void,
): Promise<void> {
  const { signal } = call.io;
  const key = keyOf(pod);
  let printed: string | undefined;
  let skipped = 0;
  for (;;) {
    const current = call.observer.now(pods, key);
    if (signal.aborted || current?.metadata.uid !== pod.metadata.uid) return;
    const runs = isRunning(current, container);
    const { tailLines: _, ...whole } = options;
    const text = await logOf(call, { pod: current, container }, whole).catch((error: unknown) => {
      if (error instanceof KubeletError) return undefined;
      throw error;
    });
    if (text !== undefined) {
      if (printed === undefined && options.tailLines !== undefined) {
        skipped = text.length - (await logOf(call, { pod: current, container }, options)).length;
      }
      const from = printed === undefined ? skipped : text.startsWith(printed) ? printed.length : 0;
      if (text.length > from) write(text.slice(from));
      printed = text;
      if (!runs) return;
    }
    await call.observer.pause(LOOK_MS, signal);
  }
}

function isRunning({ status }: Pod, container: string): boolean {
  const all = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
  return all.find(({ name }) => name === container)?.state?.running !== undefined;
}
