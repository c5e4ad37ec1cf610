import type { Client } from '../../contracts/client.ts';

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
export const probeVerbs: ReadonlySet<string> = new Set(['request', 'connect', 'healthCheck']);

/** Events of one process. */
export const noteVerbs: ReadonlySet<string> = new Set([
  'start',
  'crash',
  'exit',
  'log',
  'error',
  'explain',
  'heal',
]);

/** The calls on a node that only read, or that the network plugins make for each of their runs. */
export const readCalls: ReadonlySet<string> = new Set([
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
export const fileCalls: ReadonlySet<string> = new Set([
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
export const readCommand =
  /^(?:ip6?tables(?:-save| .*-S )|ip6?tables-save|(?:ip|bridge) .*\b(?:show|list|get)\b|sysctl -n)/;
