import type { DnsMessage, DnsQuestion, DnsRecord, KubernetesDns } from '../../../contracts/index.ts';
import type { Random } from '../../../sim/index.ts';
import { flagValue } from '../flags.ts';
import { forever } from '../pause.ts';
import type { Process, Program } from '../program.ts';
import { decodeQuestion, encodeDns } from '../resolver/messages.ts';
import { type Corefile, type KubernetesStanza, parseCorefile } from './corefile.ts';
import { forward, serversOf } from './forward.ts';

/**
 * Starts the plugin `kubernetes` in a process. It ends with the process.
 *
 * @param lookup - answers a question with all plugins of this name server
 */
export type StartKubernetesDns = (
  process: Process,
  stanza: KubernetesStanza,
  lookup: (question: DnsQuestion) => Promise<DnsMessage>,
) => KubernetesDns;

/**
 * How long CoreDNS waits for its first sync before it answers anyway. Upstream: coredns/coredns@v1.14.2
 * plugin/kubernetes/kubernetes.go InitKubeCache
 */
const STARTUP_TIMEOUT_MS = 5_000;
const SYNC_CHECK_MS = 100;
/** Upstream: coredns/coredns@v1.14.2 plugin/health/setup.go, plugin/ready/setup.go */
const HEALTH_PORT = 8080;
/** The CPU time of one question. */
const QUESTION_CPU_MS = 0.1;
const READY_PORT = 8181;

/**
 * CoreDNS: `coredns -conf /etc/coredns/Corefile`. It answers from the cluster, and forwards all other questions.
 *
 * Differs: over TCP it accepts connections, but never answers.
 *
 * Upstream: coredns/coredns@v1.14.2 coremain/run.go Run, core/dnsserver/server.go ServeDNS
 */
export function coredns(startKubernetes: StartKubernetesDns): Program {
  return async (process) => {
    const { files, stdout, argv } = process;
    process.useMemory(18 * 1024 ** 2);
    process.useCpu(2);
    let corefile: Corefile;
    let servers: readonly string[];
    try {
      corefile = parseCorefile(await files.readFile(flagValue(argv, '-conf') ?? '/Corefile'));
      servers = corefile.forward.length > 0 ? await serversOf(corefile.forward, process) : [];
    } catch (error) {
      stdout(`${error instanceof Error ? error.message : String(error)}\n`);
      return 1;
    }
    const { kubernetes: stanza, port } = corefile;
    const server = new Server(process, { servers, shuffles: corefile.loadbalance });
    if (stanza) server.kubernetes = startKubernetes(process, stanza, (question) => server.answer(question));
    listenForProbes(process, corefile, server);
    endGracefully(process, corefile.lameduckMs ?? 0);
    await server.waitForSync();
    process.listenUdp(port, async ({ payload }) => {
      process.spendCpu(QUESTION_CPU_MS);
      const question = decodeQuestion(payload);
      return question && encodeDns(await server.answer(question));
    });
    process.listen(port, {});
    stdout(`.:${port}\nCoreDNS-1.14.2\nlinux/amd64\n`);
    if (corefile.loop && servers.length > 0) await server.lookForItself();
    return forever();
  };
}

/** The plugins of a server, in order. */
class Server {
  kubernetes: KubernetesDns | undefined;
  readonly #process: Process;
  readonly #servers: readonly string[];
  readonly #shuffles: boolean;
  /** A random name that no client asks for. Upstream: coredns/coredns@v1.14.2 plugin/loop/setup.go qname */
  readonly #probe: string;
  #probesSeen = 0;

  constructor(process: Process, of: { readonly servers: readonly string[]; readonly shuffles: boolean }) {
    this.#process = process;
    this.#servers = of.servers;
    this.#shuffles = of.shuffles;
    this.#probe = `${process.random.int(2 ** 31)}.${process.random.int(2 ** 31)}.`;
  }

  async answer(question: DnsQuestion): Promise<DnsMessage> {
    if (question.name === this.#probe) this.#sawItself();
    const answer =
      (await this.kubernetes?.answer(question)) ?? (await forward(question, this.#servers, this.#process));
    return this.#shuffles ? { ...answer, answer: shuffled(answer.answer, this.#process.random) } : answer;
  }

  get isReady(): boolean {
    return this.kubernetes?.hasSynced() ?? true;
  }

  async waitForSync(): Promise<void> {
    const { clock, stdout } = this.#process;
    for (let waitedMs = 0; !this.isReady; waitedMs += SYNC_CHECK_MS) {
      if (waitedMs >= STARTUP_TIMEOUT_MS) {
        stdout('[WARNING] plugin/kubernetes: starting server with unsynced Kubernetes API\n');
        return;
      }
      if (waitedMs % 500 === 400)
        stdout('[INFO] plugin/kubernetes: waiting for Kubernetes API before starting server\n');
      await clock.sleep(SYNC_CHECK_MS);
    }
  }

  /**
   * Forwards a question with a random name. If the question comes back, the servers form a loop, and every question
   * would circulate forever.
   */
  async lookForItself(): Promise<void> {
    await forward({ name: this.#probe, type: 'HINFO' }, this.#servers, this.#process);
  }

  #sawItself(): void {
    this.#probesSeen++;
    if (this.#probesSeen <= PROBES_MAX) return;
    this.#process.stdout(
      `[FATAL] plugin/loop: Loop (127.0.0.1 -> :53) detected for zone ".", see https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO ${this.#probe}"\n`,
    );
    this.#process.exit(1);
  }
}

/** Upstream: coredns/coredns@v1.14.2 plugin/loop/loop.go ServeDNS */
const PROBES_MAX = 2;

/**
 * Returns the records with the addresses in random order, after the aliases. Upstream: coredns/coredns@v1.14.2
 * plugin/loadbalance/loadbalance.go roundRobin
 */
function shuffled(records: readonly DnsRecord[], random: Random): readonly DnsRecord[] {
  const addresses = records.filter((record) => 'address' in record);
  const mixed: DnsRecord[] = [];
  while (addresses.length > 0) mixed.push(...addresses.splice(random.int(addresses.length), 1));
  return [...records.filter((record) => !('address' in record)), ...mixed];
}

/** Upstream: coredns/coredns@v1.14.2 plugin/ready/ready.go, plugin/health/health.go */
function listenForProbes(process: Process, { ready, lameduckMs }: Corefile, server: Server): void {
  if (ready) {
    process.listen(READY_PORT, {
      http: ({ path }) => {
        if (path !== '/ready') return { status: 404, headers: {}, body: '404 page not found\n' };
        return server.isReady
          ? { status: 200, headers: {}, body: 'OK' }
          : { status: 503, headers: {}, body: 'kubernetes' };
      },
    });
  }
  if (lameduckMs === undefined) return;
  process.listen(HEALTH_PORT, {
    http: ({ path }) =>
      path === '/health'
        ? { status: 200, headers: {}, body: 'OK' }
        : { status: 404, headers: {}, body: '404 page not found\n' },
  });
}

/**
 * On SIGTERM or SIGINT, continues to answer for a while, because some clients do not know yet that this server shuts
 * down.
 */
function endGracefully({ onSignal, exit, clock, stdout }: Process, lameduckMs: number): void {
  const end = (): void => {
    stdout('[INFO] SIGTERM: Shutting down servers then terminating\n');
    if (lameduckMs > 0) stdout(`[INFO] plugin/health: Going into lameduck mode for ${lameduckMs / 1_000}s\n`);
    clock.after(lameduckMs, () => exit(0));
  };
  onSignal('SIGTERM', end);
  onSignal('SIGINT', end);
}
