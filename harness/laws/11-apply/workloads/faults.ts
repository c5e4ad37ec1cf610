import fc from 'fast-check';
import type { Act, FaultReason, Interruption, ObjectPlan, RequestFault, Step } from '../scenario/index.ts';
import type { KindName } from '../scenario/kinds.ts';
import { act, acts, apply, edited, objects, target, turns } from './parts.ts';

/** Returns an act at a request of an apply. */
export const interruption = (
  one: Act,
  when: Interruption['when'],
  verb: Interruption['verb'],
  skip = 0,
): Interruption => ({ ...one, when, verb, skip }) as Interruption;

/** Others change the object between the read and the write of an apply, or directly after the write. */
export const races = (plan: ObjectPlan): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      edited(plan),
      fc.oneof({ weight: 4, arbitrary: acts(plan) }, { weight: 1, arbitrary: turns(plan) }),
      fc.constantFrom(
        ['before', 'write'] as const,
        ['after', 'get'] as const,
        ['before', 'get'] as const,
        ['after', 'write'] as const,
      ),
      fc.array(acts(plan), { maxLength: 1 }),
      fc.nat({ max: 9 }),
    )
    .map(([second, one, [when, verb], before, first]) => {
      const meeting = interruption(one, when, verb);
      const beginning: Step[] =
        first === 0
          ? [
              apply(
                [plan],
                {},
                { during: [interruption({ act: 'create', object: plan }, 'before', 'create')] },
              ),
            ]
          : [apply([plan])];
      return [
        ...beginning,
        ...before.map((each) => act(each)),
        apply([second], {}, { during: [meeting] }),
        apply([second]),
      ];
    });

/** The server answers patches with 409, and meanwhile others change the object. */
export const storms = (plan: ObjectPlan): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      edited(plan),
      fc.constantFrom(1, 2, 3, 5, 6, 7),
      fc.array(
        fc.tuple(
          fc.oneof({ weight: 6, arbitrary: acts(plan) }, { weight: 1, arbitrary: turns(plan) }),
          fc.integer({ min: 1, max: 5 }),
        ),
        {
          minLength: 1,
          maxLength: 2,
        },
      ),
      fc.constantFrom(
        'Conflict' as const,
        'Conflict' as const,
        'Conflict' as const,
        'InternalError' as const,
      ),
      fc.integer({ min: 1, max: 2 }),
      drift(plan),
    )
    .map(([second, times, meanwhile, then, extra, drifted]) => {
      const faults: RequestFault[] = [
        { verb: 'write', skip: 0, times, reason: 'Conflict' },
        { verb: 'write', skip: times, times: extra, reason: then },
      ];
      const during = meanwhile.map(([one, skip]) =>
        interruption(one, 'before', 'get', Math.min(skip, times)),
      );
      return [
        apply([plan]),
        ...drifted,
        apply([second], {}, { during, faults: then === 'Conflict' ? faults.slice(0, 1) : faults }),
        apply([second]),
      ];
    });

/** A label that certainly differs from the manifest, so that the next apply must patch. */
const drift = (plan: ObjectPlan): fc.Arbitrary<readonly Step[]> =>
  fc.constant([act({ act: 'forget', target: target(plan) })]);

const REASONS: readonly FaultReason[] = [
  'lost before',
  'lost after',
  'InternalError',
  'TooManyRequests',
  'Timeout',
  'Forbidden',
  'Invalid',
];

/** Requests fail for other reasons, before or after the server handled them. */
export const failing = (plan: ObjectPlan): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      edited(plan),
      fc.constantFrom(...REASONS),
      fc.constantFrom('get' as const, 'write' as const, 'write' as const, 'create' as const),
      fc.constantFrom(1, 9),
      fc.boolean(),
    )
    .map(([second, reason, verb, times, isFirst]) => {
      const faults: RequestFault[] = [{ verb, skip: 0, times, reason }];
      const other: ObjectPlan = { kind: 'configmap', name: 'last', fields: { 'data a': 1 } };
      return [
        ...(isFirst ? [apply([plan, other], {}, { faults })] : [apply([plan])]),
        apply([second, other], {}, { faults }),
        apply([second, other]),
      ];
    });

const FINALIZERS = ['finalizer a', 'finalizer b'];

/** `--force` meets refusals, finalizers, a timeout, and a create that fails. */
export const forced: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom<KindName>('configmap', 'deployment', 'service', 'widget')
  .chain((kind) => objects(kind, { max: 4 }))
  .chain((plan) =>
    fc
      .tuple(
        edited(plan),
        fc.constantFrom(
          ...(['immutable', 'Invalid', 'Conflict', 'Forbidden', 'five conflicts', 'none'] as const),
          ...(['then Invalid', 'then Invalid', 'then gone'] as const),
        ),
        fc.constantFrom(0, 1, 3, 4),
        fc.constantFrom<FaultReason | undefined>(
          undefined,
          undefined,
          'Invalid',
          'InternalError',
          'Forbidden',
        ),
        fc.constantFrom<number | undefined>(undefined, undefined, 2_000, 30_000),
      )
      .map(([second, refusal, waits, createFails, timeoutMs]): readonly Step[] => {
        const isImmutable = refusal === 'immutable' && plan.kind === 'configmap';
        const more = {
          ...(isImmutable ? { immutable: 1 } : {}),
          ...(waits > 0 ? { 'finalizer b': 1 } : {}),
        };
        const old: ObjectPlan = { ...plan, fields: { ...plan.fields, ...more } };
        const next: ObjectPlan = { ...second, fields: { ...second.fields, ...more, 'label set': 2 } };
        const changed: ObjectPlan = isImmutable
          ? { ...next, fields: { ...next.fields, 'data a': 2, 'data B': 3 } }
          : next;
        const reason = refusal === 'Conflict' || refusal === 'five conflicts' ? 'Conflict' : refusal;
        const faults: RequestFault[] = [];
        if (reason === 'Conflict' || reason === 'Invalid' || reason === 'Forbidden') {
          faults.push({ verb: 'write', skip: 0, times: refusal === 'five conflicts' ? 5 : 9, reason });
        }
        if (refusal === 'then Invalid' || refusal === 'then gone')
          faults.push({ verb: 'write', skip: 0, times: 1, reason: 'Conflict' });
        if (refusal === 'then Invalid') faults.push({ verb: 'write', skip: 1, times: 9, reason: 'Invalid' });
        if (createFails) faults.push({ verb: 'create', skip: 0, times: 1, reason: createFails });
        const reads = reason === 'Conflict' ? 6 : refusal === 'then Invalid' ? 2 : 1;
        const isHeld = [old, changed].some(({ fields }) =>
          FINALIZERS.some((each) => (fields[each] ?? 0) > 0),
        );
        const during = isHeld
          ? [interruption({ act: 'finalize', target: target(plan) }, 'before', 'get', reads + waits)]
          : [];
        const label: Act = { act: 'edit', target: target(plan), field: 'foreign label', value: 1 };
        if (refusal === 'then Invalid') during.push(interruption(label, 'before', 'get', 1));
        if (refusal === 'then gone')
          during.push(interruption({ act: 'delete', target: target(plan) }, 'before', 'get', 1));
        return [
          apply([old]),
          apply(
            [changed],
            { force: true, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
            { faults, during },
          ),
          ...(isHeld ? [act({ act: 'finalize', target: target(plan) })] : []),
        ];
      }),
  );
