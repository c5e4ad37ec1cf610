import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Guard } from '../../apiserver/handler/guard.ts';
import { createHandler } from '../../apiserver/handler/handler.ts';
import { createUpgradeHandler } from '../../apiserver/handler/upgrade.ts';
import type { Connection } from '../../client/connection.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { runMetricsServer } from '../../cluster/metrics-server/metrics-server.ts';
import { kubeletServers } from '../../cluster/nodes/kubelet-servers.ts';
import { podNetwork } from '../../cluster/nodes/pod-network.ts';
import { createWholeCluster } from '../../cluster/whole-cluster.ts';
import type { Impersonation, User } from '../../contracts/access/index.ts';
import type { Client } from '../../contracts/client.ts';
import type { Components } from '../../contracts/component.ts';
import { RequestClient, sendTo } from '../../contracts/request-client.ts';
import { listen } from '../../mount/node.ts';
import { realClock } from '../../mount/real-clock.ts';
import { ADMIN } from '../../serving/cluster-pki.ts';
import { type Kubectl, newKubectl } from './kubectl.ts';

/** The output and the exit code of a command. */
export interface Output {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** One row of the comparison. */
export interface Row {
  readonly line: string;
  /** How the texts are made comparable. @defaultValue they are compared as they are */
  readonly normalise?: (text: string) => string;
  /**
   * When time begins to pass for a command that waits: with its first request that begins with this. @defaultValue no
   * time passes
   */
  readonly waits?: string;
  /** Virtual ms that pass before the command. @defaultValue 0 */
  readonly afterMs?: number;
  /** Whether the command is interrupted, once the cluster has done this much, in ms. */
  readonly interruptedAfterMs?: number;
}

/** The virtual time between two looks at a waiting process. */
const STEP_MS = 20;
/** The longest time that a command may wait, in virtual ms. */
const WAIT_MS_MAX = 600_000;
/** describe computes ages with the clock of the machine, and no time of the cluster may be in its future. */
const BEFORE_MS = 6 * 3_600_000;

/** The token of the administrator. */
const TOKEN = 'admin-token';
const ADMINISTRATOR = { ...ADMIN, groups: [...ADMIN.groups, 'system:authenticated'] };

interface Twin {
  readonly cluster: Cluster;
  readonly metrics: Client;
}

/**
 * Two equal clusters in virtual time: a real kubectl talks to one over HTTP, and the kubectl of the page to the other.
 * Time passes only while a command waits.
 */
export class Twins implements AsyncDisposable {
  readonly #real: Twin;
  readonly #ours: Twin;
  readonly #kubectl: Kubectl;
  readonly #files: Readonly<Record<string, string>>;
  readonly #requests: string[] = [];
  #home = '';
  #writes = false;
  #turn: Promise<unknown> = Promise.resolve();
  #close: () => Promise<void> = async () => {};

  private constructor(real: Twin, ours: Twin, files: Readonly<Record<string, string>>) {
    this.#real = real;
    this.#ours = ours;
    this.#files = files;
    const { cluster, metrics } = ours;
    cluster.connect('kubectl');
    const userOf = (impersonates?: Impersonation) => cluster.userOf('kubectl', impersonates);
    this.#kubectl = newKubectl({ cluster, userOf, metrics });
  }

  static async of(components: Partial<Components>, files: Readonly<Record<string, string>>): Promise<Twins> {
    const startMs = Math.floor((realClock.now() - BEFORE_MS) / 1_000) * 1_000;
    const twin = async (): Promise<Twin & { readonly api: ReturnType<typeof runMetricsServer>['api'] }> => {
      const { cluster } = await createWholeCluster({
        startMs,
        seed: 1,
        components,
        nodes: 2,
        trackOnCreate: true,
        secured: true,
        accessConfiguration: { staticTokens: new Map([[TOKEN, ADMINISTRATOR]]) },
      });
      const { api } = runMetricsServer(cluster, kubeletServers(cluster));
      await cluster.runFor(60_000);
      return { cluster, metrics: api.client, api };
    };
    const real = await twin();
    const twins = new Twins(real, await twin(), files);
    await twins.#serve(real.api);
    return twins;
  }

  async #serve(api: ReturnType<typeof runMetricsServer>['api']): Promise<void> {
    const { cluster } = this.#real;
    const { server: apiserver } = cluster.replica();
    const { access } = apiserver;
    if (!access) throw new Error('Failed to serve the cluster: it asks nobody.');
    const connection = cluster.connect('kubectl');
    const guard = new Guard({ access, clientOf: (user) => this.#clientOf(user, connection) });
    const kubelets = kubeletServers(cluster);
    const clock = cluster.clock;
    const handler = createHandler(apiserver, {
      kubelets,
      podNetwork: podNetwork(cluster),
      aggregated: [api],
      clock,
      guard,
    });
    /** Notes a request, and adds the token: kubectl sends none without TLS. */
    const received = (request: Request): Request => {
      const { pathname, search } = new URL(request.url);
      this.#requests.push(`${request.method} ${pathname}${search}`);
      request.headers.set('authorization', `Bearer ${TOKEN}`);
      return request;
    };
    const upgrade = createUpgradeHandler(apiserver, { kubelets, watch: handler, guard });
    const server = await listen(async (request) => handler(received(request)), {
      upgrade: async (request) => upgrade(received(request)),
    });
    this.#home = await mkdtemp(path.join(tmpdir(), 'page-kubectl-'));
    await writeFile(path.join(this.#home, 'config'), kubeconfig(server.url));
    for (const [name, text] of Object.entries(this.#files))
      await writeFile(path.join(this.#home, name), text);
    this.#close = () => server.close();
  }

  /**
   * Returns a client that takes as much time as the kubectl of the page, so that both clusters have the same run. A
   * command that writes uses a connection with latency. Its requests to wait for a change take no time.
   */
  #clientOf(user: User, connection: Connection): Client {
    const { cluster } = this.#real;
    // The guard has authorized the request.
    const session = cluster.replica().server.authorized(user);
    const direct = sendTo(session);
    const connected = sendTo(connection.to(() => session));
    return new RequestClient(async (request) => {
      const { fieldSelector = '' } = request.options as { readonly fieldSelector?: string };
      const isWait = request.verb === 'watch' || fieldSelector.startsWith('metadata.name=');
      if (!this.#writes || isWait) return direct(request);
      return this.#inTurn(() => cluster.settle(connected(request)));
    });
  }

  /** Only one caller at a time lets time pass. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Runs a line in both, and lets as much time pass in one as in the other. */
  async run(row: Row): Promise<{ readonly real: Output; readonly ours: Output }> {
    const { line, normalise = (text: string) => text, afterMs = 0 } = row;
    await this.#real.cluster.runFor(afterMs);
    await this.#ours.cluster.runFor(afterMs);
    const shown = ({ code, out, err }: Output): Output => ({
      code,
      out: normalise(out),
      err: normalise(err),
    });
    const real = await this.#runReal(row);
    const ours = await this.#runOurs(line, row);
    await this.#align();
    return { real: shown(real), ours: shown(ours) };
  }

  async #runReal({ line, waits, interruptedAfterMs }: Row): Promise<Output> {
    this.#requests.length = 0;
    this.#writes = !this.#kubectl.onlyReads(line);
    const child = spawn('sh', ['-c', `exec ${/^(kubectl|curl) /.test(line) ? line : `kubectl ${line}`}`], {
      cwd: this.#home,
      env: {
        PATH: process.env.PATH,
        GOGC: 'off',
        HOME: this.#home,
        KUBECONFIG: path.join(this.#home, 'config'),
        TZ: 'UTC',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = output(child);
    if (waits === undefined) return ended;
    let isOver = false;
    ended.then(() => {
      isOver = true;
    });
    const { cluster } = this.#real;
    let passedMs = 0;
    while (!isOver) {
      await turn();
      if (!this.#requests.some((request) => request.includes(waits))) continue;
      await this.#inTurn(() => cluster.runFor(STEP_MS));
      passedMs += STEP_MS;
      if (passedMs > WAIT_MS_MAX) child.kill();
      if (interruptedAfterMs !== undefined && passedMs >= interruptedAfterMs) {
        for (let turns = 0; turns < 50; turns++) await turn();
        child.kill('SIGINT');
      }
    }
    return ended;
  }

  async #runOurs(line: string, { interruptedAfterMs }: Row): Promise<Output> {
    const controller = new AbortController();
    let [out, err] = ['', ''];
    const { cluster } = this.#ours;
    let code: number | undefined;
    const running = this.#kubectl.run(line, {
      files: this.#files,
      input: (async function* () {})(),
      signal: controller.signal,
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
    });
    running.then((result) => {
      code = result;
    });
    if (interruptedAfterMs !== undefined) {
      await cluster.runFor(interruptedAfterMs);
      controller.abort();
    }
    await cluster.runUntil(() => code !== undefined, WAIT_MS_MAX);
    return { code: code ?? -1, out, err };
  }

  async #align(): Promise<void> {
    const [real, ours] = [this.#real.cluster, this.#ours.cluster];
    const untilMs = Math.ceil(Math.max(real.sim.elapsedMs, ours.sim.elapsedMs) / 1_000) * 1_000;
    await real.runFor(untilMs - real.sim.elapsedMs);
    await ours.runFor(untilMs - ours.sim.elapsedMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    await this.#real.cluster[Symbol.asyncDispose]();
    await this.#ours.cluster[Symbol.asyncDispose]();
    await rm(this.#home, { recursive: true });
  }
}

/** Lets the process write and the server read. */
function turn(): Promise<void> {
  return realClock.sleep(1);
}

async function output(child: ChildProcess): Promise<Output> {
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 130));
  });
  return { code, out, err };
}

function kubeconfig(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'page', cluster: { server } }],
    users: [{ name: 'kubernetes-admin', user: {} }],
    contexts: [{ name: 'page', context: { cluster: 'page', user: 'kubernetes-admin' } }],
    'current-context': 'page',
  });
}
