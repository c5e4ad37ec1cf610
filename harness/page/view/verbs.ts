import type { Client } from '../../contracts/client.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { Message } from '../protocol/message.ts';

/** Every verb of the {@link Client}; the compiler checks that none is missing. */
const requests: Readonly<Record<keyof Client, true>> = {
  get: true,
  list: true,
  watch: true,
  create: true,
  update: true,
  updateStatus: true,
  patch: true,
  delete: true,
  deleteCollection: true,
  bind: true,
  evict: true,
  updateEphemeralContainers: true,
  updateApproval: true,
  createToken: true,
  finalize: true,
  getScale: true,
  updateScale: true,
};

/** The verbs of requests to an apiserver. */
export const requestVerbs: ReadonlySet<string> = new Set(Object.keys(requests));

/** The events of a watch, and its ends. */
export const eventVerbs: ReadonlySet<string> = new Set([
  'ADDED',
  'MODIFIED',
  'DELETED',
  'BOOKMARK',
  'ERROR',
  'cut',
  'end',
]);

/** The probes of a kubelet. Commands in containers are probes, too, but hooks look the same. */
const probeVerbs: ReadonlySet<string> = new Set(['request', 'connect', 'healthCheck']);

/** Events of one process. */
const noteVerbs: ReadonlySet<string> = new Set(['start', 'crash', 'exit', 'log', 'error', 'explain', 'heal']);

/** The calls on a node that only read, or that the network plugins make for each of their runs. */
const readCalls: ReadonlySet<string> = new Set([
  'version',
  'status',
  'podSandboxStatus',
  'listPodSandbox',
  'listContainers',
  'containerStatus',
  'listContainerStats',
  'listImages',
  'imageStatus',
  'imageFsInfo',
  'readFile',
  'readBytes',
  'readdir',
  'readlink',
  'realpath',
  'stat',
  'lstat',
  'mounts',
  'usage',
  'info',
  'check',
  'nodeGetCapabilities',
]);

/** Calls that write files. They are steps of a network plugin, or of the mount of a volume. */
const fileCalls: ReadonlySet<string> = new Set([
  'mkdir',
  'mkdirAll',
  'writeFile',
  'symlink',
  'link',
  'rename',
  'removeAll',
  'fsync',
  'flock',
  'unlock',
]);

/** Commands of the network tools that only read. */
const readCommand =
  /^(?:ip6?tables(?:-save| .*-[CS] )|ip6?tables-save|(?:ip|bridge) .*\b(?:show|list|get)\b|sysctl -n)/;

/** Returns the kind of message that an entry of a trace is. */
export function kindOf({ actor, verb }: TraceEntry): Exclude<Message['kind'], 'packet'> {
  if (actor === 'nemesis') return 'fault';
  if (noteVerbs.has(verb)) return 'note';
  if (requestVerbs.has(verb)) return 'request';
  if (eventVerbs.has(verb)) return 'event';
  return probeVerbs.has(verb) ? 'probe' : 'call';
}

/** Returns whether a call only reads, or is a step of another call. */
export function isStep({ verb, object = '', outcome }: TraceEntry): boolean {
  if (readCalls.has(verb)) return true;
  if (verb === 'run' && readCommand.test(object)) return true;
  return fileCalls.has(verb) && outcome === 'ok';
}
