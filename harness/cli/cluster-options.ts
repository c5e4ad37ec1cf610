import { isIP } from 'node:net';
import { Failure } from './failure.ts';
import { numberOption, typedOptions } from './typed-options.ts';

/** Options of `npm run cluster --`, parsed. */
export interface ClusterCommandOptions {
  /** Whether the apiserver runs alone, without controllers and nodes. */
  readonly alone: boolean;
  readonly host: string;
  /** The port; 0 means any free port. */
  readonly port: number;
  readonly http: boolean;
  readonly nodes: number;
  readonly speed: number;
  readonly mine: boolean;
  /** Whether a stand-in takes the place of images that the registries do not have. */
  readonly anyImage: boolean;
  readonly trace: boolean;
  /** Path of the kubeconfig to write; undefined means a file in the workbook. */
  readonly kubeconfig: string | undefined;
  readonly save: string | undefined;
  readonly load: string | undefined;
  /** The file of the static tokens. */
  readonly tokenAuthFile: string | undefined;
  /** Undefined: the objects are in memory. */
  readonly etcd: EtcdWords | undefined;
}

/** The address of an etcd, and the names of the files for its certificates. */
interface EtcdWords {
  readonly url: string;
  readonly cafile: string | undefined;
  readonly certfile: string | undefined;
  readonly keyfile: string | undefined;
}

/** Each further node costs about a tenth of a core in real time. */
const NODES_MAX = 100;

/**
 * Parses the options of `npm run cluster --`.
 *
 * @throws Failure with the reason and the options that exist
 */
export function clusterOptions(words: readonly string[]): ClusterCommandOptions {
  const values = typedOptions(words, OPTIONS, misused);
  const host = values.host ?? '127.0.0.1';
  if (!isLoopback(host) && !values['allow-remote']) {
    throw fail(
      `--host ${host} is reachable from other machines`,
      'Leave --host out, or add --allow-remote to accept this.',
    );
  }
  return {
    alone: values.alone ?? false,
    host,
    port: numberOption('port', values.port, { fallback: 0, min: 0, max: 65_535, whole: true }, misused),
    http: values.http ?? false,
    nodes: numberOption('nodes', values.nodes, { fallback: 3, min: 1, max: NODES_MAX, whole: true }, misused),
    speed: numberOption(
      'speed',
      values.speed,
      { fallback: 1, min: 0.001, max: 1_000, whole: false },
      misused,
    ),
    mine: values.mine ?? false,
    anyImage: values['any-image'] ?? false,
    trace: values.trace ?? false,
    kubeconfig: values.kubeconfig,
    save: values.save,
    load: values.load,
    tokenAuthFile: values['token-auth-file'],
    etcd: etcdWords(values),
  };
}

function etcdWords(values: ReturnType<typeof typedOptions<typeof OPTIONS>>): EtcdWords | undefined {
  const { etcd: url, 'etcd-cafile': cafile, 'etcd-certfile': certfile, 'etcd-keyfile': keyfile } = values;
  if (url === undefined) return undefined;
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw fail(`--etcd ${url} is not an address`, 'Name the address of etcd: --etcd http://127.0.0.1:2379.');
  }
  if (values.load !== undefined) {
    throw fail('--etcd and --load both name the objects', 'Leave one of them out.');
  }
  return { url, cafile, certfile, keyfile };
}

const OPTIONS = {
  alone: { type: 'boolean' },
  host: { type: 'string' },
  'allow-remote': { type: 'boolean' },
  port: { type: 'string' },
  http: { type: 'boolean' },
  nodes: { type: 'string' },
  speed: { type: 'string' },
  mine: { type: 'boolean' },
  'any-image': { type: 'boolean' },
  trace: { type: 'boolean' },
  kubeconfig: { type: 'string' },
  save: { type: 'string' },
  load: { type: 'string' },
  'token-auth-file': { type: 'string' },
  etcd: { type: 'string' },
  'etcd-cafile': { type: 'string' },
  'etcd-certfile': { type: 'string' },
  'etcd-keyfile': { type: 'string' },
} as const;

const USAGE =
  'Type npm run cluster, with -- before any of: --mine, --any-image, --trace, --nodes 3, --speed 10, --port 6443, --http, ' +
  '--kubeconfig FILE, --save FILE, --load FILE, --etcd URL, --token-auth-file FILE, --host 127.0.0.1. npm run cluster -- --help explains them.';

/** The usage of `npm run cluster`. */
export const CLUSTER_HELP: readonly string[] = [
  'npm run cluster -- [options]      runs a cluster for a real kubectl, until Ctrl-C',
  'npm run apiserver -- [options]    runs an apiserver alone',
  '',
  '  --mine               runs your components',
  '  --any-image          runs a stand-in for images that the registries here do not have',
  '  --trace              prints what happens, as it happens',
  '  --speed 10           makes time pass ten times as fast; kubectl then shows some ages as <invalid>',
  '  --nodes 5            sets the number of nodes',
  '  --port 6443          sets the port; any free port by default',
  '  --http               serves HTTP instead of HTTPS, for clients other than kubectl, which sends no token without TLS',
  '  --host 127.0.0.1     sets the address; --allow-remote permits one that other machines reach',
  '  --kubeconfig FILE    writes the kubeconfig there',
  '  --save FILE          saves the state of the cluster and its keys when it ends',
  '  --load FILE          starts with a saved state',
  '  --etcd URL           keeps the objects in an etcd, and continues with those that are there: http://127.0.0.1:2379;',
  '                       --etcd-cafile, --etcd-certfile and --etcd-keyfile name the files for its TLS',
  '  --token-auth-file FILE  accepts the tokens of a file: token,user,uid,"group1,group2" in each line',
];

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

const fail = (why: string, next: string): Failure => new Failure('start the cluster', why, next);
const misused = (why: string): Failure => fail(why, USAGE);
