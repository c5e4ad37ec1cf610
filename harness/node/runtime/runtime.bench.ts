/** Compares the cost of a pod on machines with few and many pods: it must not grow with their number. */
import { sideBySide, type Work } from '../../testing/side-by-side.ts';
import { containerConfig, machineAlone, sandboxConfig } from '../machine.fixture.ts';

/** The number of pods that each round handles, independent of the number per machine. */
const PODS = 2_000;

sideBySide('Pods on a machine', {
  unit: 'pods',
  contenders: { '10': () => 10, '110': () => 110, '1,000': () => 1_000 },
  measures: {
    'run a sandbox with a container': (count: number) => many(count, (pods) => pods.run()),
    'list all, and the status of each': async (count: number) => {
      const pods = new Pods(count);
      await pods.run();
      return repeated(count, () => pods.look());
    },
    'stop and remove': async (count: number) =>
      many(
        count,
        (pods) => pods.remove(),
        (pods) => pods.run(),
      ),
  },
});

/** Does something with all pods of machines that were prepared before. */
async function many(
  count: number,
  act: (pods: Pods) => Promise<number>,
  prepare: (pods: Pods) => Promise<unknown> = async () => {},
): Promise<Work> {
  const machines = Array.from({ length: PODS / count }, () => new Pods(count));
  for (const pods of machines) await prepare(pods);
  return async () => {
    let done = 0;
    for (const pods of machines) done += await act(pods);
    return done;
  };
}

function repeated(count: number, act: () => Promise<number>): Work {
  return async () => {
    let done = 0;
    for (let i = 0; i < PODS / count; i++) done += await act();
    return done;
  };
}

/** Pods of one machine. They use the host's network, because a node has only 253 pod addresses. */
class Pods {
  readonly #count: number;
  readonly #machine = machineAlone({ preloaded: ['busybox:1.37'] });

  constructor(count: number) {
    this.#count = count;
  }

  async run(): Promise<number> {
    const { runtime, settle } = this.#machine;
    const one = async (index: number): Promise<void> => {
      const sandbox = sandboxConfig(`pod-${index}`, { network: 'node', hostname: '' });
      const sandboxId = await runtime.runPodSandbox(sandbox);
      const config = containerConfig('busybox:1.37', { command: ['sleep', 'infinity'] });
      await runtime.startContainer(await runtime.createContainer(sandboxId, config, sandbox));
    };
    await settle(Promise.all(Array.from({ length: this.#count }, (_, index) => one(index))));
    return this.#count;
  }

  async look(): Promise<number> {
    const { runtime } = this.#machine;
    const [sandboxes, containers] = await Promise.all([runtime.listPodSandbox(), runtime.listContainers()]);
    for (const { id } of sandboxes) await runtime.podSandboxStatus(id);
    for (const { id } of containers) await runtime.containerStatus(id);
    return sandboxes.length;
  }

  async remove(): Promise<number> {
    const { runtime, settle } = this.#machine;
    const one = async ({ id }: { readonly id: string }): Promise<void> => {
      await runtime.stopPodSandbox(id);
      await runtime.removePodSandbox(id);
    };
    await settle(runtime.listPodSandbox().then((list) => Promise.all(list.map(one))));
    return this.#count;
  }
}
