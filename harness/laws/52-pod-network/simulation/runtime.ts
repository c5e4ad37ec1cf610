import type { CniPlugin } from '../../../contracts/node/cni-plugin.ts';
import { type CniAttachment, CniError, type CniResult } from '../../../contracts/node/network-plugin.ts';
import { Libcni } from '../../../node/cni/libcni.ts';
import type { Simulation } from '../../../sim/index.ts';
import type { Findings } from '../oracle/findings.ts';
import { difference, partOf, strangersOn } from '../oracle/state.ts';
import { objectionsTo } from '../oracle/truth.ts';
import { watchOthers, watchRules } from '../oracle/watch.ts';
import type { CallFault, Operation, PodPlan } from '../scenario/index.ts';
import { type Attachment, addressOf, type SimNode } from './node.ts';
import { PluginRuns } from './plugin-runs.ts';

/** Pause of a runtime before a retry, in ms. */
const RETRY_MS = 100;
/** Number of retries of the same ADD. */
const SAME_TRIES = 4;

/** Number of attempts in all; no scenario has as many faults. */
const TRIES = 8;

const PAST = { dies: 'died', fails: 'failed' } as const;

/** Renders the namespace in the request of a DEL. */
function describeNetns({ netns }: CniAttachment): string {
  return netns === '' ? ', which got an empty CNI_NETNS because the namespace is gone,' : '';
}

/** Result of a command: its error, if any, and whether a fault may have caused it. */
type Outcome = readonly [error: Error | undefined, wasStruck: boolean];

/** Dependencies of the runtimes. */
export interface RuntimeOptions {
  readonly sim: Simulation;
  readonly bridge: CniPlugin;
  readonly findings: Findings;
  /** Returns the fault of a plugin's next call. */
  readonly strike: (node: SimNode, command: CallFault['of']) => CallFault | undefined;
  /** Runs after a pod was connected. */
  readonly onAdded: (node: SimNode) => void;
  /** Receives the error of a plugin whose promise rejected, which no plugin may do. */
  readonly onRejected: (error: unknown) => void;
}

/** The container runtimes of all nodes: they create sandboxes, and run the plugins. */
export class Runtimes {
  readonly #options: RuntimeOptions;
  readonly #plugins: PluginRuns;
  #count = 0;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.#plugins = new PluginRuns(options.sim, options.bridge);
  }

  /** Retries until the pod is connected, the node has left, or the pod is no longer wanted. */
  async start(node: SimNode, pod: string, plan: PodPlan, isWanted: () => boolean): Promise<void> {
    const boot = node.boots;
    const goesOn = (): boolean => isWanted() && node.boots === boot && !node.isOff;
    for (let tries = 0; tries < TRIES && goesOn(); ) {
      if (!(await node.conflist())) {
        await this.#pause(RETRY_MS);
        continue;
      }
      tries++;
      const one = this.#sandbox(node, pod, plan);
      let added = await this.#add(node, one);
      for (let i = 0; i < SAME_TRIES && !added && plan.afterFailure === 'same' && node.boots === boot; i++) {
        await this.#pause(RETRY_MS);
        added = await this.#add(node, one);
      }
      if (added || node.boots !== boot) return;
      if (plan.afterFailure === 'forgets') {
        one.state = 'given up';
        return;
      }
      await this.stop(node, one, { netns: 'there', again: false });
      await this.#pause(RETRY_MS);
    }
  }

  /** Retries until the pod is disconnected. */
  async stop(
    node: SimNode,
    one: Attachment,
    { netns, again }: Omit<Extract<Operation, { do: 'stop' }>, 'do' | 'pod'>,
  ): Promise<void> {
    const boot = node.boots;
    one.state = 'leaving';
    const { containerID } = one.attachment;
    const remove = (): void => {
      if (node.machine.named.has(`cni-${containerID}`)) node.machine.remove(`cni-${containerID}`);
    };
    if (netns !== 'there') remove();
    const attachment = netns === 'not told' ? { ...one.attachment, netns: '' } : one.attachment;
    let left = again ? 2 : 1;
    for (let tries = 0; tries < TRIES && left > 0 && node.boots === boot && !node.isOff; tries++) {
      if (await this.#del(node, one, attachment)) left--;
      else await this.#pause(RETRY_MS);
    }
    if (node.boots !== boot) return;
    remove();
    one.state = 'gone';
  }

  /**
   * Runs CHECK.
   *
   * @returns its error; undefined if it succeeds
   */
  async check(node: SimNode, one: Attachment): Promise<string | undefined> {
    const list = await node.conflist();
    if (!list || one.state !== 'there') return undefined;
    const [error] = await this.#command(node, one, 'ADD', (cni) =>
      cni.checkNetworkList(list, one.attachment),
    );
    return error?.message;
  }

  /** Runs GC with the valid attachments. */
  async collect(node: SimNode): Promise<void> {
    const list = await node.conflist();
    if (!list) return;
    const { findings, sim } = this.#options;
    while (node.busy > 0 || node.isCollecting) await this.#pause(20);
    node.isCollecting = true;
    const boot = node.boots;
    const startMs = sim.elapsedMs;
    const valid = node.there;
    // An attachment whose ADD is about to be repeated has no parts yet.
    const invalid = node.attachments.filter((one) => one.state !== 'adding' && !valid.includes(one));
    if (invalid.some(({ state }) => state === 'given up')) findings.meet('collects');
    const attachments = valid.map(({ attachment }) => attachment);
    const run = (): Promise<Outcome> =>
      this.#command(node, undefined, 'GC', (cni) => cni.gcNetworkList(list, attachments));
    let [error, wasStruck] = await run();
    for (let i = 0; i < SAME_TRIES && error && wasStruck && node.boots === boot; i++)
      [error, wasStruck] = await run();
    // The machine has rebooted with another runtime, whose attachments this GC does not know.
    if (node.boots !== boot || node.isOff) return;
    node.isCollecting = false;
    if (error && !wasStruck)
      findings.break('succeeds', `GC on ${node.name} must succeed, but failed: ${error.message}`);
    if (error) return;
    for (const one of invalid) {
      one.state = 'gone';
      one.befell.push(`the GC at ${startMs} ms left it`);
    }
    for (const left of await strangersOn(node, valid))
      findings.break('collects', `GC on ${node.name} left ${left}`);
  }

  #sandbox(node: SimNode, pod: string, { hostPort }: PodPlan): Attachment {
    const index = this.#count++;
    const containerID = `${pod}-${index.toString(16).padStart(4, '0')}`;
    const namespace = node.machine.add(`cni-${containerID}`);
    const lo = namespace.links.get('lo');
    if (lo) lo.up = true;
    namespace.label = pod;
    namespace.sockets.listen({ protocol: 'tcp', port: 80 }, {});
    const attachment: CniAttachment = {
      containerID,
      netns: `/var/run/netns/cni-${containerID}`,
      ifname: 'eth0',
      args: { K8S_POD_NAMESPACE: 'default', K8S_POD_NAME: pod },
      ...(hostPort !== undefined && {
        runtimeConfig: { portMappings: [{ hostPort, containerPort: 80, protocol: 'tcp' }] },
      }),
    };
    const one: Attachment = { pod, index, attachment, namespace, hostPort, state: 'adding', befell: [] };
    node.attachments.push(one);
    return one;
  }

  async #add(node: SimNode, one: Attachment): Promise<boolean> {
    const { findings, onAdded } = this.#options;
    const list = await node.conflist();
    if (!list) return false;
    const boot = node.boots;
    let result: CniResult | undefined;
    const [error, wasStruck] = await this.#command(node, one, 'ADD', async (cni) => {
      result = await cni.addNetworkList(list, one.attachment);
    });
    if (node.boots !== boot || node.isOff) return false;
    if (error || !result) {
      if (!wasStruck)
        findings.break(
          'succeeds',
          `ADD of ${one.pod} must succeed, but failed: ${error?.message}${one.befell.length > 0 ? `. Before, ${one.befell.join(' and ')}: an ADD must first remove the remains of an earlier ADD` : ''}`,
        );
      else findings.meet('succeeds');
      return false;
    }
    one.result = result;
    one.state = 'there';
    one.part = partOf(node, one);
    node.bridgeMac ??= node.bridge?.mac;
    findings.meet('truthful');
    for (const objection of objectionsTo(node, one, list))
      findings.break('truthful', `the result of ADD of ${one.pod}: ${objection}`);
    watchRules(node, findings);
    onAdded(node);
    return true;
  }

  async #del(node: SimNode, one: Attachment, attachment: CniAttachment): Promise<boolean> {
    const { findings } = this.#options;
    const list = await node.conflist();
    if (!list) return true;
    const boot = node.boots;
    const [error, wasStruck] = await this.#command(node, one, 'DEL', (cni) =>
      cni.delNetworkList(list, attachment),
    );
    if (node.boots !== boot || node.isOff) return true;
    if (error) {
      if (!wasStruck)
        findings.break('succeeds', `DEL of ${one.pod} must succeed, but failed: ${error.message}`);
      return false;
    }
    findings.meet('leavesNothing');
    const others = node.attachments.filter((other) => other !== one && other.state !== 'gone');
    for (const left of await strangersOn(node, others, one))
      findings.break('leavesNothing', `DEL of ${one.pod}${describeNetns(attachment)} left ${left}`);
    return true;
  }

  async #command(
    node: SimNode,
    one: Attachment | undefined,
    command: 'ADD' | 'DEL' | 'GC',
    run: (cni: Libcni) => Promise<unknown>,
  ): Promise<Outcome> {
    const { strike, onRejected, sim } = this.#options;
    const pod = one?.pod ?? '';
    while (node.isCollecting && command !== 'GC') await this.#pause(20);
    node.busy++;
    let wasStruck = false;
    const boot = node.boots;
    const cni = new Libcni({
      files: node.files,
      exec: (type, io) =>
        this.#plugins.run(node, type, io, {
          pod,
          strike: () => {
            const fault = strike(node, command);
            wasStruck ||= fault !== undefined;
            if (fault) one?.befell.push(`its ${command} ${PAST[fault.how]} at ${sim.elapsedMs} ms`);
            return fault;
          },
          die: () => {},
          changed: () => this.#watch(node, pod, io.env.CNI_CONTAINERID),
          caught: onRejected,
        }),
    });
    try {
      await run(cni);
      return [undefined, wasStruck];
    } catch (error) {
      if (!(error instanceof CniError)) throw error;
      return [error, wasStruck || node.boots !== boot];
    } finally {
      node.busy--;
    }
  }

  /** Checks that a plugin's work for one pod changes nothing of other pods. */
  #watch(node: SimNode, pod: string, id: string | undefined): void {
    const { findings } = this.#options;
    const mac = node.bridge?.mac;
    if (node.bridgeMac !== undefined && mac !== node.bridgeMac) {
      findings.break(
        'constant',
        `the MAC address of ${node.bridgeName} on ${node.name} changed from ${node.bridgeMac} to ${mac ?? 'none, because the bridge is gone'}; pods have it in their ARP tables`,
      );
      node.bridgeMac = mac;
    }
    for (const one of node.there) {
      if (one.attachment.containerID === id || one.isSpoiled) continue;
      findings.meet('undisturbed');
      const part = partOf(node, one);
      if (part === one.part) continue;
      const change = difference(one.part ?? '', part);
      findings.break(
        'undisturbed',
        `${pod === '' ? `GC changed the network of ${one.pod}, which is a valid attachment` : `ADD or DEL of ${pod} changed the network of another pod, ${one.pod}`} (${addressOf(one)}): ${change}`,
      );
      one.part = part;
    }
    if (node.there.length > 0) findings.meet('constant');
    watchOthers(node, findings);
  }

  #pause(ms: number): Promise<void> {
    return this.#options.sim.turn(ms, 'runtime', 'waits');
  }
}
