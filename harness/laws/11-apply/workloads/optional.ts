import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { Act, ApplyScenario, Interruption, ObjectPlan, RequestFault, Step } from '../scenario/index.ts';
import type { FieldChoices, KindName } from '../scenario/kinds.ts';
import { act, acts, apply, choices, edited, objects, scenariosOf, target } from './parts.ts';

/** Fields whose lists merge by key. */
const LISTED: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  deployment: [
    'mode',
    'level',
    'port 80',
    'port 443',
    'side',
    'data mount',
    'log mount',
    'pull one',
    'pull two',
    'volume',
  ],
  service: ['port 80', 'port 443', 'port 9'],
  serviceaccount: ['secret one', 'secret two', 'pull one', 'pull two'],
};

/** Items of lists are reordered, in the manifest or in the live object, while items come and go. */
const reordered: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom<KindName>('deployment', 'deployment', 'service', 'serviceaccount')
  .chain((kind) => {
    const fields = LISTED[kind] ?? [];
    const some = fc
      .subarray([...fields], { minLength: 2 })
      .map((chosen): FieldChoices => Object.fromEntries(chosen.map((field) => [field, 1])));
    return fc
      .tuple(
        some,
        fc.subarray([...fields], { maxLength: 2 }),
        fc.constantFrom(...fields),
        choices(kind, 1),
        fc.nat({ max: 3 }),
        fc.nat({ max: 3 }),
      )
      .map(([chosen, gone, added, changed, others, how]): readonly Step[] => {
        const plan: ObjectPlan = { kind, name: 'web', fields: chosen };
        const removed = Object.fromEntries(gone.map((field) => [field, 0]));
        const fieldsAfter = {
          ...chosen,
          ...(how % 2 === 0 ? changed : {}),
          [added]: 1,
          ...(how > 1 ? removed : {}),
        };
        const next: ObjectPlan = { ...plan, fields: fieldsAfter, reversed: how !== 3 };
        const foreign = {
          deployment: 'foreign container',
          service: 'foreign port',
          serviceaccount: 'foreign secret',
        };
        const field = foreign[kind as keyof typeof foreign];
        const between: Act[] = [
          { act: 'edit', target: target(plan), field, value: 1 },
          { act: 'reorder', target: target(plan) },
        ];
        return [
          apply([plan]),
          ...between.slice(others % 2, others).map((each) => act(each)),
          apply([next]),
          apply([next]),
        ];
      });
  });

/** Finalizers change places in the manifest; others have one in the same list. */
const scalars: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.constantFrom<KindName>('configmap', 'deployment', 'service'),
    fc.boolean(),
    fc.constantFrom(0, 1, 2),
  )
  .map(([kind, hasOthers, changed]): readonly Step[] => {
    const plan: ObjectPlan = { kind, name: 'web', fields: { 'finalizer a': 1, 'finalizer b': 1 } };
    const label = { 'label set': changed };
    const next: ObjectPlan = { ...plan, fields: { 'finalizer b': 1, 'finalizer a': 1, ...label } };
    const foreign: Act = { act: 'edit', target: target(plan), field: 'foreign finalizer', value: 1 };
    return [apply([plan]), ...(hasOthers ? [act(foreign)] : []), apply([next]), apply([plan])];
  });

/** The type of a strategy or the source of a volume changes, while the live object has fields of the old one. */
const changedTypes: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    choices('deployment', 2),
    choices('deployment', 3, ['optional'], 1),
    choices('deployment', 3, ['optional'], 1),
  )
  .chain(([base, first, second]) => {
    const plan: ObjectPlan = { kind: 'deployment', name: 'web', fields: { ...base, ...first } };
    return fc
      .tuple(
        fc.array(acts(plan, ['optional']), { maxLength: 1 }),
        edited({ ...plan, fields: { ...plan.fields, ...second } }, ['optional']),
      )
      .map(([others, third]) => [
        apply([plan]),
        ...others.map((each) => act(each)),
        apply([{ ...plan, fields: { ...plan.fields, ...second } }]),
        apply([third]),
      ]);
  });

/** Scenarios of the law of order and retained keys. */
export const orderWorkloads: readonly Workload<ApplyScenario>[] = [
  { name: 'lists in another order', scenarios: scenariosOf(reordered), runs: 40 },
  { name: 'scalars in another order', scenarios: scenariosOf(scalars), runs: 6 },
  { name: 'strategies and volumes that change', scenarios: scenariosOf(changedTypes), runs: 40 },
];

/** Events of a migration: the annotation is refused, or another manager writes a field. */
type Meanwhile = 'refused annotation' | 'another owner';

/** Client-side applies, then server-side applies that lose fields, with fields of other managers. */
const migrations: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom<KindName>('configmap', 'configmap', 'serviceaccount', 'deployment', 'service', 'widget')
  .chain((kind) => objects(kind, { max: 5 }))
  .chain((plan) => {
    const foreign = { act: 'edit', target: target(plan), field: 'foreign label', value: 1 } as const;
    const owned = {
      ...foreign,
      act: 'server-side apply',
      field: 'label set',
      value: 2,
      manager: 'operator',
    } as const;
    return fc
      .tuple(
        edited(plan),
        edited(plan),
        fc.subarray([foreign, owned]),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom('client first', 'client first', 'client first', 'server first', 'dry run'),
        fc.constantFrom<number | Meanwhile>(0, 0, 1, 4, 'refused annotation', 'another owner'),
        fc.boolean(),
      )
      .map(([second, third, others, forceConflicts, forgets, how, meanwhile, force]): readonly Step[] => {
        const serverSide = {
          serverSide: true,
          ...(forceConflicts && { forceConflicts }),
          ...(force && { force }),
        };
        const conflicts = typeof meanwhile === 'number' ? meanwhile : 0;
        const clean = (each: ObjectPlan): ObjectPlan => ({ ...each, fields: withoutTraps(each.fields) });
        const [a, b, c] = [clean(plan), clean(second), clean(third)];
        // The first requests apply the manifest, and the annotation; then the owners move.
        const faults: RequestFault[] = [
          meanwhile === 'refused annotation'
            ? { verb: 'write', skip: 1, times: 1, reason: 'Forbidden' }
            : { verb: 'write', skip: 2, times: conflicts, reason: 'Conflict' },
        ];
        const during: Interruption[] =
          meanwhile === 'another owner'
            ? [{ ...owned, field: 'foreign note', value: 1, when: 'before', verb: 'write', skip: 2 }]
            : [];
        return [
          how === 'server first' ? apply([a], serverSide) : apply([a]),
          ...others.map((each) => act(each)),
          ...(forgets ? [apply([a])] : []),
          apply([b], how === 'dry run' ? { ...serverSide, dryRun: 'server' } : serverSide, {
            faults,
            during,
          }),
          apply([c], serverSide),
        ];
      });
  });

/** The manager whose fields move owns the status, too. */
const statuses: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom<KindName>('deployment', 'service')
  .chain((kind) => objects(kind, { max: 2 }))
  .map((plan): readonly Step[] => {
    const clean = { ...plan, fields: withoutTraps(plan.fields) };
    const report = { act: 'report', target: target(plan) } as const;
    return [apply([clean]), act(report), apply([clean], { serverSide: true })];
  });

/** Removes fields that make the server refuse a later manifest, or that a null would set. */
function withoutTraps(fields: FieldChoices): FieldChoices {
  const { 'old configuration': _, immutable: __, ...rest } = fields;
  return rest;
}

/** Scenarios of the laws of server-side applies. */
export const ownerWorkloads: readonly Workload<ApplyScenario>[] = [
  {
    name: 'from client-side to server-side',
    scenarios: scenariosOf(migrations, { tracksOwners: true }),
    runs: 40,
  },
  { name: 'owners of a status', scenarios: scenariosOf(statuses, { tracksOwners: true }), runs: 4 },
];

/** Objects disappear from the manifests; others have the label, the annotation, or neither. */
const prunings: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom<KindName>(
          'configmap',
          'configmap',
          'service',
          'deployment',
          'serviceaccount',
          'widget',
          'namespace',
        ),
        fc.constantFrom(undefined, undefined, 'team', 'other'),
        fc.constantFrom(1, 1, 1, 2, 0),
        fc.nat({ max: 3 }),
      ),
      { minLength: 2, maxLength: 6 },
    ),
    fc.constantFrom<'client' | 'server' | undefined>(
      undefined,
      undefined,
      undefined,
      undefined,
      'client',
      'server',
    ),
    fc.nat({ max: 3 }),
    fc.constantFrom<'lag' | undefined>('lag', undefined, undefined),
    fc.boolean(),
    fc.constantFrom(undefined, undefined, 0, 1),
  )
  .map(([objects, dryRun, fails, lag, required, refused]): readonly Step[] => {
    const plans = objects.map(
      ([kind, namespace, set], i): ObjectPlan => ({
        kind,
        name: `web-${i}`,
        ...(kind === 'namespace' || namespace === undefined ? {} : { namespace }),
        fields: { 'label set': set },
      }),
    );
    const kept = plans.filter((_, i) => objects[i]?.[3] === 0);
    const applied = plans.filter((_, i) => (objects[i]?.[3] ?? 0) < 3);
    const madeByOthers = plans.filter((_, i) => objects[i]?.[3] === 3);
    const anchor: ObjectPlan = { kind: 'configmap', name: 'anchor', fields: { 'label set': 1 } };
    const second: ObjectPlan = { ...anchor, name: 'second', namespace: 'team' };
    const anchors = required ? [anchor] : [anchor, second];
    const bad = { broken: 'no kind' } as const;
    return [
      apply([...anchors, ...applied]),
      ...madeByOthers.map((object) => act({ act: 'create', object })),
      ...(lag ? [act({ act: 'lag', replica: 0, forMs: 400 })] : []),
      apply(
        [...anchors, ...kept, ...(fails === 0 ? [bad] : [])],
        {
          prune: { set: 'one' },
          ...(dryRun && { dryRun }),
          ...(required &&
            kept.every(({ namespace }) => namespace === undefined) && { namespace: 'default', required }),
        },
        refused === undefined
          ? {}
          : { faults: [{ verb: 'delete', skip: refused, times: 1, reason: 'Forbidden' }] },
      ),
    ];
  });

/** Objects of several kinds and namespaces have one name, and all objects of a namespace leave the manifests. */
const namesakes: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.subarray(['configmap', 'service', 'serviceaccount'] as const, { minLength: 1 }),
    fc.constantFrom('default', 'team'),
    fc.boolean(),
  )
  .map(([kept, place, required]): readonly Step[] => {
    const kinds = ['configmap', 'service', 'serviceaccount'] as const;
    const all = ['default', 'team'].flatMap((namespace) =>
      kinds.map((kind): ObjectPlan => ({ kind, name: 'web', namespace, fields: { 'label set': 1 } })),
    );
    const left = all.filter(({ kind, namespace }) => namespace === place && kept.includes(kind as never));
    const options = required ? { namespace: place, required } : {};
    return [apply(all), apply(left, { prune: { set: 'one' }, ...options })];
  });

/** Scenarios of the law of pruning. */
export const pruneWorkloads: readonly Workload<ApplyScenario>[] = [
  { name: 'objects that left the manifests', scenarios: scenariosOf(prunings), runs: 52 },
  { name: 'objects of one name', scenarios: scenariosOf(namesakes), runs: 16 },
];
