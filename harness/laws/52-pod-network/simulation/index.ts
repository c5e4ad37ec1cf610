import { type Cluster, createCluster } from '../../../cluster/cluster.ts';
import { noteCaught } from '../../../contracts/caught.ts';
import type { Components, NodeComponent } from '../../../contracts/component.ts';
import type { CniPlugin } from '../../../contracts/node/cni-plugin.ts';
import { shell } from '../../../contracts/node/network-tools.ts';
import { NotImplemented } from '../../../contracts/todo.ts';
import { drawTimeline } from '../../../drawing/timeline.ts';
import { loseAll, overtake, registerOthers } from '../environment/others.ts';
import { SPOILS, spoil } from '../environment/spoil.ts';
import type { PodNetworkHistory } from '../history.ts';
import { Findings } from '../oracle/findings.ts';
import { restOf } from '../oracle/state.ts';
import type { CallFault, PodNetworkScenario, Step } from '../scenario/index.ts';
import { Agents } from './agents.ts';
import { runExperiment } from './experiments/index.ts';
import { Fabric } from './fabric.ts';
import { Fleet, GRACE_MS, RESYNC_MS } from './fleet.ts';
import type { SimNode } from './node.ts';
import { isMutating } from './plugin-runs.ts';
import { allProbes, type Failure, localProbes, type Probe, serviceRules, tryProbe } from './probes.ts';
import { Runtimes } from './runtime.ts';

/** The components under test: the exports of kata 52, and the other parts of a cluster. */
export interface PodNetworkKit {
  readonly bridge: CniPlugin;
  readonly routeController: NodeComponent;
  readonly components: Partial<Components>;
}

/** Time limit for running work after the last fault. */
const END_MS = 120_000;
const QUIET_MS = 25_000;
/** Time within which each agent syncs again. */
const LOOK_MS = 15_000;
/** First source port of the probes. */
const FIRST_PORT = 20_000;
const PORTS = 10_000;

/** Runs a scenario of a pod network. */
export async function runPodNetwork(
  kit: PodNetworkKit,
  scenario: PodNetworkScenario,
): Promise<PodNetworkHistory> {
  const { seed, schedule, experiment } = scenario;
  if (experiment !== undefined) return runExperiment(kit.bridge, { name: experiment, scenario });
  await using cluster = await createCluster({
    seed,
    schedule,
    components: kit.components,
    latencyMs: { min: 1, max: 3 },
    compactionIntervalMs: 0,
  });
  return await new KataSimulation(kit, scenario, cluster).live();
}

class KataSimulation {
  readonly #scenario: PodNetworkScenario;
  readonly #cluster: Cluster;
  readonly #fabric: Fabric;
  readonly #findings: Findings;
  readonly #runtimes: Runtimes;
  readonly #agents: Agents;
  readonly #fleet: Fleet;
  readonly #wanted = new Set<number>();
  /** Running work of each pod. */
  readonly #chains = new Map<number, Promise<void>>();
  readonly #struck = new Set<CallFault>();
  readonly #skipped = new Map<CallFault, number>();
  #underWay = 0;
  #probes = 0;
  #isHealed = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(kit: PodNetworkKit, scenario: PodNetworkScenario, cluster: Cluster) {
    const { sim } = cluster;
    this.#scenario = scenario;
    this.#cluster = cluster;
    this.#findings = new Findings(() => sim.elapsedMs);
    this.#fabric = new Fabric(sim);
    this.#runtimes = new Runtimes({
      sim,
      bridge: kit.bridge,
      findings: this.#findings,
      strike: (node, command) => this.#strike(node, command),
      onAdded: (node) => this.#probe(localProbes(node)),
      onRejected: (error) => this.#fail(error),
    });
    this.#agents = new Agents({
      cluster,
      routeController: kit.routeController,
      findings: this.#findings,
      strike: (node) => this.#strike(node, 'agent'),
      onFailure: (error) => this.#fail(error),
    });
    const [fabric, agents, findings] = [this.#fabric, this.#agents, this.#findings];
    const begin = (incarnation: Promise<void>): void => this.#begin(incarnation);
    this.#fleet = new Fleet({ scenario, cluster, fabric, agents, findings, begin });
  }

  async live(): Promise<PodNetworkHistory> {
    const { nodes, others = [], steps } = this.#scenario;
    const { sim, trace } = this.#cluster;
    await registerOthers(this.#cluster, others);
    for (const [i] of nodes.entries()) await this.#fleet.join(i, { keeps: 'nothing', reachable: true });
    for (const step of steps) {
      await this.#pass(step.afterMs);
      await this.#act(step);
    }
    await this.#settle();
    await this.#lookAtRest();
    const findings = this.#findings;
    const changes = trace.entries.filter(
      ({ actor, verb, object = '' }) => actor !== 'admin' && isMutating([verb, ...object.split(' ')]),
    );
    return {
      scenario: this.#scenario,
      findings,
      hash: trace.hash(),
      timeline: () => drawTimeline(changes),
      endMs: sim.elapsedMs,
    };
  }

  get #there(): readonly SimNode[] {
    return this.#fleet.there;
  }

  async #act(step: Step): Promise<void> {
    switch (step.do) {
      case 'start':
        return this.#start(step.pod);
      case 'replace':
        return this.#replace(step.pod);
      case 'stop':
        return this.#stop(step.pod, step);
      case 'check':
        return this.#onPod(step.pod, async (node, one) => {
          this.#findings.meet('checks');
          const objection = await this.#runtimes.check(node, one);
          if (objection !== undefined && one.state === 'there')
            this.#findings.break(
              'checks',
              `CHECK of ${one.pod} must succeed, because nothing of the pod was changed, but failed: ${objection}`,
            );
        });
      case 'spoil':
        return this.#onPod(step.pod, async (node, one) => {
          one.isSpoiled = true;
          await spoil(node, one, step.what);
          this.#record('user', `${SPOILS[step.what]} ${one.pod}`);
          if ((await this.#runtimes.check(node, one)) === undefined && one.state === 'there')
            this.#findings.break(
              'checks',
              `CHECK of ${one.pod} succeeded, but it must fail, because a user ${SPOILS[step.what]} ${one.pod}`,
            );
          await this.#runtimes.stop(node, one, { netns: 'there', again: false });
          await this.#startOn(node, step.pod);
        });
      case 'join':
        if (!this.#fleet.nodes[step.node]) await this.#joinAgain(step.node, step);
        return;
      default:
        return this.#actOn(this.#fleet.nodes[step.node], step);
    }
  }

  async #actOn(node: SimNode | undefined, step: Step): Promise<void> {
    if (!node) return;
    switch (step.do) {
      case 'gc':
        return this.#begin(this.#runtimes.collect(node));
      case 'reboot':
        return this.#reboot(node);
      case 'crash agent':
        this.#agents.crash(node, step.forMs);
        return;
      case 'cut watches':
        this.#agents.disturb(node);
        this.#agents.process(node)?.cutWatches();
        return;
      case 'leave':
        return this.#fleet.leave(node);
      case 'lose route':
      case 'lose rules':
        return this.#fleet.lose(node, step.do);
      case 'lose all': {
        let hasLooked = false;
        this.#agents.onceIdle(node, () => {
          hasLooked = true;
        });
        await this.#until(() => hasLooked, LOOK_MS);
        return loseAll(node, { agents: this.#agents, findings: this.#findings, sim: this.#cluster.sim });
      }
      case 'overtake':
        return overtake(node, { agents: this.#agents, cluster: this.#cluster, other: step.other });
      case 'foreign route':
        await shell(node.machine.tools)`ip route replace 10.244.99.0/24 via 192.168.0.254 proto static`;
        this.#agents.takeNote(node);
        return;
      default:
        return;
    }
  }

  async #reboot(node: SimNode): Promise<void> {
    await this.#fleet.reboot(node);
    this.#startAgain(node);
  }

  async #joinAgain(index: number, how: Extract<Step, { do: 'join' }>): Promise<void> {
    await this.#fleet.join(index, how);
    const node = this.#fleet.nodes[index];
    if (node) this.#startAgain(node);
  }

  /** Restarts the pods of a node. */
  #startAgain(node: SimNode): void {
    for (const [i, plan] of this.#scenario.pods.entries())
      if (this.#wanted.has(i) && this.#fleet.nodes[plan.node] === node)
        this.#then(i, () => this.#startOn(node, i));
  }

  // Pods

  #start(pod: number): void {
    if (this.#wanted.has(pod)) return;
    const plan = this.#scenario.pods[pod];
    const node = plan && this.#fleet.nodes[plan.node];
    if (!node) return;
    this.#wanted.add(pod);
    this.#then(pod, () => this.#startOn(node, pod));
  }

  async #startOn(node: SimNode, pod: number): Promise<void> {
    const plan = this.#scenario.pods[pod];
    if (plan && !node.isOff) await this.#runtimes.start(node, nameOf(pod), plan, () => this.#wanted.has(pod));
  }

  #stop(pod: number, how: { readonly netns: 'there' | 'gone' | 'not told'; readonly again: boolean }): void {
    this.#wanted.delete(pod);
    this.#onPod(pod, (node, one) => this.#runtimes.stop(node, one, how));
  }

  /**
   * Replaces a pod like a StatefulSet on one node: the successor has the same name, and the old pod is disconnected
   * late.
   */
  #replace(pod: number): void {
    if (!this.#wanted.has(pod)) return;
    this.#onPod(pod, async (node, one) => {
      if (one.hostPort !== undefined) return;
      await this.#startOn(node, pod);
      await this.#runtimes.stop(node, one, { netns: 'there', again: false });
    });
  }

  #onPod(pod: number, run: (node: SimNode, one: SimNode['attachments'][number]) => Promise<void>): void {
    this.#then(pod, async () => {
      const plan = this.#scenario.pods[pod];
      const node = plan && this.#fleet.nodes[plan.node];
      const one = node?.there.find((each) => each.pod === nameOf(pod));
      if (node && one) await run(node, one);
    });
  }

  /** Runs the work of a pod in sequence. */
  #then(pod: number, run: () => Promise<void>): void {
    const chain = (this.#chains.get(pod) ?? Promise.resolve()).then(run);
    this.#chains.set(pod, chain);
    this.#begin(chain);
  }

  #begin(incarnation: Promise<void>): void {
    this.#underWay++;
    incarnation
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#underWay--;
      });
  }

  // The end

  async #settle(): Promise<void> {
    const { cluster, findings } = { cluster: this.#cluster, findings: this.#findings };
    this.#isHealed = true;
    cluster.nemesis.heal();
    await this.#until(() => this.#underWay === 0, END_MS);
    if (this.#underWay > 0)
      findings.break('succeeds', 'what was begun does not end, though nothing goes wrong any more');
    await this.#pass(RESYNC_MS + GRACE_MS);
    for (const node of this.#there) this.#begin(this.#runtimes.collect(node));
    await this.#until(() => this.#underWay === 0, END_MS);
  }

  async #lookAtRest(): Promise<void> {
    const { network } = this.#scenario;
    const findings = this.#findings;
    const agents = this.#agents;
    if (network === 'flannel') {
      for (const node of this.#there) {
        if (agents.owedTo(node).size > 0) findings.meet('routed');
        for (const objection of agents.objectionsTo(node)) findings.break('routed', objection);
        await agents.readConflist(node);
      }
      const before = agents.attempts;
      await this.#pass(QUIET_MS);
      findings.meet('quiet');
      if (agents.attempts > before && agents.allReachable)
        findings.break(
          'quiet',
          `the agents ran ${agents.attempts - before} commands that change something, although routes, rules and files are right; the last was ${agents.lastAttempt}`,
        );
    }
    const rules = serviceRules(this.#there);
    const change = (node: SimNode, lines: readonly string[]): Promise<string> =>
      node.machine.tools.run(['iptables-restore', '--noflush'], ['*nat', ...lines, 'COMMIT', ''].join('\n'));
    for (const node of this.#there) await change(node, rules);
    this.#probe(allProbes(this.#there, this.#fabric.outside));
    const removal = [
      '-D PREROUTING -j KATA-SERVICES',
      '-D POSTROUTING -j KATA-POSTROUTING',
      ':KATA-SERVICES - [0:0]',
      ':KATA-POSTROUTING - [0:0]',
      '-X KATA-SERVICES',
      '-X KATA-POSTROUTING',
    ];
    for (const node of this.#there) await change(node, removal);
    for (const [pod] of this.#scenario.pods.entries()) this.#stop(pod, { netns: 'there', again: false });
    await this.#until(() => this.#underWay === 0, END_MS);
    for (const node of this.#there) this.#compare(node);
  }

  #compare(node: SimNode): void {
    if (node.attachments.length === 0 || node.boots > 1 || node.there.length > 0) return;
    const now = restOf(node);
    const [more] = now.filter((line) => !node.baseline.includes(line));
    const [less] = node.baseline.filter((line) => !now.includes(line));
    const what = more === undefined ? less && `"${less}" is gone` : `there is still "${more}"`;
    if (what !== undefined)
      this.#findings.break('leavesNothing', `when all pods of ${node.name} are gone, ${what}`);
  }

  #probe(probes: readonly Probe[]): void {
    const { trace } = this.#cluster.sim;
    const shown = new Set<Failure['law']>();
    for (const probe of probes) {
      this.#findings.meet(probe.law);
      const failure = tryProbe(probe, FIRST_PORT + (this.#probes++ % PORTS));
      if (!failure) continue;
      const { law, message, way } = failure;
      if (!shown.has(law)) for (const line of way) trace.record({ actor: 'packet', verb: line });
      shown.add(law);
      this.#findings.break(law, message);
    }
  }

  #strike(node: SimNode, of: CallFault['of']): CallFault | undefined {
    if (this.#isHealed) return undefined;
    const { elapsedMs } = this.#cluster.sim;
    for (const fault of this.#scenario.faults) {
      if (fault.of !== of || fault.atMs > elapsedMs || this.#struck.has(fault)) continue;
      if (this.#fleet.nodes[fault.node] !== node) continue;
      const skipped = this.#skipped.get(fault) ?? 0;
      this.#skipped.set(fault, skipped + 1);
      if (skipped < fault.skip) continue;
      this.#struck.add(fault);
      return fault;
    }
    return undefined;
  }

  #fail(error: unknown): void {
    if (error instanceof NotImplemented) this.#failure ??= { error };
    else {
      noteCaught(error);
      this.#failure ??= { error };
    }
  }

  #record(actor: string, verb: string): void {
    this.#cluster.sim.trace.record({ actor, verb });
  }

  async #pass(ms: number): Promise<void> {
    await this.#cluster.sim.run({ forMs: ms, until: () => this.#failure !== undefined });
    if (this.#failure) throw this.#failure.error;
  }

  async #until(condition: () => boolean, withinMs: number): Promise<void> {
    await this.#cluster.sim.run({ forMs: withinMs, until: () => condition() || this.#failure !== undefined });
    if (this.#failure) throw this.#failure.error;
  }
}

/** Returns the name of a pod. */
export function nameOf(pod: number): string {
  return `web-${pod}`;
}
