import type { Components, NodeComponentContext } from '../../contracts/component.ts';
import type { KubeletConfiguration, NodeHost } from '../../contracts/node/index.ts';
import { throughLine } from '../../sim/index.ts';
import type { ProcessContext } from '../process.ts';

/** The node and the dependencies of a node component. */
interface NodeContextOptions {
  readonly node: string;
  /** The machine itself, without a line. */
  readonly host: NodeHost;
  readonly kubeletConfiguration?: KubeletConfiguration | undefined;
  /** @throws Error when the cluster was created without the component */
  readonly component: <K extends 'probeManager' | 'imageManager' | 'volumeManager'>(part: K) => Components[K];
}

/**
 * Returns the context of a process, with the additional fields for a node component. The machine is behind the
 * process's line: each call takes time, appears in the trace, and is lost when the process crashes.
 */
export function nodeContext(
  context: ProcessContext,
  { node, host, kubeletConfiguration, component }: NodeContextOptions,
): NodeComponentContext {
  const { clock, random, recorder, client, signal, line } = context;
  const near = hostThroughLine(host, line);
  const { runtime, images, network, files, csi } = near;
  return {
    ...context,
    node,
    host: near,
    ...(kubeletConfiguration && { kubeletConfiguration }),
    newProbeManager: (options) =>
      component('probeManager')({
        ...options,
        clock,
        random: random.fork('probes'),
        recorder,
        signal,
        runtime,
        network,
      }),
    newImageManager: (options) =>
      component('imageManager')({ ...options, clock, recorder, node, signal, images, runtime, files }),
    newVolumeManager: (options) =>
      component('volumeManager')({ ...options, client, clock, recorder, node, signal, files, csi }),
  };
}

/**
 * Wraps a machine for a process on it. Faults and traces use the port names `cri`, `net`, `tools`, `fs`, `host`
 * and `csi`.
 */
function hostThroughLine(host: NodeHost, line: ProcessContext['line']): NodeHost {
  return {
    ip: host.ip,
    runtime: throughLine(host.runtime, line, {
      port: 'cri',
      reads: [
        'version',
        'status',
        'podSandboxStatus',
        'listPodSandbox',
        'listContainers',
        'containerStatus',
        'listContainerStats',
      ],
      objectOf,
    }),
    images: throughLine(host.images, line, {
      port: 'cri',
      reads: ['listImages', 'imageStatus', 'imageFsInfo'],
      objectOf,
    }),
    network: throughLine(host.network, line, {
      port: 'net',
      reads: ['request', 'connect', 'healthCheck'],
      objectOf,
    }),
    files: throughLine(host.files, line, {
      port: 'fs',
      reads: ['readFile', 'readBytes', 'readdir', 'readlink', 'realpath', 'stat', 'lstat', 'mounts', 'usage'],
      objectOf,
    }),
    tools: throughLine(host.tools, line, { port: 'tools', objectOf: commandOf }),
    stats: throughLine(host.stats, line, { port: 'host', reads: ['info', 'usage'] }),
    csi: new Map(
      Array.from(host.csi, ([name, driver]) => [
        name,
        throughLine(driver, line, { port: 'csi', reads: ['nodeGetCapabilities'], objectOf }),
      ]),
    ),
  };
}

function commandOf(_: string, [argv]: readonly unknown[]): string {
  return (argv as readonly string[]).join(' ');
}

/** Returns the subject of a call: an id or path, or the name in a configuration or request. */
function objectOf(_: string, args: readonly unknown[]): string {
  const texts = args
    .map((arg) => (typeof arg === 'string' ? arg : nameIn(arg)))
    .filter((text) => text !== '');
  return texts.slice(0, 2).join(' ');
}

function nameIn(arg: unknown): string {
  if (typeof arg !== 'object' || arg === null) return '';
  const {
    metadata,
    image,
    host,
    port,
    path = '',
    volumeId,
  } = arg as {
    readonly metadata?: { readonly namespace?: string; readonly name?: string };
    readonly image?: unknown;
    readonly host?: string;
    readonly port?: number;
    readonly path?: string;
    readonly volumeId?: string;
  };
  if (metadata?.name) return [metadata.namespace, metadata.name].filter(Boolean).join('/');
  if (typeof image === 'string') return image;
  if (host) return `${host}:${port}${path}`;
  return volumeId ?? '';
}
