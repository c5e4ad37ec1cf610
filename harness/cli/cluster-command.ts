import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Cluster, type ClusterOptions, createCluster } from '../cluster/cluster.ts';
import { runCertificateControllers } from '../cluster/controllers/certificates/index.ts';
import { runMetricsServer } from '../cluster/metrics-server/metrics-server.ts';
import { kubeletServers } from '../cluster/nodes/kubelet-servers.ts';
import type { Process } from '../cluster/process.ts';
import { securedBy } from '../cluster/secured.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { User } from '../contracts/access/index.ts';
import type { Components } from '../contracts/component.ts';
import { realClock } from '../mount/real-clock.ts';
import type { KeyPair } from '../mount/tls.ts';
import { ADMIN, ClusterPki } from '../serving/cluster-pki.ts';
import { kubeconfig } from '../serving/kubeconfig.ts';
import { AS_SERVED, serveCluster } from '../serving/serve-cluster.ts';
import { writeWhole } from '../workbook/whole-file.ts';
import { CLUSTER_HELP, type ClusterCommandOptions, clusterOptions } from './cluster-options.ts';
import { clusterTrace, traced } from './cluster-trace.ts';
import type { Paint } from './colours.ts';
import { clusterInEtcd, type EtcdOption } from './etcd-option.ts';
import { Failure, type Terminal } from './failure.ts';
import { asksForHelp } from './help.ts';
import { tellingHotWrites } from './hot-writes.ts';
import { registriesFor } from './images.ts';
import { firstMissingEffects, tellingMissingEffects } from './inert-kinds.ts';
import { blamingMine, type Mine, mine, ownStore, sayWhose } from './mine.ts';
import { describe, OwnFailures, tellingRejections } from './own-failures.ts';
import { reloading } from './reloading.ts';
import { restarting } from './restarting.ts';
import { loadFrom, mustBeSaveable, type NamedFile, saveTo } from './saved-file.ts';
import type { Stops } from './stops.ts';
import { tokensFrom } from './token-file.ts';

interface RunClusterOptions {
  /** The workbook's folder. */
  readonly root: string;
  /** The folder that relative file names refer to. */
  readonly cwd: string;
  readonly components: Partial<Components>;
  readonly terminal: Terminal;
  readonly paint: Paint;
  readonly stops: Stops;
}

/**
 * Runs a cluster for a real kubectl, in real time, until the user stops it. Prints the path of its kubeconfig.
 *
 * @param words the typed options: see {@link clusterOptions}
 * @throws Failure when the cluster cannot start, or when the learner's components broke it
 */
export async function runCluster(words: readonly string[], given: RunClusterOptions): Promise<void> {
  const { root, cwd, components, terminal, paint, stops } = given;
  if (asksForHelp(words)) return terminal.print(CLUSTER_HELP.join('\n'));
  const options = clusterOptions(words);
  const named = (name: string): NamedFile => ({ file: path.resolve(cwd, name), name });
  const target = options.save === undefined ? undefined : named(options.save);
  if (target) mustBeSaveable(target);
  const own = options.mine
    ? await mine({ root, reference: components, onStandIn: (line) => terminal.print(line) })
    : undefined;
  const nowMs = realClock.now();
  const loaded = options.load === undefined ? undefined : await loadFrom(named(options.load), nowMs);
  using etcd = options.etcd && (await clusterInEtcd(etcdOption(options.etcd, named), nowMs));
  const pki = etcd?.pki ?? loaded?.pki ?? ClusterPki.create(nowMs);
  const tls = options.http ? undefined : pki.serving(hostsOf(options.host), nowMs);
  // A certificate needs TLS.
  const user = options.http ? { token: randomBytes(16).toString('hex') } : pki.admin(nowMs);
  const staticTokens = new Map<string, User>([
    ...(options.tokenAuthFile === undefined ? [] : await tokensFrom(named(options.tokenAuthFile))),
    ...('token' in user ? [[user.token, ADMIN] as const] : []),
  ]);
  const complain = (line: string): void => terminal.complain(line);
  const failures = own && new OwnFailures({ root, own, tell: complain });
  let lastComplaint = '';
  const { cluster, processes } = await newCluster(options, {
    components: own?.components ?? components,
    ...(loaded && { saved: loaded.objects }),
    ca: pki.authority.pem,
    tokenKey: pki.tokenKey,
    accessConfiguration: { staticTokens },
    store: etcd?.store ?? (own && ownStore(own)),
    onError: (process, error) => {
      if (!etcd || process !== 'etcd') return failures?.note(process, error);
      const line = `etcd does not answer: ${(error as Error).message}`;
      // Each request would repeat it.
      if (line !== lastComplaint) complain(line);
      lastComplaint = line;
    },
    registry: registriesFor({ anyImage: options.anyImage, tell: (line) => terminal.print(line) }),
  });
  await using _cluster = cluster;
  const further = options.alone ? [] : runCertificateControllers(cluster, pki.authority);
  const metrics = options.alone ? [] : [runMetricsServer(cluster, kubeletServers(cluster))];
  restarting(cluster, [...processes, ...further, ...metrics.map(({ process }) => process)], {
    tell: complain,
    describe: own && ((error) => describe(root, error)),
  });
  const tellLoaded = (line: string): void => {
    failures?.forget();
    terminal.print(line);
  };
  if (!options.alone) tellingMissingEffects(cluster, complain);
  if (own?.files.size) tellingHotWrites(cluster, complain);
  using _caught = failures?.watchCaught();
  using _rejections = own && tellingRejections(root, complain);
  using _reloading = own && reloading({ root, own, cluster, processes, tell: tellLoaded, complain });

  const print = (line: string): void => terminal.print(line);
  const { host, port, speed } = options;
  const opening = serveCluster(cluster, {
    ...{ host, port, speed },
    aggregated: metrics.map(({ api }) => api),
    callsRealWebhooks: true,
    ...(options.alone ? {} : { warningAbout: firstMissingEffects() }),
    ...(tls ? { tls } : {}),
    ...(options.trace ? { around: (handler) => traced(handler, cluster, print) } : {}),
  });
  await using serving = await opened(opening, options);
  if (options.trace) clusterTrace(cluster, { paint, print });

  const file = options.kubeconfig
    ? path.resolve(cwd, options.kubeconfig)
    : path.join(root, '.cluster', 'kubeconfig');
  write(file, kubeconfig({ server: serving.url, user, ...(tls ? { ca: tls.ca } : {}) }));
  for (const line of greeting({ url: serving.url, file, user, options, own })) terminal.print(line);

  const running = Promise.race([stops.next(), serving.time.ended]);
  const broken = await (own ? blamingMine(own, () => running) : running).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const failure =
    target && (await saveTo(target, { storage: cluster.storage, pki: pki.saved, stops, terminal }));
  stops.close();
  if (broken && failure) terminal.complain(failure.message);
  if (broken) throw broken.error;
  if (failure) throw failure;
}

type Given = Pick<
  ClusterOptions,
  'components' | 'saved' | 'store' | 'onError' | 'registry' | 'tokenKey' | 'accessConfiguration'
> & { readonly ca: string };

async function newCluster(
  { alone, nodes }: ClusterCommandOptions,
  { components = {}, ca, ...given }: Given,
): Promise<{ readonly cluster: Cluster; readonly processes: readonly Process[] }> {
  const startMs = realClock.now();
  const common: ClusterOptions = {
    startMs,
    seed: startMs,
    ...AS_SERVED,
    ...given,
  };
  if (!alone) return createWholeCluster({ ...common, components, nodes, secured: true, ca });
  return { cluster: await createCluster({ ...common, ...securedBy(components) }), processes: [] };
}

const etcdOption = (
  { url, cafile, certfile, keyfile }: NonNullable<ClusterCommandOptions['etcd']>,
  named: (name: string) => NamedFile,
): EtcdOption => ({
  url,
  ca: cafile === undefined ? undefined : named(cafile),
  cert: certfile === undefined ? undefined : named(certfile),
  key: keyfile === undefined ? undefined : named(keyfile),
});

const hostsOf = (host: string): readonly string[] => [...new Set(['localhost', '127.0.0.1', '::1', host])];

interface Greeting {
  readonly url: string;
  readonly file: string;
  readonly user: KeyPair | { readonly token: string };
  readonly options: ClusterCommandOptions;
  readonly own: Mine | undefined;
}

function greeting({ url, file, user, options, own }: Greeting): readonly string[] {
  const { alone, nodes, speed, save, etcd } = options;
  const what = alone ? 'An apiserver' : `A cluster of ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`;
  const pace =
    speed === 1
      ? ''
      : ` One second here is ${speed} s in the cluster, so kubectl shows some ages as <invalid>.`;
  const kept = save === undefined ? 'is lost then' : `is saved to ${save} then`;
  const state = etcd ? `Its objects are in etcd at ${etcd.url}.` : `Its state is in memory, and ${kept}.`;
  return [
    `${what} listens at ${url} until you press Ctrl-C. ${state}${pace}`,
    ...(own ? sayWhose(own) : []),
    ...(own?.files.size
      ? ['When you save one of your files, it is reloaded, and the processes that use it restart.']
      : []),
    '',
    `  export KUBECONFIG=${file}`,
    ...('token' in user
      ? [`  curl -H 'Authorization: Bearer ${user.token}' ${url}/api/v1/namespaces`]
      : [alone ? '  kubectl api-resources' : '  kubectl apply -f docs/web.yaml && kubectl get pods -w']),
    '',
  ];
}

function write(file: string, text: string): void {
  try {
    writeWhole(file, text, { mode: 0o600 });
  } catch (error) {
    throw new Failure(`write ${file}`, (error as Error).message, 'Name a file that you can write.');
  }
}

async function opened<T>(listening: Promise<T>, { host, port }: ClusterCommandOptions): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? `port ${port} is in use` : message;
    throw new Failure(
      `listen at ${host}`,
      why,
      'Name another port, or leave out --port to use any free port.',
    );
  }
}
