import fc from 'fast-check';
import type { Act, ObjectPlan, Step } from '../scenario/index.ts';
import type { FieldChoices, KindName } from '../scenario/kinds.ts';
import { act, acts, apply, choices, target } from './parts.ts';

/** Fields whose lists merge, and a field of another client in such a list. */
export interface Listed {
  readonly kind: KindName;
  readonly fields: readonly string[];
  readonly foreign: string;
}

const FINALIZERS: Listed['fields'] = ['finalizer a', 'finalizer b'];

export const LISTED: readonly Listed[] = [
  { kind: 'deployment', fields: ['side', 'init', 'image'], foreign: 'foreign container' },
  { kind: 'deployment', fields: ['mode', 'level'], foreign: 'foreign env' },
  { kind: 'deployment', fields: ['port 80', 'port 443'], foreign: 'foreign port' },
  { kind: 'deployment', fields: ['pull one', 'pull two'], foreign: 'foreign pull secret' },
  { kind: 'deployment', fields: ['volume', 'data mount', 'log mount'], foreign: 'foreign volume' },
  { kind: 'service', fields: ['port 80', 'port 443', 'port 9'], foreign: 'foreign port' },
  { kind: 'serviceaccount', fields: ['secret one', 'secret two'], foreign: 'foreign secret' },
  { kind: 'configmap', fields: FINALIZERS, foreign: 'foreign finalizer' },
  { kind: 'deployment', fields: FINALIZERS, foreign: 'foreign finalizer' },
  { kind: 'widget', fields: FINALIZERS, foreign: 'foreign finalizer' },
];

/** Items of the manifest change, come and go; another client has an item in the same list. */
export const lists: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom(...LISTED)
  .chain(({ kind, fields, foreign }) =>
    fc
      .tuple(
        fc.subarray([...fields], { minLength: Math.min(2, fields.length) }),
        fc.tuple(...fields.map(() => fc.constantFrom(0, 0, 1, 2, 3))),
        choices(kind, 1),
        fc.nat({ max: 3 }),
      )
      .map(([first, values, more, others]): readonly Step[] => {
        const plan: ObjectPlan = { kind, name: 'web', fields: chosen(first.map((field) => [field, 1])) };
        const next = chosen(fields.map((field, i) => [field, values[i] ?? 0]));
        const second: ObjectPlan = { ...plan, fields: { ...plan.fields, ...more, ...next } };
        const foreignItem: Act = { act: 'edit', target: target(plan), field: foreign, value: 1 };
        return [apply([plan]), ...(others > 0 ? [act(foreignItem)] : []), apply([second]), apply([second])];
      }),
  );

const chosen = (pairs: readonly (readonly [string, number])[]): FieldChoices => Object.fromEntries(pairs);

/** Fields with a value and a null, by their numbers. */
const NULLS: readonly (readonly [kind: KindName, field: string, value: number, none: number])[] = [
  ['deployment', 'replicas', 2, 4],
  ['configmap', 'data null', 2, 1],
  ['widget', 'nested null', 2, 1],
];

/** A field becomes null, or stops being null. */
export const nulls: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom(...NULLS)
  .chain(([kind, field, value, none]) =>
    fc
      .tuple(
        choices(kind, 2),
        fc.array(fc.constantFrom(value, none, 0), { minLength: 1, maxLength: 2 }),
        fc.boolean(),
      )
      .map(([fields, turns, drifts]): readonly Step[] => {
        const plan = (choice: number): ObjectPlan => ({
          kind,
          name: 'web',
          fields: { ...fields, [field]: choice },
        });
        const drift: Act = { act: 'edit', target: target(plan(0)), field, value };
        return [
          apply([plan(value)]),
          apply([plan(none)]),
          ...(drifts ? [act(drift)] : []),
          ...turns.map((choice) => apply([plan(choice)])),
          apply([plan(none)]),
          // A null in both manifests removes the field again.
          act(drift),
          apply([plan(none)]),
        ];
      }),
  );

/** A new object has nulls in its lists. */
export const newNulls: fc.Arbitrary<readonly Step[]> = fc
  .tuple(choices('widget', 2), fc.integer({ min: 1, max: 2 }))
  .map(([fields, steps]) => [apply([{ kind: 'widget', name: 'web', fields: { ...fields, steps } }])]);

/** A field of the manifest and a field of another client in one map. */
const NEIGHBOURS: readonly (readonly [kind: KindName, own: string, foreign: string])[] = [
  ['configmap', 'label track', 'foreign label'],
  ['serviceaccount', 'label set', 'foreign label'],
  ['configmap', 'data a', 'foreign data'],
  ['service', 'note', 'foreign note'],
  ['service', 'tier', 'foreign selector'],
  ['deployment', 'disk', 'foreign selector'],
  ['deployment', 'image', 'foreign env'],
  ['deployment', 'template note', 'foreign note'],
  ['deployment', 'memory', 'foreign limit'],
  ['widget', 'label set', 'foreign label'],
  ['widget', 'deep c', 'foreign field'],
];

/** Between the read and the write of an apply, another client changes a field beside a field that changes. */
export const overlaps: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom(...NEIGHBOURS)
  .chain(([kind, own, foreign]) => {
    const plan: ObjectPlan = { kind, name: 'web', fields: { [own]: 1 } };
    return fc
      .tuple(
        fc.constantFrom(1, 1, 1, 0),
        fc.constantFrom(2, 2, 0, 1),
        fc.constantFrom(2, 2, 2, 0, 1),
        acts(plan),
      )
      .map(([before, meanwhile, next, other]): readonly Step[] => {
        const edit = (value: number): Act => ({ act: 'edit', target: target(plan), field: foreign, value });
        const second: ObjectPlan = { ...plan, fields: { [own]: next } };
        const during = [
          { ...edit(meanwhile), when: 'before', verb: 'write', skip: 0 } as const,
          { ...other, when: 'after', verb: 'write', skip: 0 } as const,
        ];
        return [apply([plan]), act(edit(before)), apply([second], {}, { during }), apply([second])];
      });
  });

/** Pairs of values that differ in one detail: the order of a list, the case or the white space of a text, a fraction. */
const DETAILS: Readonly<
  Partial<Record<KindName, readonly (readonly [field: string, from: number, to: number])[]>>
> = {
  deployment: [
    ['args', 2, 3],
    ['args', 3, 2],
  ],
  configmap: [
    ['data a', 1, 7],
    ['data B', 1, 8],
    ['data _x', 9, 1],
  ],
  widget: [
    ['numbers', 1, 2],
    ['count', 1, 2],
    ['text', 1, 5],
    ['text', 6, 1],
    ['reference', 1, 2],
    ['phase', 1, 2],
  ],
};

/** A value changes in one detail: in the manifest, or on the server. */
export const details: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom<KindName>('deployment', 'configmap', 'widget', 'widget')
  .chain((kind) =>
    fc
      .tuple(fc.shuffledSubarray([...(DETAILS[kind] ?? [])], { minLength: 1 }), fc.boolean())
      .map(([pairs, drifts]): readonly Step[] =>
        pairs.flatMap(([field, from, to]) => {
          const plan = (choice: number): ObjectPlan => ({ kind, name: 'web', fields: { [field]: choice } });
          const drift: Act = { act: 'edit', target: target(plan(0)), field, value: to };
          return [
            apply([plan(from)]),
            ...(drifts ? [act(drift), apply([plan(from)])] : []),
            apply([plan(to)]),
          ];
        }),
      ),
  );

/** A manifest names a resourceVersion or a uid, which the live object does not have. */
export const guards: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.constantFrom<KindName>('configmap', 'widget', 'deployment'),
    fc.constantFrom('stale version', 'other uid'),
    fc.boolean(),
  )
  .map(([kind, guard, changes]): readonly Step[] => {
    const plan: ObjectPlan = { kind, name: 'web', fields: { 'label track': 1 } };
    const fields = { 'label track': changes ? 2 : 1, [guard]: 1 };
    return [apply([plan]), apply([{ ...plan, fields }]), apply([plan])];
  });

/** Fields whose values exclude each other: the server refuses an object with parts of two. */
const ALTERNATIVES: readonly (readonly [field: string, count: number])[] = [
  ['mode', 4],
  ['mode', 4],
  ['volume', 4],
  ['strategy', 2],
];

/** A variable gets its value from elsewhere, or a volume another source. */
export const alternatives: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom(...ALTERNATIVES)
  .chain(([field, count]) =>
    fc
      .tuple(
        fc.array(fc.integer({ min: 1, max: count }), { minLength: 2, maxLength: 4 }),
        choices('deployment', 1),
      )
      .map(([values, fields]) =>
        values.map((value) =>
          apply([{ kind: 'deployment', name: 'web', fields: { ...fields, [field]: value } }]),
        ),
      ),
  );
