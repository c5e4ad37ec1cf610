import fc from 'fast-check';
import type { Broken, DocumentPlan, ObjectPlan, RequestFault, Step } from '../scenario/index.ts';
import type { KindName } from '../scenario/kinds.ts';
import { act, apply, edited, objects } from './parts.ts';

const KINDS: readonly KindName[] = [
  'configmap',
  'configmap',
  'serviceaccount',
  'service',
  'widget',
  'deployment',
];

/** Generates objects with different names, so that no document is about the object of another one. */
const distinct = (min: number, max: number): fc.Arbitrary<ObjectPlan[]> =>
  fc
    .array(
      fc.constantFrom(...KINDS).chain((kind) => objects(kind, { max: 3 })),
      { minLength: min, maxLength: max },
    )
    .map((plans) => plans.map((plan, i) => ({ ...plan, name: `${plan.name}-${'cab'[i % 3]}${i}` })));

/** Puts some neighbours into lists. */
function listed(plans: readonly ObjectPlan[], cuts: readonly number[]): DocumentPlan[] {
  const [cut = 0, depth = 0] = cuts;
  if (plans.length < 2 || cut === 0) return [...plans];
  const [head, rest] = [plans.slice(0, cut), plans.slice(cut)];
  if (head.every(({ kind }) => kind === 'configmap')) return [{ list: head, kind: 'ConfigMapList' }, ...rest];
  if (depth === 0) return [{ list: head }, ...rest];
  return [...rest, { list: [{ list: head.slice(0, 1) }, ...head.slice(1)] }];
}

const shapes = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 1 }));

/** Several documents, lists and lists in lists; objects fail in the middle. */
export const many: fc.Arbitrary<readonly Step[]> = fc
  .tuple(distinct(2, 5), shapes, fc.nat({ max: 3 }), fc.constantFrom('create', 'write', 'get', undefined))
  .chain(([plans, cuts, skip, verb]) =>
    fc.tuple(...plans.map((plan) => edited(plan))).map((next): readonly Step[] => {
      const faults: RequestFault[] = verb
        ? [{ verb: verb as RequestFault['verb'], skip, times: 1, reason: 'Forbidden' }]
        : [];
      return [
        apply(listed(plans, cuts), {}, { faults }),
        ...next.slice(0, 1).map((object) => act({ act: 'replace', object })),
        apply(listed(next, cuts)),
      ];
    }),
  );

const BROKEN: readonly Broken[] = [
  'not parsed',
  'null',
  'text',
  'number',
  'no kind',
  'no apiVersion',
  'no name',
  'generated name',
  'unknown kind',
];

/** A list of ConfigMaps with bad items between good ones. An item with a kind or an apiVersion gets none from the list. */
function withBadItems(faulty: readonly Broken[]): DocumentPlan {
  const fields = { 'data a': 1 };
  const bad = faulty.filter((each) => each !== 'null' && each !== 'not parsed');
  return {
    kind: 'ConfigMapList',
    list: [
      { kind: 'configmap', name: 'item-1', fields },
      ...bad.map((broken) => ({ broken })),
      { kind: 'configmap', name: 'item-2', fields },
    ],
  };
}

/** Broken and empty documents between good ones. */
export const broken: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    distinct(1, 3),
    fc.array(fc.tuple(fc.constantFrom(...BROKEN), fc.nat({ max: 3 })), { minLength: 1, maxLength: 3 }),
    fc.constantFrom<'client' | undefined>(undefined, undefined, undefined, 'client'),
    fc.nat({ max: 2 }),
  )
  .map(([plans, faulty, dryRun, listedBefore]) => {
    const documents: DocumentPlan[] = [...plans];
    for (const [kind, place] of faulty) documents.splice(place, 0, { broken: kind });
    if (listedBefore > 0) documents.push(withBadItems(faulty.map(([kind]) => kind)));
    return [apply(documents, dryRun ? { dryRun } : {}), apply(documents)];
  });

const PLACES = [undefined, undefined, '', 'default', 'team', 'other'] as const;

/** Namespaces of flags, of the context and of manifests; kinds with and without a namespace; a new namespace. */
export const named: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    distinct(1, 3),
    fc.array(fc.constantFrom(...PLACES), { minLength: 3, maxLength: 3 }),
    fc.constantFrom('default', 'team'),
    fc.boolean(),
    fc.constantFrom<'namespace' | 'definition' | 'new namespace' | undefined>(
      'namespace',
      'definition',
      'new namespace',
      undefined,
    ),
    shapes,
  )
  .map(([plans, places, namespace, required, extra, cuts]) => {
    const placed = plans.map((plan, i) => {
      const place = places[i % places.length];
      return place === undefined ? plan : { ...plan, namespace: place };
    });
    const fields = { 'label track': 1 };
    const first: DocumentPlan[] =
      extra === 'new namespace'
        ? [
            { kind: 'namespace', name: 'fresh', fields },
            { kind: 'configmap', name: 'inside', namespace: 'fresh', fields },
          ]
        : extra
          ? [{ kind: extra, name: 'team', fields }]
          : [];
    const options = { namespace, ...(required && { required }) };
    return [apply([...first, ...listed(placed, cuts)], options), apply([...first, ...placed], options)];
  });
