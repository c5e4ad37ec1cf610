import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { durations, pauses, schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Step as AnyStep } from '../../testing/rig/play.ts';
import { inWords } from '../../testing/telling.ts';
import { PROCESS } from './node.ts';
import { sayScenario } from './say.ts';

/** The kinds of volumes that pods have here, a volume each, called by its kind. */
export const volumeKinds = [
  'config',
  'secret',
  'projected',
  'disk',
  'memory',
  'claim',
  'share',
  'inline',
  'host',
  'part',
  'piece',
] as const;

/** One of {@link volumeKinds}. `part`: a subPath of the config map; `piece`: a subPath of an emptyDir. */
export type VolumeKind = (typeof volumeKinds)[number];

/** Something that is done to the node, or to what its pods mount. */
export type Deed =
  /** A pod of this name comes, if there is none. */
  | { readonly do: 'create'; readonly pod: string; readonly volumes: readonly VolumeKind[] }
  /** The pod is told to end: its containers stop after a while, and the kubelet waits until its volumes are gone. */
  | { readonly do: 'delete'; readonly pod: string; readonly graceMs: number }
  /** The pod and its containers are gone, and the kubelet has seen nothing of it. */
  | { readonly do: 'vanish'; readonly pod: string }
  /** A container dies, and is started anew. */
  | { readonly do: 'restart'; readonly pod: string }
  /** The config map says something else. */
  | { readonly do: 'edit' }
  /** The config map is deleted and made again, and says something else. */
  | { readonly do: 'recreate'; readonly immutable: boolean }
  /** The config map is deleted. The next edit makes it again. */
  | { readonly do: 'drop' }
  /** The machine loses its power, and boots. */
  | { readonly do: 'reboot' };

/** A step of a life. */
export type Step = AnyStep<Deed>;

/** What a volume manager is put through, as a value. */
export interface VolumeScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  /** How long a message travels at most. */
  readonly latencyMs: number;
  readonly steps: readonly Step[];
}

const names = fc.constantFrom('a', 'b', 'c');
const someKinds = fc.uniqueArray(fc.constantFrom(...volumeKinds), { minLength: 1, maxLength: 4 });

const creates = fc.record({ do: fc.constant('create' as const), pod: names, volumes: someKinds });
const deletes = fc.record({ do: fc.constant('delete' as const), pod: names, graceMs: durations });
const vanishes = fc.record({ do: fc.constant('vanish' as const), pod: names });
const restarts = fc.record({ do: fc.constant('restart' as const), pod: names });
const edits = fc.constantFrom<Deed>(
  { do: 'edit' },
  { do: 'edit' },
  { do: 'recreate', immutable: true },
  { do: 'recreate', immutable: false },
  { do: 'drop' },
);

/** Calls of files and of storage drivers that fail, before or after they took effect. */
const callFaults: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    fault: fc.constant('fail-call' as const),
    process: fc.constant(PROCESS),
    port: fc.constantFrom('fs' as const, 'csi' as const),
    performed: fc.boolean(),
  }),
  fc.record({
    fault: fc.constant('fail-call' as const),
    process: fc.constant(PROCESS),
    port: fc.constant('csi' as const),
    verb: fc.constantFrom('nodeStageVolume', 'nodePublishVolume', 'nodeUnpublishVolume', 'nodeUnstageVolume'),
    performed: fc.boolean(),
  }),
  fc.record({
    fault: fc.constant('fail-call' as const),
    process: fc.constant(PROCESS),
    port: fc.constant('fs' as const),
    verb: fc.constantFrom(
      'mount',
      'unmount',
      'removeAll',
      'mounts',
      'readdir',
      'writeFile',
      'rename',
      'symlink',
    ),
    performed: fc.boolean(),
  }),
);

const crash: fc.Arbitrary<Fault> = fc.oneof(
  crashes(PROCESS),
  crashes(PROCESS).map((fault) => ('skip' in fault ? { ...fault, skip: fault.skip * 5 } : fault)),
);

const strikes = fc.oneof(
  { weight: 4, arbitrary: callFaults },
  { weight: 3, arbitrary: crash },
  { weight: 1, arbitrary: apiFaults(PROCESS) },
);

const at = (deed: Deed): Step => ({ afterMs: 0, ...deed });
const strike = (fault: Fault): Step => ({ afterMs: 0, strike: fault });

const chapters: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: creates.map((deed) => [at(deed)]) },
  { weight: 4, arbitrary: deletes.map((deed) => [at(deed)]) },
  { weight: 2, arbitrary: fc.oneof(restarts, edits).map((deed) => [at(deed)]) },
  { weight: 1, arbitrary: vanishes.map((deed) => [at(deed)]) },
  { weight: 1, arbitrary: fc.constant([at({ do: 'reboot' })]) },
  { weight: 4, arbitrary: strikes.map((fault) => [strike(fault)]) },
  // A pod comes, and what is to be done for it fails on the way.
  { weight: 4, arbitrary: fc.tuple(strikes, creates).map(([fault, deed]) => [strike(fault), at(deed)]) },
  // A pod goes, and what is to be done for it fails on the way.
  {
    weight: 4,
    arbitrary: fc
      .tuple(strikes, deletes)
      .map(([fault, deed]) => [at({ ...deed, graceMs: 0 }), { ...strike(fault), afterMs: 1 }]),
  },
  // A pod goes while the kubelet is away.
  {
    weight: 2,
    arbitrary: fc
      .tuple(crashes(PROCESS), fc.oneof(vanishes, deletes))
      .map(([fault, deed]) => [strike(fault), { ...at(deed), afterMs: 20 }]),
  },
  // The same object under the same name, and a pod that reads it.
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.boolean(), names)
      .map(([immutable, pod]) => [
        at({ do: 'recreate', immutable }),
        at({ do: 'create', pod, volumes: ['config', 'part'] }),
      ]),
  },
);

/** Histories of a node's volumes. */
export function scenarios(): fc.Arbitrary<VolumeScenario> {
  const paced = fc
    .tuple(pauses, chapters)
    .map(([pauseMs, steps]) =>
      steps.map((step, index): Step => (index === 0 ? { ...step, afterMs: step.afterMs + pauseMs } : step)),
    );
  const lives = fc.record({
    seed: seeds,
    schedule: schedules,
    latencyMs: fc.constantFrom(1, 1, 5),
    steps: fc.array(paced, { minLength: 2, maxLength: 9 }).map((all) => all.flat()),
  });
  return inWords(lives, sayScenario);
}
