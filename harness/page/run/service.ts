import type { Components } from '../../contracts/component.ts';
import type { Clock } from '../../sim/index.ts';
import type { OwnParts } from '../own/own-parts.ts';
import type { OwnKata } from '../protocol/own.ts';
import type { Recipe } from '../protocol/recipe.ts';
import type { Frame, RunService } from '../protocol/run-service.ts';
import type { Owner } from '../protocol/view.ts';
import type { ObserveCluster } from '../view/index.ts';
import { type PartName, partsIn } from './parts.ts';
import { Player } from './player.ts';

/** Options of {@link newRunService}. */
interface RunServiceOptions {
  readonly reference: Components;
  readonly own: OwnParts;
  readonly observe: ObserveCluster;
  readonly clock: Clock;
}

/** Creates the service that a page calls, around a {@link Player}. */
export function newRunService({ reference, own, observe, clock }: RunServiceOptions): RunService {
  let onFrame: (frame: Frame) => void = () => {};
  const player = new Player({
    implementations: { reference, own: own.own },
    observe,
    clock,
    onFrame: (frame) => onFrame(frame),
  });
  const recipe = (): Promise<Recipe> => player.read(({ run }) => run.recipe);
  const ownerOf = (part: PartName): Promise<Owner> => player.read(({ run }) => run.parts.ownerOf(part));
  const useParts = async (parts: readonly PartName[], version: number | 'reference'): Promise<void> => {
    for (const part of parts) {
      const number = await player.act({ do: 'use', part, version });
      const failure = await player.read(({ run }) =>
        run.output.find(({ action, isError }) => action === number && isError),
      );
      if (failure) throw new Error(failure.text);
    }
  };
  return {
    onFrame: (listener) => {
      onFrame = listener;
    },
    open: (asked, toMs) => player.open(asked, toMs),
    play: (speed) => player.play(speed),
    pause: () => player.pause(),
    step: () => player.step(),
    seek: (toMs) => player.seek(toMs),
    act: (action) => player.act(action),
    undo: () => player.undo(),
    packetOf: (action) =>
      player.read(({ run, observer }) => {
        const packet = run.packetOf(action);
        return packet && observer.messageOf(packet);
      }),
    read: (line) => player.read(({ run }) => run.readWith(line)),
    onlyReads: (line) => player.read(({ run }) => run.kubectl.onlyReads(line)),
    complete: (line) => player.read(({ run }) => run.kubectl.complete(line)),
    inspect: (subject) => player.read(({ observer }) => observer.inspect(subject)),
    around: (atMs) => player.read(({ observer }) => observer.around(atMs)),
    sequence: async ({ fromMs, toMs, pod }) => {
      const { sequenceDiagram } = await import('../../drawing/sequence/sequence-diagram.ts');
      return player.read(({ run: { cluster, stoodMs } }) => {
        const { trace, journal } = cluster;
        const drawn = sequenceDiagram(trace.entries, {
          fromMs: fromMs + stoodMs,
          toMs: toMs + stoodMs,
          journal: journal.entries,
          ...(pod !== undefined && { onlyPod: `pods/${pod}` }),
        });
        const steps = drawn.steps.map((step) => ({
          ...step,
          atMs: step.atMs - stoodMs,
          untilMs: step.untilMs - stoodMs,
        }));
        return { ...drawn, steps };
      });
    },
    asTest: async () => {
      const { scenarioOf } = await import('../share/scenario.ts');
      return player.read(({ run }) => scenarioOf(run));
    },
    recipe,
    hash: () => player.read(({ run }) => run.cluster.trace.hash()),
    offer: async (files) => own.offer(files),
    ownKatas: async () =>
      Promise.all(
        own.files.map(async ({ url, error, ...file }): Promise<OwnKata> => {
          const parts = partsIn(file.kata);
          const owners = await Promise.all(parts.map(ownerOf));
          const isUsed = owners.includes('yours');
          return { ...file, parts, isUsed, ...(error !== undefined && { error }) };
        }),
      ),
    use: async (kata, owner) => {
      if (owner === 'reference') return useParts(partsIn(kata), 'reference');
      const { parts, version } = await own.load(kata);
      return useParts(parts, version);
    },
    reload: async (file) => {
      own.offer([file]);
      const { parts, version } = await own.load(file.kata);
      const used: PartName[] = [];
      for (const part of parts) if ((await ownerOf(part)) === 'yours') used.push(part);
      if (used.length === 0) return;
      if (!player.isBroken) return useParts(used, version);
      // The run cannot go on with the version that broke it.
      const { actions, ...head } = await recipe();
      const mended = actions.map((action) =>
        action.do === 'use' && used.includes(action.part) && action.version !== 'reference'
          ? { ...action, version }
          : action,
      );
      return player.open({ ...head, actions: mended });
    },
  };
}
