import type { Pod } from '../../../api/objects.ts';
import { pods, secrets } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { Process } from '../../../cluster/process.ts';
import type { Client } from '../../../contracts/client.ts';
import type { Machine } from '../../../node/machine.ts';
import { formatTime } from '../../../sim/index.ts';
import { Stage } from '../../../testing/rig/stage.ts';
import { FOREIGN, NAMESPACE, type Operation, type PodIndex, type PodPlan } from '../scenario/index.ts';
import type { Programs } from '../simulation/programs.ts';
import { newPod, newPullSecret, podName } from './objects.ts';

/** The name of the user in the journal and the trace. */
const USER = 'kubectl';

/** The configuration of the node's network. */
const NETWORK_FILE = '/etc/cni/net.d/10-cbr0.conflist';

/** The environment of the kubelet: users, other clients, and faults of the machine. */
export class Environment {
  readonly #cluster: Cluster;
  readonly #machine: Machine;
  readonly #programs: Programs;
  readonly #stage: Stage;
  /** The plan of each pod, by uid. */
  readonly plans = new Map<string, PodPlan>();
  /** Keys of the containers' programs, by uid and name. */
  readonly keys = new Map<string, string>();
  /** Times when the environment killed containers. */
  readonly violentMs: number[] = [];
  /** The periods without a network. */
  readonly networkLosses: { readonly fromMs: number; toMs: number }[] = [];
  #networkConfiguration = '';
  #made = 0;

  constructor(cluster: Cluster, machine: Machine, programs: Programs) {
    this.#cluster = cluster;
    this.#machine = machine;
    this.#programs = programs;
    this.#stage = new Stage(cluster);
  }

  /** Performs an operation. @param kubelet returns undefined before its start */
  async do(operation: Operation, kubelet: () => Process | undefined): Promise<void> {
    switch (operation.do) {
      case 'nothing':
        return;
      case 'create':
        return this.#create(operation.pod, operation.as);
      case 'replace':
        await this.#delete(operation.pod, 0);
        return this.#create(operation.pod, operation.as);
      case 'delete':
        return this.#delete(operation.pod, operation.graceSeconds);
      case 'set-image':
        return this.#setImage(operation);
      case 'meddle':
        return this.#meddle(operation);
      case 'restart-kubelet':
        return this.#restart(kubelet(), operation.downMs);
      case 'restart-runtime':
        this.#machine.stopRuntime();
        this.#later(operation.forMs, 'starts the runtime', () => this.#machine.startRuntime());
        return;
      case 'lose-network':
        return this.#loseNetwork(operation.forMs);
      case 'reboot':
        return this.#reboot(kubelet(), operation.downMs);
      case 'kill-sandbox':
        return this.#killSandbox(operation.pod);
      case 'oom':
        return this.#useUp(operation);
    }
  }

  /** Ends outages now: power, runtime and network. */
  calmDown(): void {
    this.#restoreNetwork();
    this.#machine.powerOn();
    this.#machine.startRuntime();
  }

  #pod(index: PodIndex): Pod | undefined {
    return this.#stage.list<Pod>(pods).find(({ metadata }) => metadata.name === podName(index));
  }

  #act(verb: string, index: PodIndex, act: (client: Client) => Promise<unknown>): Promise<void> {
    return this.#stage.act(USER, verb, `pods/${NAMESPACE}/${podName(index)}`, act);
  }

  async #create(index: PodIndex, plan: PodPlan): Promise<void> {
    if (this.#pod(index)) return;
    const made = ++this.#made;
    const keyOf = (container: string): string => `${made}-${container}`;
    for (const each of [...plan.inits, ...plan.containers]) this.#programs.add(keyOf(each.name), each);
    if (plan.hasPullSecret) await this.#createPullSecret();
    await this.#act('create', index, async (client) => {
      const { metadata } = await client.create(pods, newPod(index, plan, keyOf));
      this.plans.set(metadata.uid, plan);
      for (const { name } of [...plan.inits, ...plan.containers])
        this.keys.set(`${metadata.uid} ${name}`, keyOf(name));
    });
  }

  async #createPullSecret(): Promise<void> {
    const secret = newPullSecret();
    const { name } = secret.metadata;
    if (this.#stage.list(secrets).some(({ metadata }) => metadata.name === name)) return;
    await this.#stage.act(USER, 'create', `secrets/${NAMESPACE}/${name}`, (client) =>
      client.create(secrets, secret),
    );
  }

  async #delete(index: PodIndex, graceSeconds: number | undefined): Promise<void> {
    if (!this.#pod(index)) return;
    const key = { namespace: NAMESPACE, name: podName(index) };
    const options = graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds };
    await this.#act('delete', index, (client) => client.delete(pods, key, options));
  }

  async #setImage({ pod: index, container, image }: Extract<Operation, { do: 'set-image' }>): Promise<void> {
    const pod = this.#pod(index);
    if (!pod) return;
    const at = container % pod.spec.containers.length;
    const containers = pod.spec.containers.map((each, i) => (i === at ? { ...each, image } : each));
    await this.#act(`set image ${image}`, index, (client) =>
      client.update(pods, { ...pod, spec: { ...pod.spec, containers } }),
    );
  }

  async #meddle({ pod: index, with: kind }: Extract<Operation, { do: 'meddle' }>): Promise<void> {
    const pod = this.#pod(index);
    if (!pod) return;
    const now = formatTime(this.#cluster.clock.now());
    const condition = (type: string, status: string) => ({ type, status, lastTransitionTime: now });
    const others = (type: string) => (pod.status.conditions ?? []).filter((each) => each.type !== type);
    const statuses = pod.status.containerStatuses ?? [];
    const status = {
      ready: { ...pod.status, conditions: [...others('Ready'), condition('Ready', 'False')] },
      condition: { ...pod.status, conditions: [...others(FOREIGN), condition(FOREIGN, 'True')] },
      restarts: {
        ...pod.status,
        containerStatuses: statuses.map((each) => ({ ...each, ready: !each.ready })),
      },
    }[kind];
    await this.#act(`write the status: ${kind}`, index, (client) =>
      client.updateStatus(pods, { ...pod, status }),
    );
  }

  #restart(kubelet: Process | undefined, downMs: number): void {
    if (!kubelet?.running) return;
    kubelet.crash();
    this.#later(downMs, 'starts the kubelet', () => kubelet.start());
  }

  #reboot(kubelet: Process | undefined, downMs: number): void {
    kubelet?.crash();
    this.#machine.powerOff();
    this.#violence('nemesis', 'power failure', 'node');
    this.#later(downMs, 'power', () => this.#machine.powerOn());
    this.#later(downMs + 500, 'starts the kubelet', () => kubelet?.start());
  }

  async #loseNetwork(forMs: number): Promise<void> {
    const { files } = this.#machine;
    if (this.networkLosses.some(({ toMs }) => toMs === Number.POSITIVE_INFINITY)) return;
    this.#networkConfiguration = await files.readFile(NETWORK_FILE);
    await files.removeAll(NETWORK_FILE);
    this.networkLosses.push({ fromMs: this.#cluster.sim.elapsedMs, toMs: Number.POSITIVE_INFINITY });
    this.#later(forMs, 'configures the network', () => this.#restoreNetwork());
  }

  #restoreNetwork(): void {
    const last = this.networkLosses.at(-1);
    if (last?.toMs !== Number.POSITIVE_INFINITY) return;
    last.toMs = this.#cluster.sim.elapsedMs;
    void this.#machine.files.writeFile(NETWORK_FILE, this.#networkConfiguration);
  }

  #killSandbox(index: PodIndex): void {
    const uid = this.#pod(index)?.metadata.uid;
    const ready = this.#machine.history.findLast(
      ({ event, pod }) => event === 'sandbox-ready' && pod?.uid === uid,
    );
    if (uid === undefined || ready?.sandboxId === undefined) return;
    this.#machine.signal(ready.sandboxId, 'SIGKILL');
    this.#violence('nemesis', 'kill the sandbox', podName(index));
  }

  #useUp({ pod: index, container }: Extract<Operation, { do: 'oom' }>): void {
    const pod = this.#pod(index);
    if (!pod) return;
    const { name } = pod.spec.containers[container % pod.spec.containers.length] ?? { name: '' };
    const key = this.keys.get(`${pod.metadata.uid} ${name}`);
    if (key === undefined) return;
    this.#programs.useUp(key);
    this.#violence('nemesis', `use up the memory of ${name}`, podName(index));
  }

  #violence(actor: string, verb: string, object: string): void {
    this.violentMs.push(this.#cluster.sim.elapsedMs);
    this.#stage.note(actor, verb, object);
  }

  #later(afterMs: number, what: string, run: () => void): void {
    this.#cluster.sim.schedule(afterMs, 'stage', what, run);
  }
}
