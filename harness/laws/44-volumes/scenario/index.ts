import fc from 'fast-check';
import type { Fault } from '../../../faults/index.ts';
import { apiFaults, crashes } from '../../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../../testing/arbitraries/paced-steps.ts';
import { durations, schedules, seeds } from '../../../testing/arbitraries/time.ts';
import type { Workload } from '../../../testing/holds.ts';
import type { Step as AnyStep } from '../../../testing/rig/play.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render.ts';
import { PROCESS } from '../simulation/node.ts';

/** The kinds of volumes of the pods; each volume is named after its kind. */
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
  'folder',
] as const;

/** One of {@link volumeKinds}. `part`, `piece` and `folder` are subPaths: of the config map, of an emptyDir, of a hostPath. */
export type VolumeKind = (typeof volumeKinds)[number];

/** Whether pods may mount the volume of a claim. */
export type ClaimState = 'bound' | 'unbound' | 'of another claim';

/** An operation on the node, or on the objects that its pods mount. */
export type Operation =
  /** Creates a pod with this name, if there is none. */
  | { readonly do: 'create'; readonly pod: string; readonly volumes: readonly VolumeKind[] }
  /** Deletes the pod: its containers stop after a while, and the kubelet waits until its volumes are unmounted. */
  | { readonly do: 'delete'; readonly pod: string; readonly graceMs: number }
  /** Removes the pod and its containers; the kubelet observes nothing of it. */
  | { readonly do: 'vanish'; readonly pod: string }
  /** Kills a container, and starts it again. */
  | { readonly do: 'restart'; readonly pod: string }
  /** Changes the config map. */
  | { readonly do: 'edit' }
  /** Deletes and recreates the config map with another value. */
  | { readonly do: 'recreate'; readonly immutable: boolean }
  /** Deletes the config map. The next edit recreates it. */
  | { readonly do: 'drop' }
  /** Binds the claim `claim` to its volume, or unbinds it, or gives its volume to a recreated claim. */
  | { readonly do: 'claim'; readonly is: ClaimState }
  /** Crashes the kubelet; it restarts later. */
  | { readonly do: 'kill'; readonly awayMs: number }
  /** Cuts the machine's power, and boots it. */
  | { readonly do: 'reboot' };

/** A step of a scenario. */
export type Step = AnyStep<Operation>;

/** A scenario for the volume manager, as a value. */
export interface VolumeScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  /** The maximum latency of a message. */
  readonly latencyMs: number;
  /** How long a starting kubelet does not know its pods. */
  readonly knowsAfterMs: number;
  readonly steps: readonly Step[];
}

const names = fc.constantFrom('a', 'b', 'c');
const someKinds = fc.uniqueArray(fc.constantFrom(...volumeKinds), { minLength: 1, maxLength: 4 });

const creates = fc.record({ do: fc.constant('create' as const), pod: names, volumes: someKinds });
const deletes = fc.record({ do: fc.constant('delete' as const), pod: names, graceMs: durations });
const vanishes = fc.record({ do: fc.constant('vanish' as const), pod: names });
const restarts = fc.record({ do: fc.constant('restart' as const), pod: names });
const kills = fc.record({ do: fc.constant('kill' as const), awayMs: durations });
const edits = fc.constantFrom<Operation>(
  { do: 'edit' },
  { do: 'edit' },
  { do: 'recreate', immutable: true },
  { do: 'recreate', immutable: false },
  { do: 'drop' },
);

/** Calls of files and of storage drivers that fail, before or after they take effect. */
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

const at = (operation: Operation): Step => ({ afterMs: 0, ...operation });
const strike = (fault: Fault): Step => ({ afterMs: 0, strike: fault });

const someSteps: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: creates.map((operation) => [at(operation)]) },
  { weight: 4, arbitrary: deletes.map((operation) => [at(operation)]) },
  { weight: 2, arbitrary: fc.oneof(restarts, edits).map((operation) => [at(operation)]) },
  { weight: 1, arbitrary: vanishes.map((operation) => [at(operation)]) },
  { weight: 2, arbitrary: kills.map((operation) => [at(operation)]) },
  { weight: 1, arbitrary: fc.constant([at({ do: 'reboot' })]) },
  { weight: 4, arbitrary: strikes.map((fault) => [strike(fault)]) },
  // A pod is created, and a call for it fails.
  {
    weight: 4,
    arbitrary: fc.tuple(strikes, creates).map(([fault, operation]) => [strike(fault), at(operation)]),
  },
  // A pod is deleted, and a call for it fails.
  {
    weight: 4,
    arbitrary: fc
      .tuple(strikes, deletes)
      .map(([fault, operation]) => [at({ ...operation, graceMs: 0 }), { ...strike(fault), afterMs: 1 }]),
  },
  // A pod is deleted while the kubelet is down.
  {
    weight: 2,
    arbitrary: fc
      .tuple(kills, fc.oneof(vanishes, deletes))
      .map(([kill, operation]) => [at(kill), { ...at(operation), afterMs: 20 }]),
  },
  // An object is recreated under the same name, and a pod reads it.
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

/** A pod is created, a step of it fails, and it is deleted before the next try. */
const hurried = fc
  .record({
    strike: fc.record({
      fault: fc.constant('fail-call' as const),
      process: fc.constant(PROCESS),
      port: fc.constantFrom('csi' as const, 'csi' as const, 'fs' as const),
      performed: fc.constantFrom(true, true, false),
    }),
    verb: fc.constantFrom('nodeStageVolume', 'nodePublishVolume', 'nodePublishVolume', undefined),
    pod: names,
    volumes: fc.uniqueArray(fc.constantFrom(...volumeKinds), { maxLength: 2 }),
    driven: fc.constantFrom('claim' as const, 'share' as const, 'inline' as const),
    afterMs: fc.integer({ min: 300, max: 1_200 }),
  })
  .map(({ strike: fault, verb, pod, volumes, driven, afterMs }): readonly Step[] => [
    strike(verb && fault.port === 'csi' ? { ...fault, verb } : fault),
    at({ do: 'create', pod, volumes: [driven, ...volumes.filter((kind) => kind !== driven)] }),
    { ...at({ do: 'delete', pod, graceMs: 0 }), afterMs },
  ]);

/** The kubelet crashes while pods are deleted, and the next one fails to read the disk. */
const unread = fc
  .record({
    pod: names,
    volumes: fc.uniqueArray(fc.constantFrom(...volumeKinds), { minLength: 1, maxLength: 3 }),
    verb: fc.constantFrom('stat', 'readdir', 'readFile', undefined),
    skipMs: fc.integer({ min: 0, max: 12 }),
    ends: fc.constantFrom('delete' as const, 'vanish' as const, 'stay' as const),
  })
  .map(({ pod, volumes, verb, skipMs, ends }): readonly Step[] => {
    const end: readonly Step[] =
      ends === 'stay'
        ? []
        : [ends === 'vanish' ? at({ do: 'vanish', pod }) : at({ do: 'delete', pod, graceMs: 0 })];
    return [
      at({ do: 'create', pod, volumes: ['claim', ...volumes.filter((kind) => kind !== 'claim')] }),
      { ...at({ do: 'kill', awayMs: 3_000 }), afterMs: 5_000 },
      ...end.map((step): Step => ({ ...step, afterMs: 1_000 })),
      {
        ...strike({
          ...{ fault: 'fail-call', process: PROCESS, port: 'fs', performed: false },
          ...(verb && { verb }),
        }),
        afterMs: skipMs,
      },
    ];
  });

/** A pod is deleted, and its driver fails to undo its work. */
const undone = fc
  .record({
    // The steps of a driver depend on the kind.
    of: fc.constantFrom(
      { verb: 'nodeUnstageVolume', kind: 'claim' as const },
      { verb: 'nodeUnpublishVolume', kind: 'claim' as const },
      { verb: 'nodeUnpublishVolume', kind: 'share' as const },
      { verb: 'nodeUnpublishVolume', kind: 'inline' as const },
    ),
    performed: fc.constantFrom(false, false, true),
    pod: names,
    stayMs: fc.integer({ min: 2_000, max: 3_000 }),
  })
  .map(({ of: { verb, kind }, performed, pod, stayMs }): readonly Step[] => [
    at({ do: 'create', pod, volumes: [kind, 'disk'] }),
    {
      ...strike({ fault: 'fail-call', process: PROCESS, port: 'csi', verb, performed }),
      afterMs: stayMs,
    },
    at({ do: 'delete', pod, graceMs: 0 }),
  ]);

/** A config map is recreated again and again, and each time a new pod reads it. */
const remade = fc
  .record({
    immutable: fc.boolean(),
    kinds: fc.uniqueArray(fc.constantFrom('config' as const, 'projected' as const, 'part' as const), {
      minLength: 1,
    }),
    pods: fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 2 }),
    stayMs: fc.integer({ min: 500, max: 2_000 }),
  })
  .map(({ immutable, kinds, pods, stayMs }): readonly Step[] =>
    pods.flatMap((pod): readonly Step[] => [
      { ...at({ do: 'recreate', immutable }), afterMs: stayMs },
      at({ do: 'create', pod, volumes: kinds }),
    ]),
  );

/** Files are written, and a step of it fails. */
const written = fc
  .record({
    verb: fc.constantFrom('rename', 'rename', 'symlink', 'writeFile', 'mkdirAll', 'removeAll'),
    performed: fc.constantFrom(false, false, true),
    pod: names,
    kind: fc.constantFrom('config' as const, 'projected' as const),
    isEdit: fc.boolean(),
  })
  .map(({ verb, performed, pod, kind, isEdit }): readonly Step[] => {
    const fault = strike({ fault: 'fail-call', process: PROCESS, port: 'fs', verb, performed });
    const create = at({ do: 'create', pod, volumes: [kind, 'secret'] });
    if (!isEdit) return [fault, create];
    return [create, { ...fault, afterMs: 2_000 }, at({ do: 'edit' }), at({ do: 'restart', pod })];
  });

/** A pod passes its volume on to the next pod. */
const relay = fc
  .array(
    fc.record({ afterMs: fc.integer({ min: 0, max: 700 }), stayMs: fc.integer({ min: 1_500, max: 2_500 }) }),
    {
      minLength: 2,
      maxLength: 5,
    },
  )
  .map((legs): readonly Step[] =>
    legs.flatMap(({ afterMs, stayMs }, i): readonly Step[] => {
      const [from, to] = i % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
      return [
        ...(i === 0 ? [at({ do: 'create', pod: 'a', volumes: ['claim'] })] : []),
        { ...at({ do: 'delete', pod: from as string, graceMs: 0 }), afterMs: stayMs },
        { ...at({ do: 'create', pod: to as string, volumes: ['claim'] }), afterMs },
      ];
    }),
  );

/** A pod is created while its claim is not bound, which it may be later. */
const unclaimed = fc
  .record({
    is: fc.constantFrom('unbound' as const, 'of another claim' as const),
    pod: names,
    others: fc.subarray(['disk' as const, 'config' as const]),
    waitMs: fc.integer({ min: 500, max: 4_000 }),
    isBound: fc.boolean(),
  })
  .map(({ is, pod, others, waitMs, isBound }): readonly Step[] => [
    at({ do: 'claim', is }),
    at({ do: 'create', pod, volumes: ['claim', ...others] }),
    { ...at(isBound ? { do: 'claim', is: 'bound' } : { do: 'delete', pod, graceMs: 0 }), afterMs: waitMs },
  ]);

/** Several such recipes, one after the other, with other steps between them. */
function scenariosWith(
  recipe: fc.Arbitrary<readonly Step[]>,
  length: { readonly minLength: number; readonly maxLength: number },
  latencyMs: fc.Arbitrary<number> = fc.constantFrom(1, 1, 5),
) {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    latencyMs,
    knowsAfterMs: fc.constantFrom(0, 0, 3_000),
    steps: pacedSteps(recipe, length),
  });
  return inWords(all, describeScenario);
}

/** Scenarios for a node's volumes. */
export function scenarios(): readonly Workload<VolumeScenario>[] {
  return [
    { name: 'any steps', scenarios: scenariosWith(someSteps, { minLength: 2, maxLength: 9 }), runs: 56 },
    {
      name: 'a pod that is deleted while it starts',
      scenarios: scenariosWith(fc.oneof(hurried, hurried, someSteps), { minLength: 1, maxLength: 3 }),
      runs: 32,
    },
    {
      name: 'a restarted kubelet that cannot read its disk',
      scenarios: scenariosWith(fc.oneof(unread, unread, someSteps), { minLength: 1, maxLength: 3 }),
      runs: 30,
    },
    {
      name: 'an unmount that fails',
      scenarios: scenariosWith(undone, { minLength: 1, maxLength: 3 }),
      runs: 24,
    },
    {
      name: 'a config map that is recreated',
      scenarios: scenariosWith(fc.oneof(remade, remade, someSteps), { minLength: 1, maxLength: 2 }),
      runs: 10,
    },
    {
      name: 'a call that fails while files are written',
      scenarios: scenariosWith(written, { minLength: 1, maxLength: 3 }),
      runs: 20,
    },
    {
      name: 'a claim that is not bound',
      scenarios: scenariosWith(unclaimed, { minLength: 1, maxLength: 3 }),
      runs: 8,
    },
    {
      name: 'a volume that passes from pod to pod',
      scenarios: scenariosWith(relay, { minLength: 1, maxLength: 2 }, fc.constantFrom(5, 10)),
      runs: 12,
    },
  ];
}
