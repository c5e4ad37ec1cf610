/**
 * A kubelet by a learner who used none of the given parts. Each pod has one loop, which reads the state of the runtime
 * and the API, performs the next step, and reads again. It has no workers, no relist and no status manager; a loop
 * reads all its data again in each pass.
 */
import { type NodeComponent, type NodeComponentContext, type Pod, pods } from '#harness';
import { DIRECTORIES } from './free-input.ts';
import { Loop, type Shared } from './free-loop.ts';

const LOOK_EVERY_MS = 1_000;

export const kubelet: NodeComponent = async (context) => {
  await new FreeKubelet(context).run();
};

class FreeKubelet {
  readonly #context: NodeComponentContext;
  readonly #loops = new Map<string, Loop>();
  readonly shared: Shared;

  constructor(context: NodeComponentContext) {
    this.#context = context;
    const loopOf = (uid: string): Loop | undefined => this.#loops.get(uid);
    this.shared = {
      context,
      waits: new Map(),
      probes: context.newProbeManager({
        statusOf: (uid) => loopOf(uid)?.status,
        onUpdate: ({ podUID }) => loopOf(podUID)?.wake(),
      }),
      images: context.newImageManager(),
      volumes: context.newVolumeManager({
        desiredPods: () =>
          [...this.#loops.values()].flatMap(({ wantsVolumes, last }) => (wantsVolumes && last ? [last] : [])),
        couldHaveRunningContainers: (uid) => !(loopOf(uid)?.stopped ?? true),
        statusOf: (uid) => loopOf(uid)?.status,
      }),
    };
  }

  async run(): Promise<void> {
    const { informers, node, signal, clock, host } = this.#context;
    const informer = informers.forResource(pods);
    const see = (pod: Pod): void => {
      if (pod.spec.nodeName === node) this.#loop(pod.metadata.uid, pod).see(pod);
    };
    informer.addEventHandler({
      onAdd: see,
      onUpdate: (_, pod) => see(pod),
      onDelete: (pod) => ('key' in pod ? this.#wakeAll() : this.#loops.get(pod.metadata.uid)?.gone()),
    });
    informers.start();
    await informers.waitForCacheSync();
    while (!signal.aborted) {
      const there = new Set(informer.indexer.list().map(({ metadata }) => metadata.uid));
      for (const [uid, loop] of this.#loops) {
        if (!there.has(uid)) loop.gone();
        if (loop.finished) this.#loops.delete(uid);
      }
      const sandboxes = await host.runtime.listPodSandbox().catch(() => []);
      const directories = await host.files.readdir(DIRECTORIES).catch(() => []);
      for (const uid of [...sandboxes.map(({ metadata }) => metadata.uid), ...directories])
        if (!there.has(uid)) this.#loop(uid).gone();
      await clock.sleep(LOOK_EVERY_MS, signal).catch(() => {});
    }
  }

  #wakeAll(): void {
    for (const loop of this.#loops.values()) loop.wake();
  }

  #loop(uid: string, pod?: Pod): Loop {
    let loop = this.#loops.get(uid);
    if (!loop) {
      loop = new Loop(uid, pod, this.shared);
      this.#loops.set(uid, loop);
      void loop.run();
    }
    return loop;
  }
}
